import type { HttpAnswer } from "../http/request";

/** Words of a cluster without a leader. */
export interface Leaderless {
  /** By which any request was not carried out. */
  readonly any: RegExp;
  /** By which a read is asked for again: those, and what is said of a leader that was lost in between. */
  readonly read: RegExp;
}

/** What servers say whose requests go to a leader that they choose among themselves, where they did not reach it. */
const NOT_REACHED = "No cluster leader|Raft leader not found|node is not the leader|failed to get conn";

/** What they say where they lost it after the request may have been carried out, or while it was. */
const LOST =
  "rpc error[^:]*: (?:EOF|.*(?:connection reset|broken pipe|session shutdown|stream closed|i/o timeout))" +
  "|leadership lost|leadership transfer|Not ready to serve consistent reads";

export const FORWARDING: Leaderless = {
  any: new RegExp(NOT_REACHED),
  read: new RegExp(`${NOT_REACHED}|${LOST}`),
};

/**
 * Whether a leader was lost while a request was with it. What was written may be taken over by the next leader, later,
 * so that this is no refusal.
 */
export function isLeaderLost({ status, text }: HttpAnswer): boolean {
  return status >= 500 && new RegExp(LOST).test(text);
}
