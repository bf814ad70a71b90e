import { invalid, serverError } from "./errors";
import type { Switches } from "./settings";

/** How current a response must be. */
export type Consistency = "default" | "consistent" | "stale";

/** The consistency mode of a query; throws a 400 if the query names two modes. */
export function readConsistency(query: URLSearchParams): Consistency {
  const [stale, consistent] = [query.has("stale"), query.has("consistent")];
  if (stale && consistent) {
    throw invalid("Cannot specify ?stale with ?consistent, conflicting semantics.");
  }
  if (stale) return "stale";
  return consistent ? "consistent" : "default";
}

/** Throws unless the cluster has a leader; only stale reads work without one. */
export function requireLeader({ knownLeader }: Pick<Switches, "knownLeader">): void {
  if (!knownLeader) throw serverError("No cluster leader");
}
