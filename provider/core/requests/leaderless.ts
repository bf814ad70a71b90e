import type { Runtime } from "../http/client";
import type { HttpRequest } from "../http/request";
import type { Service } from "../language/service";

/** Milliseconds in which a cluster that has no leader has another one. */
export const LEADERLESS_MS = 30_000;

/**
 * Until when a request is repeated: as its caller says, and while its cluster chooses a leader, because nothing is carried
 * out until then. A read is asked for again, too, where a leader was lost that had it, or is too new.
 */
export function untilLed(
  { leaderless }: Service,
  { nature, repeatWhile }: HttpRequest,
  runtime: Runtime,
): HttpRequest["repeatWhile"] {
  if (leaderless === undefined) return repeatWhile;
  const { absent, lost, unready } = leaderless;
  const words = nature === "read" ? [absent, lost, unready] : [absent];
  const end = runtime.now() + LEADERLESS_MS;
  return (answer) =>
    repeatWhile?.(answer) === true ||
    (answer.status >= 500 && words.some((one) => one?.test(answer.text)) && runtime.now() < end);
}
