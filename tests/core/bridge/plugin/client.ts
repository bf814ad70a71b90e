import {
  type ClientReadableStream,
  credentials,
  Server,
  ServerCredentials,
  type ServiceError,
} from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import type { LogRequest } from "@pulumi/pulumi/proto/engine_pb";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { serve } from "../../../../provider/core/bridge/plugin/service";
import { plugin } from "../../../../provider/plugin";
import { type Bag, callErrorOf, ProviderCalls } from "./calls";

/** A log line that a plugin sent to its engine. */
interface Shown {
  readonly severity: number;
  readonly text: string;
  readonly urn: string;
  readonly ephemeral: boolean;
}

/** An engine that is attached over gRPC to a plugin in this process. */
export interface AttachedEngine {
  readonly calls: ProviderCalls;
  readonly client: ResourceProviderClient;
  readonly shown: readonly Shown[];
  /** The time after which the engine shows a message and confirms it. */
  messageDelayMs: number;
  stop(): void;
}

/** The calls to a plugin that listens on a port. */
export function callsAt(port: number | string) {
  const client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
  const calls = new ProviderCalls(
    (method, request) =>
      new Promise((resolve, reject) => {
        const call: unknown = Reflect.get(client, method);
        if (typeof call !== "function") throw new TypeError(`the protocol has no ${method}`);
        if (method === "list") {
          const parts: unknown[] = [];
          const stream: ClientReadableStream<unknown> = call.call(client, request);
          stream.on("data", (part) => parts.push(part));
          stream.on("error", (error) => reject(callErrorOf(error)));
          stream.on("end", () => resolve(parts));
          return;
        }
        call.call(client, request, (error: ServiceError | null, answer: unknown) =>
          error ? reject(callErrorOf(error)) : resolve(answer),
        );
      }),
  );
  return { calls, client, close: () => client.close() };
}

/** Starts the plugin and the engine, and configures the plugin. */
export async function attachedEngine(settings: Bag): Promise<AttachedEngine> {
  const { port, stop } = await serve(plugin);
  const { calls, client, close } = callsAt(port);
  const engine = new Server();
  const shown: Shown[] = [];
  const attached: AttachedEngine = {
    calls,
    client,
    shown,
    messageDelayMs: 0,
    stop() {
      close();
      stop();
      engine.forceShutdown();
    },
  };
  engine.addService(EngineService, {
    log: ({ request }: { request: LogRequest }, done: (error: null, answer: Empty) => void) => {
      const show = () => {
        shown.push({
          severity: request.getSeverity(),
          text: request.getMessage(),
          urn: request.getUrn(),
          ephemeral: request.getEphemeral(),
        });
        done(null, new Empty());
      };
      if (attached.messageDelayMs === 0) show();
      else setTimeout(show, attached.messageDelayMs);
    },
  });
  const at = await new Promise<number>((resolve, reject) => {
    engine.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  await calls.handshake();
  await calls.attach(`127.0.0.1:${at}`);
  await calls.configure(settings);
  return attached;
}
