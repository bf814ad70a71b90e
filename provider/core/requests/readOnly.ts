import { AdvisedError } from "../http/waysOn";
import type { Connection } from "../language/connection";

/** A request that would change something, from who only looks. It was not sent. */
export class ReadOnlyError extends AdvisedError {
  override readonly name = "ReadOnlyError";
}

/** The same connection for who only looks: of all requests it sends reads alone, and the parsing of texts, which is one. */
export function readOnly(connection: Connection): Connection {
  return {
    ...connection,
    send: async (request) => {
      if (request.nature === "read") return connection.send(request);
      const { method, path } = request;
      throw new ReadOnlyError(
        `${connection.service.name}: ${method} ${path} was not sent: this only reads`,
        [],
      );
    },
  };
}
