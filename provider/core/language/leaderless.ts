import type { HttpAnswer } from "../http/request";

/** Words of a cluster without a leader. */
export interface Leaderless {
  /** By which any request was not carried out. */
  readonly any: RegExp;
  /** By which a read is asked for again: those, and what is said of a leader that was lost in between. */
  readonly read: RegExp;
}

/** What servers say that pass requests on to a leader, which they choose among themselves. */
export const FORWARDING: Leaderless = {
  any: /No cluster leader|Raft leader not found|node is not the leader|failed to get conn/,
  read: /No cluster leader|Raft leader not found|node is not the leader|failed to get conn|Not ready to serve consistent reads|leadership lost|leadership transfer|rpc error[^:]{0,20}: EOF|connection reset|broken pipe|session shutdown|stream closed/,
};

/** What they say where a leader was lost that had the request. */
const LOST =
  /leadership lost|leadership transfer|rpc error[^:]{0,20}: EOF|connection reset|broken pipe|session shutdown|stream closed/;

/**
 * Whether a leader was lost while a request was with it. What was written may be taken over by the next leader, later,
 * so that this is no refusal.
 */
export function isLeaderLost({ status, text }: HttpAnswer): boolean {
  return status >= 500 && LOST.test(text);
}
