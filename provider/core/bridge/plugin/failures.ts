import { Metadata, type ServiceError, status } from "@grpc/grpc-js";
import { CheckFailure, type CheckResponse, ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { withoutStack } from "../../http/errors";
import type { Problem } from "../../language/rules";
import { problemText } from "../checking";

/** An error in the protocol's form. The engine prints its message without a stack trace. */
export function failure(message: string, code: status = status.UNKNOWN): Partial<ServiceError> {
  return { code, details: message };
}

/** Any error in the protocol's form. */
export function failureFrom(error: unknown): Partial<ServiceError> {
  return isFailure(error) ? error : failure(withoutStack(error).message);
}

function isFailure(error: unknown): error is ReturnType<typeof failure> {
  return typeof error === "object" && error !== null && !(error instanceof Error) && "code" in error;
}

/** The state of a partially created resource, and the reason. */
export interface HalfMade {
  readonly id: string;
  readonly properties: Struct;
  readonly inputs: Struct;
  readonly reason: string;
  readonly isRefreshedBeforeUpdate: boolean;
}

/** A create or an update that was applied in part. The engine saves it with its reasons and continues from it. */
export function halfMade(made: HalfMade): Partial<ServiceError> {
  const { id, properties, inputs, reason } = made;
  const detail = new ErrorResourceInitFailed();
  detail.setId(id);
  detail.setProperties(properties);
  detail.setInputs(inputs);
  detail.setReasonsList([reason]);
  detail.setRefreshBeforeUpdate(made.isRefreshedBeforeUpdate);
  const any = new Any();
  any.pack(detail.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
  const state = new Status();
  state.setCode(status.UNKNOWN);
  state.setMessage(reason);
  state.addDetails(any);
  const metadata = new Metadata();
  metadata.set("grpc-status-details-bin", Buffer.from(state.serializeBinary()));
  return { ...failure(reason), metadata };
}

/** Adds to a check the reasons why the inputs cannot be used. */
export function addFailures(response: CheckResponse, problems: readonly Problem[]): CheckResponse {
  for (const problem of problems) {
    const failed = new CheckFailure();
    // Without a property: the engine would print its value, which may be a secret.
    failed.setReason(problemText(problem));
    response.addFailures(failed);
  }
  return response;
}
