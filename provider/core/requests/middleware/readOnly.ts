import { ActionableError } from "../../http/remedies";
import type { Middleware } from ".";

/** A read-only command tried to send a request that could change something. The request was not sent. */
export class ReadOnlyError extends ActionableError {
  override readonly name = "ReadOnlyError";
}

/** Sends reads only. Parsing job text counts as a read. */
export function readOnly(service: string): Middleware {
  return (next) => async (request) => {
    if (request.nature === "read") return next(request);
    const { method, path } = request;
    throw new ReadOnlyError(`${service}: ${method} ${path} was not sent: this connection is read-only`, []);
  };
}
