import { ActionableError, again } from "../../http/remedies";
import type { Fingerprints } from "../../value/fingerprint";
import type { Middleware } from ".";

/** Replaces fingerprints in the request body with their secrets. */
export function sendSecrets(fingerprints: Fingerprints): Middleware {
  return (next) => async (request) =>
    next(
      request.body === undefined
        ? request
        : { ...request, body: fingerprints.reveal(request.body, failWithoutSecret) },
    );
}

function failWithoutSecret(): never {
  throw new ActionableError(
    "the request needs a secret that is stored outside the state, and the secret cannot be read; nothing was sent.",
    [again(" once the secret can be read")],
    { outcome: "notSent" },
  );
}
