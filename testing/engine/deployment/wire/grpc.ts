import {
  type ChannelOptions,
  type handleUnaryCall,
  type Metadata,
  Server,
  ServerCredentials,
  type ServiceDefinition,
  type ServiceError,
  status,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { errorOf } from "../operation/bailed";

/** Property bags have no limit of their own; the SDK lifts gRPC's in the same way. */
export const CHANNEL: ChannelOptions = {
  "grpc.max_receive_message_length": -1,
  "grpc.max_send_message_length": -1,
};

/** A running server and its address, always on loopback and on a free port. */
export interface Served {
  readonly address: string;
  /** Ends the calls that are still open, too: a program may wait in one for ever. */
  stop(): void;
}

export async function serve(
  ...services: readonly (readonly [ServiceDefinition, UntypedServiceImplementation])[]
): Promise<Served> {
  const server = new Server(CHANNEL);
  for (const [definition, implementation] of services) server.addService(definition, implementation);
  const port = await bindFresh(server);
  return { address: `127.0.0.1:${port}`, stop: () => server.forceShutdown() };
}

/** Every port that something was served on here. */
const served = new Set<number>();

/** More than enough, unless nearly every port there is was served on. */
const ATTEMPTS = 16;

/**
 * Takes a port that nothing was served on before. The SDK never closes the clients of an inline program: one that
 * is called after its server has gone looks for it ever after, and gRPC lets all clients of one address share one
 * connection. A program that got such an address would find its connection failed before it had begun.
 */
async function bindFresh(server: Server): Promise<number> {
  const passed: number[] = [];
  let port = await bind(server);
  while (served.has(port) && passed.length < ATTEMPTS) {
    // It is held until there is another, or the system would give it again.
    passed.push(port);
    port = await bind(server);
  }
  for (const one of passed) server.unbind(`127.0.0.1:${one}`);
  served.add(port);
  return port;
}

function bind(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) =>
      error ? reject(error) : resolve(port),
    );
  });
}

/** A call of a generated client, given what to do with the answer. */
export type Send<Response> = (done: (error: ServiceError | null, response: Response) => void) => unknown;

/** One call to a server, as a promise. */
export function ask<Response>(send: Send<Response>): Promise<Response> {
  return new Promise((resolve, reject) => {
    send((error, response) => (error ? reject(error) : resolve(response)));
  });
}

/** An error with a status that the SDK looks at. */
export class StatusError extends Error {
  constructor(
    readonly code: status,
    message: string,
  ) {
    super(message);
    this.name = "StatusError";
  }
}

/** A handler that is a function from a request to a response. */
export function answer<Request, Response>(
  handle: (request: Request, metadata: Metadata) => Promise<Response> | Response,
): handleUnaryCall<Request, Response> {
  return (call, done) => {
    Promise.resolve()
      .then(() => handle(call.request, call.metadata))
      .then(
        (response) => done(null, response),
        (error: unknown) => {
          const code = error instanceof StatusError ? error.code : status.UNKNOWN;
          done({ code, details: errorOf(error).message });
        },
      );
  };
}
