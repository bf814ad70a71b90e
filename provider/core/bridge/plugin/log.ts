import { credentials } from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
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
