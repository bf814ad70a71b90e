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
    "a secret stored outside the state is needed here and is not available; nothing was sent.",
    [again(" once it can be read")],
    { outcome: "notSent" },
  );
}
