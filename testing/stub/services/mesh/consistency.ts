import { failed, invalid } from "./errors";
import type { Switches } from "./settings";

/** How up to date an answer must be. */
export type Consistency = "default" | "consistent" | "stale";

/** The mode that a query names; 400 where it names two. */
export function readConsistency(query: URLSearchParams): Consistency {
  const [stale, consistent] = [query.has("stale"), query.has("consistent")];
  if (stale && consistent) {
    throw invalid("Cannot specify ?stale with ?consistent, conflicting semantics.");
  }
  if (stale) return "stale";
  return consistent ? "consistent" : "default";
}

/** Without a leader only a stale read is answered. */
export function requireLeader({ knownLeader }: Pick<Switches, "knownLeader">): void {
  if (!knownLeader) throw failed("No cluster leader");
}
