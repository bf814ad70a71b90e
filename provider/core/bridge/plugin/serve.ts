import { fstatSync } from "node:fs";
import { Server, ServerCredentials } from "@grpc/grpc-js";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { providerService } from "./service";
import type { PluginPackage } from "./session";

/** As much as the engine itself takes: a state may be in one message. */
const MOST_BYTES = 400 * 1024 * 1024;

/**
 * Serves a package as a provider on a free port of this machine, for whoever is here.
 * @returns the port, and what ends it
 */
export async function serve(own: PluginPackage): Promise<{ port: number; stop(): void }> {
  const server = new Server({
    "grpc.max_receive_message_length": MOST_BYTES,
    "grpc.max_send_message_length": MOST_BYTES,
  });
  server.addService(ResourceProviderService, providerService(own));
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  return { port, stop: () => server.forceShutdown() };
}

/** How often it is asked whether who started this process is still there. */
const LOOK_AGAIN_MS = 1000;

/**
 * Runs as an engine starts it: says the port in the first line, and ends with the engine. Signals end it at once, because
 * the engine has waited for what runs before it sends them; and it leaves nothing behind where the engine is gone.
 */
export async function runPlugin(own: PluginPackage): Promise<void> {
  const { port } = await serve(own);
  const end = () => process.exit(0);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, end);
  // Where it is no pipe there may be no end to come, or it came at once.
  const input = fstatSync(0);
  if (input.isFIFO() || input.isSocket()) process.stdin.on("end", end).on("error", end).resume();
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || end(), LOOK_AGAIN_MS).unref();
  process.stdout.write(`${port}\n`);
}
