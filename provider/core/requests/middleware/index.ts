import type { HttpAnswer, HttpRequest } from "../../http/request";
import type { Connection } from "../../language/service";

/** Sends a request and returns the response. */
export type Send = (request: HttpRequest) => Promise<HttpAnswer>;

/** Adds one concern to every request of a connection. */
export type Middleware = (next: Send) => Send;

/** Sends through each middleware. The first one sees a request first and its response last. */
export function compose(middleware: readonly Middleware[], send: Send): Send {
  return middleware.reduceRight((next, wrap) => wrap(next), send);
}

/** The same connection with further middleware before its own. */
export function withMiddleware(connection: Connection, ...middleware: readonly Middleware[]): Connection {
  return { ...connection, send: compose(middleware, (request) => connection.send(request)) };
}
