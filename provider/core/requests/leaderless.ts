import type { Runtime } from "../http/client";
import type { HttpRequest } from "../http/request";
import type { Service } from "../language/service";

/** Milliseconds in which a cluster that has no leader has another one. */
export const LEADERLESS_MS = 30_000;

/**
 * Until when a request is repeated: as its caller says, and while its cluster chooses a leader, because nothing is carried
 * out until then.
 */
export function untilLed(
  { leaderless }: Service,
  { nature, repeatWhile }: HttpRequest,
  runtime: Runtime,
): HttpRequest["repeatWhile"] {
  if (leaderless === undefined) return repeatWhile;
  const words = nature === "read" ? leaderless.read : leaderless.any;
  const end = runtime.now() + LEADERLESS_MS;
  return (answer) =>
    repeatWhile?.(answer) === true ||
    (answer.status >= 500 && words.test(answer.text) && runtime.now() < end);
}
