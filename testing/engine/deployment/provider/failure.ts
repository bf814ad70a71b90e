import { type ServiceError, status } from "@grpc/grpc-js";
import { ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import type { PropertyMap } from "../../state/values";
import { errorOf } from "../operation/bailed";
import { fromStruct } from "../wire/struct";

/** What exists of a resource whose creation or update failed half-way. */
export interface HalfMade {
  readonly id: string;
  readonly outputs: PropertyMap;
  readonly inputs?: PropertyMap;
  readonly reasons: readonly string[];
}

/** A provider's call that failed, worded as the CLI prints it. */
export class ProviderFailure extends Error {
  constructor(
    message: string,
    /** True where nobody knows whether the operation happened. */
    readonly unclear: boolean,
    readonly partial?: HalfMade,
  ) {
    super(message);
    this.name = "ProviderFailure";
  }
}

/** Reads a gRPC error; a half-made resource travels in its details. */
export function providerFailure(error: unknown): ProviderFailure {
  if (!isServiceError(error)) {
    return new ProviderFailure(errorOf(error).message, true);
  }
  const partial = partialOf(error);
  if (partial) return new ProviderFailure(reasonsText(partial.reasons), false, partial);
  const unclear = [status.INTERNAL, status.DATA_LOSS, status.UNKNOWN].includes(error.code);
  return new ProviderFailure(error.details, unclear);
}

function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && "code" in error && "details" in error && "metadata" in error;
}

export const isUnimplemented = (error: unknown): boolean =>
  isServiceError(error) && error.code === status.UNIMPLEMENTED;

function partialOf(error: ServiceError): HalfMade | undefined {
  const [binary] = error.metadata.get("grpc-status-details-bin");
  if (!(binary instanceof Buffer)) return undefined;
  for (const detail of Status.deserializeBinary(binary).getDetailsList()) {
    if (detail.getTypeName() !== "pulumirpc.ErrorResourceInitFailed") continue;
    const failed = ErrorResourceInitFailed.deserializeBinary(detail.getValue_asU8());
    return {
      id: failed.getId(),
      outputs: fromStruct(failed.getProperties()),
      ...(failed.hasInputs() && { inputs: fromStruct(failed.getInputs()) }),
      reasons: failed.getReasonsList(),
    };
  }
  return undefined;
}

function reasonsText(reasons: readonly string[]): string {
  if (reasons.length === 0) return "resource init failed";
  const count = reasons.length === 1 ? "1 error occurred" : `${reasons.length} errors occurred`;
  return `${count}:\n\t* ${reasons.join("\n\t* ")}\n\n`;
}
