import type { Runtime } from "../../http/client";
import type { Service } from "../../language/service";
import type { Middleware } from ".";

/** Milliseconds in which a cluster without a leader elects one. */
export const ELECTION_MS = 30_000;

/**
 * Repeats a request while its cluster elects a leader, because nothing is applied until then. A read is also repeated if
 * the leader that had it was lost, or is too new.
 */
export function waitForLeader({ leaderless }: Service, runtime: Runtime): Middleware {
  if (leaderless === undefined) return (next) => next;
  const { absent, lost, unready } = leaderless;
  return (next) => (request) => {
    const words = request.nature === "read" ? [absent, lost, unready] : [absent];
    const end = runtime.now() + ELECTION_MS;
    return next({
      ...request,
      repeatWhile: (answer) =>
        request.repeatWhile?.(answer) === true ||
        (answer.status >= 500 && words.some((one) => one?.test(answer.text)) && runtime.now() < end),
    });
  };
}
