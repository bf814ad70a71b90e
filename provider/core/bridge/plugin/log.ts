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

/** Shows lines in the output of the engine that called, each at its resource. */
export class EngineLog {
  readonly #client: EngineClient;
  readonly #pending = new Set<Promise<void>>();

  constructor(address: string) {
    this.#client = new EngineClient(address, credentials.createInsecure());
  }

  /** @param urn the resource that it is shown at; at the stack where there is none */
  show({ kind, text }: Notice, urn = ""): void {
    const request = new LogRequest();
    request.setSeverity(SEVERITIES[kind]);
    request.setMessage(text);
    request.setUrn(urn);
    // What a wait is waiting for is a line of the moment.
    request.setEphemeral(kind === "progress");
    // An engine that is gone shows nothing any more, and nothing is to end for that.
    const shown = new Promise<void>((done) => {
      this.#client.log(request, () => done());
    }).finally(() => this.#pending.delete(shown));
    this.#pending.add(shown);
  }

  /** Ends when everything so far was shown: what comes after an answer, the engine may no longer take. */
  async flushed(): Promise<void> {
    await Promise.all(this.#pending);
  }

  close(): void {
    this.#client.close();
  }
}

/** An error as the protocol carries it: the engine prints its message, and nothing of where it came from. */
export function failure(message: string, code: status = status.UNKNOWN): Partial<ServiceError> {
  return { code, details: message };
}

/** What the state keeps of a resource that is half made, and why it is. */
export interface HalfMade {
  readonly id: string;
  readonly properties: Struct;
  readonly inputs: Struct;
  readonly reason: string;
  readonly isRefreshedBeforeUpdate: boolean;
}

/** A create or an update that happened in part, which the engine saves with its reasons and carries on with. */
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
