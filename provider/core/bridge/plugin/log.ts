import { credentials } from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
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
  async flush(): Promise<void> {
    await Promise.all(this.#pending);
  }

  close(): void {
    this.#client.close();
  }
}
