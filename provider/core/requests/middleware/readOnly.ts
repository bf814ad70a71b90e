import { AdvisedError } from "../../http/waysOn";
import type { Middleware } from ".";

/** A request that would change something, from a command that only reads. It was not sent. */
export class ReadOnlyError extends AdvisedError {
  override readonly name = "ReadOnlyError";
}

/** Sends reads only. The parsing of job text is a read. */
export function readOnly(service: string): Middleware {
  return (next) => async (request) => {
    if (request.nature === "read") return next(request);
    const { method, path } = request;
    throw new ReadOnlyError(`${service}: ${method} ${path} was not sent: this only reads`, []);
  };
}
