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

/** Messages have no size limit, as in the SDK. */
export const CHANNEL: ChannelOptions = {
  "grpc.max_receive_message_length": -1,
  "grpc.max_send_message_length": -1,
};

/** A running server and its address: loopback with a free port. */
export interface Served {
  readonly address: string;
  /** Stops the server and its open calls: a program may wait in a call forever. */
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

/** Every port that this process has served on. */
const served = new Set<number>();

/** Sufficient unless nearly every port has been used. */
const ATTEMPTS = 16;

/**
 * Binds a port that this process has not used before. The SDK never closes the clients of an inline program. A client called
 * after its server has stopped reconnects forever, and gRPC shares one connection between all clients of an address. A new
 * program with that address would start with a failed connection.
 */
async function bindFresh(server: Server): Promise<number> {
  const passed: number[] = [];
  let port = await bind(server);
  while (served.has(port) && passed.length < ATTEMPTS) {
    // Hold the port until a new one is found; otherwise the system may return it again.
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

/** A call of a generated client; the callback receives the response. */
export type Send<Response> = (done: (error: ServiceError | null, response: Response) => void) => unknown;

/** Converts a call to a promise. */
export function ask<Response>(send: Send<Response>): Promise<Response> {
  return new Promise((resolve, reject) => {
    send((error, response) => (error ? reject(error) : resolve(response)));
  });
}

/** An error with a status code that the SDK evaluates. */
export class StatusError extends Error {
  constructor(
    readonly code: status,
    message: string,
  ) {
    super(message);
    this.name = "StatusError";
  }
}

/** Converts a function from a request to a response into a handler. */
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
