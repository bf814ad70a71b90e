import { ActionableError, again } from "../../http/remedies";
import { NotAtHand, type Sealing } from "../../value/sealing";
import type { Middleware } from ".";

/** Replaces fingerprints in the request body with their secrets. */
export function sendSecrets(sealing: Sealing): Middleware {
  return (next) => async (request) =>
    next(request.body === undefined ? request : { ...request, body: withSecrets(sealing, request.body) });
}

function withSecrets(sealing: Sealing, body: Parameters<Sealing["toSend"]>[0]) {
  try {
    return sealing.toSend(body);
  } catch (error) {
    if (!(error instanceof NotAtHand)) throw error;
    throw new ActionableError(`${error.message}; nothing was sent.`, [again(" once it can be read")]);
  }
}
