import type { Runtime } from "../../http/options";
import type { Service } from "../../language/service";
import type { Middleware } from ".";

/** How long a cluster without a leader may take to elect one, in milliseconds. */
export const ELECTION_MS = 30_000;

/**
 * Repeats a request while its cluster elects a leader, because the cluster applies nothing until then. A read is also
 * repeated if its leader was lost or is not ready yet.
 */
export function waitForLeader({ leaderless }: Service, runtime: Runtime): Middleware {
  if (leaderless === undefined) return (next) => next;
  const { absent, lost, unready } = leaderless;
  return (next) => (request) => {
    const words = request.nature === "read" ? [absent, lost, unready] : [absent];
    const end = (request.attempts?.startedAt ?? runtime.now()) + ELECTION_MS;
    return next({
      ...request,
      repeatWhile: (answer) =>
        request.repeatWhile?.(answer) === true ||
        (answer.status >= 500 && words.some((one) => one?.test(answer.text)) && runtime.now() < end),
    });
  };
}
