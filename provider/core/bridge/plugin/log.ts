import { credentials, Metadata, type ServiceError, status } from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import type { Notice } from "../../language/stepInput";

const SEVERITIES = {
  info: LogSeverity.INFO,
  warning: LogSeverity.WARNING,
  progress: LogSeverity.INFO,
} as const;

/** Shows messages in the output of the calling engine, each at its resource. */
export class EngineLog {
  readonly #client: EngineClient;
  readonly #pending = new Set<Promise<void>>();

  constructor(address: string) {
    this.#client = new EngineClient(address, credentials.createInsecure());
  }

  /** @param urn the resource for the message; the stack if empty */
  show({ kind, text }: Notice, urn = ""): void {
    const request = new LogRequest();
    request.setSeverity(SEVERITIES[kind]);
    request.setMessage(text);
    request.setUrn(urn);
    // Progress of a wait is a temporary line.
    request.setEphemeral(kind === "progress");
    // An engine that has ended shows nothing, and this must not make the call fail.
    const shown = new Promise<void>((done) => {
      this.#client.log(request, () => done());
    }).finally(() => this.#pending.delete(shown));
    this.#pending.add(shown);
  }

  /** Ends when all messages so far were shown. The engine may no longer accept messages after the response. */
  async flushed(): Promise<void> {
    await Promise.all(this.#pending);
  }

  close(): void {
    this.#client.close();
  }
}

/** An error in the protocol's form. The engine prints its message without a stack trace. */
export function failure(message: string, code: status = status.UNKNOWN): Partial<ServiceError> {
  return { code, details: message };
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
