import type { ServiceError } from "../http/errors";
import { ActionableError, again, errorSummary, type Remedy } from "../http/remedies";
import type { HttpResponse } from "../http/request";
import { backoff } from "../http/retry";
import type { Observation } from "../language/object";
import type { RequestContext } from "../language/stepInput";
import { toError } from "../value/error";

/** What a read shows of a write. */
export type ProbeRead<T> =
  | { readonly isApplied: true; readonly found: T }
  | ({ readonly isApplied: false } & NotShown<T>);

/** An object that does not show a write. */
interface NotShown<T> {
  /** The object that is there instead. */
  readonly found?: T;
  /** True if the server would show no trace of the write in any case, because only a key was written. */
  readonly isUnobservable?: boolean;
  /** True if the object found may still come from this write: the request that would decide it got no response. */
  readonly isPerhapsOurs?: boolean;
}

/** Looks for a write by reads. A service with repeatable writes may also be asked by a replay of this write. */
export type Probe<C, T> = (context: C) => Promise<ProbeRead<T>>;

/** The response to a write was inconclusive, and no read shows the write. */
export interface OutcomeUnknown<T = unknown> extends NotShown<T> {
  readonly kind: "unknown";
  readonly error: ServiceError;
  /** The response, if there was one. */
  readonly answer?: HttpResponse;
  /**
   * What a probe found out:
   *
   * - `notProbed`: there was no probe.
   * - `notShown`: the object does not show the write, and no response says that the server is still working on the request. The
   *   request may be sent again: the strategy compares the object first.
   * - `rejected`: the same, and the server itself reported an error, which counts as its rejection.
   * - `undecided`: the request may still be on its way, or the probe failed.
   */
  readonly verdict: "notProbed" | "notShown" | "rejected" | "undecided";
  /** Why the probe failed. */
  readonly probeError?: Error;
}

/** The object that a probe found after a write with an unknown outcome. */
export interface ProbedObject extends Observation {
  /** True if it holds all written values, and others whose author is unknown because the service could not be asked. */
  readonly isUnproven?: true;
}

/** The probe shows the write. */
export interface ShownByProbe<T> {
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
): Promise<OutcomeUnknown<T> | ShownByProbe<T>> {
  const { runtime } = context.connection;
  const asking = probeContext(context);
  // After the server's own error, no request is on its way.
  const repeats = error.outcome === "inFlight" || (isUnsafeIfLate && error.outcome !== "serverError");
  const start = runtime.now();
  let waited = 0;
  for (let wait = FIRST_WAIT_MS; ; wait *= 2) {
    const read = await look(asking).catch(toError);
    if (!(read instanceof Error) && read.isApplied) return { kind: "shown", found: read.found, error };
    const isOver = Math.max(runtime.now() - start, waited) + wait > PROBE_MS;
    if (isOver || !repeats)
      return { kind: "unknown", error, ...(answer && { answer }), ...verdictOf(error, read) };
    await runtime.sleep(wait);
    waited += wait;
  }
}

/** What the last read of a probe says about the write. */
function verdictOf<T>(
  { outcome }: ServiceError,
  read: Error | ({ readonly isApplied: false } & NotShown<T>),
): Pick<OutcomeUnknown<T>, "verdict" | "probeError" | keyof NotShown<T>> {
  if (read instanceof Error) return { verdict: "undecided", probeError: read };
  const { isApplied: _, ...notShown } = read;
  if (outcome === "inFlight") return { verdict: "undecided", ...notShown };
  return { verdict: outcome === "serverError" ? "rejected" : "notShown", ...notShown };
}

/** Describes for the user the known and unknown facts about such a write. */
export function describeUnknown({ error, verdict, probeError, isUnobservable }: OutcomeUnknown): string {
  const unknown = `${error.summary} It is unknown whether the request was applied:`;
  if (verdict === "notProbed") return `${unknown} the server does not show the result.`;
  if (verdict === "rejected") return error.summary;
  if (probeError !== undefined) return `${unknown} the object could not be read: ${errorSummary(probeError)}`;
  if (isUnobservable) return `${unknown} the server does not return the changed values.`;
  return verdict === "undecided"
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
  return outcome.verdict === "rejected" ? outcome.error : new OutcomeUnknownError(outcome, next);
}

/** The parts of a context that limit the time of an operation. */
type Limits = Pick<RequestContext, "connection" | "deadline" | "signal">;

/** True if a cancel or the deadline ends the operation within this many milliseconds. Nothing is written after that. */
export function isOver({ connection, deadline, signal }: Limits, waitMs = 0): boolean {
  return (signal?.aborted ?? false) || connection.runtime.now() + waitMs >= deadline;
}

/** The maximum number of attempts for a write that each probe shows was not applied. */
const MOST_TRIES = 4;

/**
 * Waits before the next attempt of a write that a probe shows was not applied.
 * @param tries the number of attempts so far
 * @returns the wait in milliseconds; undefined if there must be no further attempt: there were enough attempts, the
 * operation's time ends first, or the operation was canceled
 */
export async function waitBeforeRetry(context: Limits, tries: number): Promise<number | undefined> {
  const { runtime } = context.connection;
  // A broken connection may work again immediately. Longer problems get a delay.
  const wait = tries === 1 ? 0 : backoff(tries - 1, runtime.random());
  if (tries >= MOST_TRIES || isOver(context, wait)) return undefined;
  if (wait > 0) await runtime.sleep(wait, context.signal).catch(() => undefined);
  return isOver(context, wait) ? undefined : wait;
}
