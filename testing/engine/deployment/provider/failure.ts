import { type ServiceError, status } from "@grpc/grpc-js";
import { ConfigureErrorMissingKeys, ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import type { PropertyMap } from "../../state/values";
import { errorOf } from "../operation/bailed";
import { fromStruct } from "../wire/struct";

/** The state of a resource whose creation or update failed part-way. */
export interface HalfMade {
  readonly id: string;
  readonly outputs: PropertyMap;
  readonly inputs?: PropertyMap;
  readonly reasons: readonly string[];
  readonly refreshBeforeUpdate: boolean;
}

/** A failed provider call, with the CLI's message. */
export class ProviderFailure extends Error {
  constructor(
    message: string,
    /** True if it is unknown whether the operation was applied. */
    readonly unclear: boolean,
    readonly partial?: HalfMade,
  ) {
    super(message);
    this.name = "ProviderFailure";
  }
}

/** Converts a gRPC error; a partially created resource is in its details. */
export function providerFailure(error: unknown): ProviderFailure {
  if (!isServiceError(error)) {
    return new ProviderFailure(errorOf(error).message, true);
  }
  const partial = partialOf(error);
  if (partial) return new ProviderFailure(reasonsText(partial.reasons), false, partial);
  const unclear = [status.INTERNAL, status.DATA_LOSS, status.UNKNOWN].includes(error.code);
  return new ProviderFailure(wordsOf(error), unclear);
}

/** The CLI's message for an error; a plugin that ended is reported with the CLI's own connection error. */
function wordsOf(error: ServiceError): string {
  const missing = missingKeysOf(error);
  if (missing.length > 0) return reasonsText(missing);
  const isCutOff = error.code === status.UNAVAILABLE && CUT_OFF.test(error.details);
  return isCutOff ? "error reading from server: EOF" : error.details;
}

const CUT_OFF = /^(Connection dropped|read ECONNRESET)/;

/** The messages for missing configuration keys, if the provider listed them. */
function missingKeysOf(error: ServiceError): string[] {
  return detailsOf(error, "pulumirpc.ConfigureErrorMissingKeys").flatMap((bytes) =>
    ConfigureErrorMissingKeys.deserializeBinary(bytes)
      .getMissingkeysList()
      .map((key) => {
        const [name, description] = [key.getName(), key.getDescription()];
        return (
          `missing required configuration key "${name}": ${description}\n` +
          `Set a value using the command \`pulumi config set ${name} <value>\`.`
        );
      }),
  );
}

function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && "code" in error && "details" in error && "metadata" in error;
}

export const isUnimplemented = (error: unknown): boolean =>
  isServiceError(error) && error.code === status.UNIMPLEMENTED;

function partialOf(error: ServiceError): HalfMade | undefined {
  const [bytes] = detailsOf(error, "pulumirpc.ErrorResourceInitFailed");
  if (!bytes) return undefined;
  const failed = ErrorResourceInitFailed.deserializeBinary(bytes);
  return {
    id: failed.getId(),
    outputs: fromStruct(failed.getProperties()),
    ...(failed.hasInputs() && { inputs: fromStruct(failed.getInputs()) }),
    reasons: failed.getReasonsList(),
    refreshBeforeUpdate: failed.getRefreshBeforeUpdate(),
  };
}

/** The error details of a message type. */
function detailsOf(error: ServiceError, name: string): Uint8Array[] {
  const [binary] = error.metadata.get("grpc-status-details-bin");
  if (!(binary instanceof Buffer)) return [];
  return Status.deserializeBinary(binary)
    .getDetailsList()
    .filter((detail) => detail.getTypeName() === name)
    .map((detail) => detail.getValue_asU8());
}

function reasonsText(reasons: readonly string[]): string {
  if (reasons.length === 0) return "resource init failed";
  const count = reasons.length === 1 ? "1 error occurred" : `${reasons.length} errors occurred`;
  return `${count}:\n\t* ${reasons.join("\n\t* ")}\n\n`;
}
