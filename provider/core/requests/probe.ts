import type { ServiceError } from "../http/errors";
import { ActionableError, again, type Remedy, summaryOf } from "../http/remedies";
import type { HttpAnswer } from "../http/request";
import { backoff } from "../http/retry";
import type { RequestContext } from "../language/stepInput";
import { toError } from "../value/error";

/** What the reads of a probe show of a write. */
export type Sighting<T> =
  | { readonly isApplied: true; readonly found: T }
  | {
      readonly isApplied: false;
      /** The object that is there instead. */
      readonly found?: T;
      /** True if the server would show no trace of the write in any case, because only a key was written. */
      readonly isUnobservable?: boolean;
      /** True if the object found may still come from this write: the request that would decide it got no response. */
      readonly isUndecided?: boolean;
    };

type NotApplied<T> = Exclude<Sighting<T>, { isApplied: true }>;

/** Looks for a write by reads. A service with repeatable writes may also be asked by a replay of this write. */
export type Probe<C, T> = (context: C) => Promise<Sighting<T>>;

/** The response to a write was inconclusive. */
export interface OutcomeUnknown<T = unknown> {
  readonly kind: "unknown";
  readonly error: ServiceError;
  /** The response, if there was one. */
  readonly answer?: HttpAnswer;
  /** What a probe showed instead of the write, or why it failed. Unset without a probe. */
  readonly probed?: NotApplied<T> | Error;
}

/** The probe shows the write. */
export interface Shown<T> {
  readonly kind: "shown";
  readonly found: T;
  readonly error: ServiceError;
}

/** How long a probe lasts, in milliseconds. It starts when the client lets its first read through. */
export const PROBE_MS = 20_000;

/** The wait between the first two reads for a request that may still be on its way, in milliseconds. It doubles each time. */
const FIRST_WAIT_MS = 1000;

/** The context of a probe. Neither the operation's deadline nor a cancel ends it. */
export function probeContext<C extends RequestContext>(context: C): C {
  const { signal: _, ...own } = context;
  // The same context without its signal, which would abort the probe.
  return { ...own, grace: PROBE_MS } as C;
}

/**
 * Looks for a write with an unknown outcome: once if the server answered or the connection broke, and until the time of the
 * probe ends if the request may still be on its way. The probe has its own time limit, no matter why the write ended.
 * @param isUnsafeIfLate true if the probe repeats in any case, because a late write would do harm
 */
export async function probe<C extends RequestContext, T>(
  context: C,
  { error, answer }: OutcomeUnknown,
  look: Probe<C, T>,
  { isUnsafeIfLate } = { isUnsafeIfLate: false },
): Promise<OutcomeUnknown<T> | Shown<T>> {
  const { runtime } = context.connection;
  const asking = probeContext(context);
  // After the server's own rejection, no request is on its way.
  const repeats = error.outcome === "inFlight" || (isUnsafeIfLate && error.outcome !== "rejected");
  const start = runtime.now();
  let waited = 0;
  for (let wait = FIRST_WAIT_MS; ; wait *= 2) {
    const probed = await look(asking).catch(toError);
    if (!(probed instanceof Error) && probed.isApplied) return { kind: "shown", found: probed.found, error };
    const isOver = Math.max(runtime.now() - start, waited) + wait > PROBE_MS;
    if (isOver || !repeats) return { kind: "unknown", error, probed, ...(answer && { answer }) };
    await runtime.sleep(wait);
    waited += wait;
  }
}

/** What a probe showed instead of the write; undefined without a probe, and if it failed. */
export function sightingOf<T>({ probed }: OutcomeUnknown<T>): NotApplied<T> | undefined {
  return probed instanceof Error ? undefined : probed;
}

/** True if a probe shows that the write was not applied, and that its request is no longer on its way. */
export function isNotApplied(outcome: OutcomeUnknown): boolean {
  return sightingOf(outcome) !== undefined && outcome.error.outcome !== "inFlight";
}

/** True if a write with this outcome may be sent again: a probe does not show it, and the server did not reject it. */
export function mayResend(outcome: OutcomeUnknown): boolean {
  return isNotApplied(outcome) && outcome.error.outcome !== "rejected";
}

/** Describes for the user the known and unknown facts about such a write. */
export function describeUnknown({ error, probed }: OutcomeUnknown): string {
  const unknown = `${error.summary} It is unknown whether the request was applied:`;
  if (probed === undefined) return `${unknown} the server does not show the result.`;
  if (probed instanceof Error) return `${unknown} the object could not be read: ${summaryOf(probed)}`;
  if (error.outcome === "rejected") return error.summary;
  if (probed.isUnobservable) return `${unknown} the server never returns the object.`;
  return error.outcome === "inFlight"
    ? `${error.summary} The server did not show the result within ${PROBE_MS / 1000} s; the request may still be applied.`
    : `${error.summary} A read after the request does not show the result.`;
}

/** The error of a write that no probe confirmed. */
export class OutcomeUnknownError extends ActionableError {
  override readonly name = "OutcomeUnknownError";

  readonly #outcome: OutcomeUnknown;

  constructor(outcome: OutcomeUnknown, next: Remedy) {
    super(describeUnknown(outcome), [next], { outcome: "unknown" });
    this.#outcome = outcome;
  }

  /** Not a property, because a printed error must not show a response that is not masked. */
  get outcome(): OutcomeUnknown {
    return this.#outcome;
  }
}

/** The error of a write that no probe confirmed: the server's own rejection, or the known facts and the next step. */
export function unknownError(outcome: OutcomeUnknown, next: Remedy = again()): ActionableError {
  const isRejection = outcome.error.outcome === "rejected" && isNotApplied(outcome);
  return isRejection ? outcome.error : new OutcomeUnknownError(outcome, next);
}

/** The maximum number of attempts for a write that each probe shows was not applied. */
const MOST_TRIES = 4;

/**
 * Waits before the next attempt of a write that a probe shows was not applied.
 * @param tries the number of attempts so far
 * @returns the wait in milliseconds; undefined if there must be no further attempt: there were enough attempts, the
 * operation's time ends first, or the operation was canceled
 */
export async function waitBeforeRetry(
  { connection, deadline, signal }: Pick<RequestContext, "connection" | "deadline" | "signal">,
  tries: number,
): Promise<number | undefined> {
  const { runtime } = connection;
  // A broken connection may work again immediately. Longer problems get a delay.
  const wait = tries === 1 ? 0 : backoff(tries - 1, runtime.random());
  const isOver = () => (signal?.aborted ?? false) || runtime.now() + wait >= deadline;
  if (tries >= MOST_TRIES || isOver()) return undefined;
  if (wait > 0) await runtime.sleep(wait, signal).catch(() => undefined);
  return isOver() ? undefined : wait;
}
