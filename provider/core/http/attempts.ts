import { randomUUID } from "node:crypto";

/**
 * The attempts of one write over several calls of the client. The caller of a write that is based on a read keeps them, because
 * it reads the object again between two attempts.
 */
export class Attempts {
  /** One id for all attempts, so that the server's log shows that they belong together. */
  readonly id = randomUUID();
  /** The number of attempts that were sent. */
  count = 0;
  /**
   * The number of retries that the client's maximum limits. Does not count waits that the specification names. Does not count
   * 429s while the server accepts other requests either: that is contention, and every request gets its turn.
   */
  retries = 0;
  /** The number of requests that the server had accepted when its rate limit last rejected this one. */
  acceptedBefore = 0;
  /** How often in a row the read was too old when the request's turn came. */
  late = 0;

  /** @param startedAt when the first attempt was prepared, in milliseconds since the epoch */
  constructor(readonly startedAt: number) {}
}

/** The read that a write is based on, for a write that no check of the service protects. */
export interface ReadBasis {
  /**
   * The time, in milliseconds by the client's clock, from which the read is too old (after a rate limit, a queue, a login or an
   * election). The client then does not send the write, and never sends it again by itself: it throws NotSent, and the caller
   * reads again.
   */
  readonly freshUntil?: number;
  /** The attempts of the same write so far; set together with `freshUntil`. */
  readonly attempts?: Attempts;
}

/** How long a read may be the basis of a write, in milliseconds. */
const FRESH_MS = 500;

/** The maximum number of consecutive late attempts, so that a server slower than {@link FRESH_MS} is not polled forever. */
const MOST_LATE = 3;

/** The options of a write that is based on a read that ended just now. */
export function basedOnRead(attempts: Attempts, now: number): Required<ReadBasis> {
  return { attempts, freshUntil: now + FRESH_MS };
}

/** True if the read that a write is based on is too old, so that the caller must read again. */
export function isLate({ freshUntil, attempts }: ReadBasis, now: number): boolean {
  if (freshUntil === undefined || attempts === undefined) return false;
  const isDue = now > freshUntil && attempts.late < MOST_LATE;
  attempts.late = isDue ? attempts.late + 1 : 0;
  return isDue;
}
