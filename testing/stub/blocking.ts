import { parseDuration } from "./durations";
import type { StubRequest } from "./service";

/** The index that a query waits to exceed, and the end of its wait. */
export interface BlockingQuery {
  readonly index: number;
  /** By the mock server's clock. */
  readonly until: number;
}

const MINUTE = 60_000;
const DEFAULT_WAIT = 5 * MINUTE;
const GREATEST_WAIT = 10 * MINUTE;

/**
 * Reads the blocking parameters of a query; undefined if it does not wait: without an index, or with index 0. `random` is in
 * [0, 1), and `invalid` creates the service's own error.
 */
export function readBlockingQuery(
  { query, clock }: Pick<StubRequest, "query" | "clock">,
  random: () => number,
  invalid: (message: string) => Error,
): BlockingQuery | undefined {
  const waitText = query.get("wait") ?? "";
  const asked = waitText === "" ? 0 : parseDuration(waitText);
  if (asked === undefined) throw invalid("Invalid wait time");
  const indexText = query.get("index") ?? "";
  if (!/^\d*$/.test(indexText)) throw invalid("Invalid index");
  const index = Number(indexText);
  if (index === 0) return undefined;
  const wait = asked <= 0 ? DEFAULT_WAIT : Math.min(asked / 1e6, GREATEST_WAIT);
  return { index, until: clock.now() + wait + Math.floor((random() * wait) / 16) };
}
