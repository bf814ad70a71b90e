import { AdvisedError, again } from "../http/waysOn";
import type { Connection } from "../language/connection";
import { NotAtHand, type Sealing } from "../value/sealing";

/** The same connection, by which the secrets themselves are sent, where seals stand for them. */
export function sendingOpened(connection: Connection, sealing: Sealing | undefined): Connection {
  if (sealing === undefined) return connection;
  return {
    ...connection,
    send: async (request) =>
      connection.send(
        request.body === undefined ? request : { ...request, body: opened(sealing, request.body) },
      ),
  };
}

function opened(sealing: Sealing, body: Parameters<Sealing["toSend"]>[0]) {
  try {
    return sealing.toSend(body);
  } catch (error) {
    if (!(error instanceof NotAtHand)) throw error;
    throw new AdvisedError(`${error.message}; nothing was sent.`, [again(" once it can be read")]);
  }
}
