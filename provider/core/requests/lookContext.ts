import type { RequestContext } from "../language/stepInput";

/** Milliseconds that a look after an unclear write has from when it is let through, whatever ended the write. */
export const GRACE_MS = 20_000;

/**
 * The context of a look after a write: neither the end of the operation's time nor a cancel ends it. Only reads are sent
 * with it.
 */
export function lookContext<C extends RequestContext>(context: C): C {
  const { signal: _, ...own } = context;
  // The same context but for the signal, which would end it.
  return { ...own, grace: GRACE_MS } as C;
}

/** How long the requests of a caller may go on. */
export function timeLimitsOf({ deadline, grace, signal }: RequestContext) {
  return grace === undefined ? { deadline, ...(signal && { signal }) } : { grace };
}
