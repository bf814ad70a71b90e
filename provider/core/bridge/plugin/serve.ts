import { Server, ServerCredentials } from "@grpc/grpc-js";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { providerService } from "./service";
import type { PluginPackage } from "./session";

/** The engine's own limit: one message may contain a state. */
const MOST_BYTES = 400 * 1024 * 1024;

/**
 * Serves a package as a provider on a free port of the loopback interface.
 * @returns the port, and a function that stops the server
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
