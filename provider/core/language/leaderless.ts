import type { HttpAnswer } from "../http/request";

/** Words of a cluster without a leader. */
export interface Leaderless {
  /** By which no request was carried out, whatever it was. */
  readonly absent: RegExp;
  /** By which a leader was lost that had the request; none where a cluster never says so. */
  readonly lost?: RegExp;
  /** By which a leader is too new to be read. */
  readonly unready?: RegExp;
}

/** What servers say that pass requests on to a leader, which they choose among themselves. */
export const FORWARDING = {
  absent: /No cluster leader|Raft leader not found|node is not the leader|failed to get conn/,
  lost: /leadership lost|leadership transfer|rpc error[^:]{0,20}: EOF|connection reset|broken pipe|session shutdown|stream closed/,
  unready: /Not ready to serve consistent reads/,
} as const satisfies Leaderless;

/**
 * Whether the service itself refused with a 500. If a leader was lost while it had the request, the next leader may still
 * apply the write, so that such an answer is no refusal.
 */
export function isOwnRefusal(
  {
    isOwnError,
    leaderless,
  }: { isOwnError(answer: HttpAnswer): boolean; readonly leaderless?: Leaderless | undefined },
  answer: HttpAnswer,
): boolean {
  return answer.status === 500 && isOwnError(answer) && leaderless?.lost?.test(answer.text) !== true;
}
