import { ServiceError } from "../../http/errors";
import { ActionableError, editProgram } from "../../http/remedies";
import type { HttpResponse } from "../../http/request";
import type { ObjectContext } from "../../language/resource";
import {
  type OutcomeUnknown,
  type Probe,
  probe,
  type ShownByProbe,
  waitBeforeRetry,
} from "../../requests/probe";
import type { WriteResult } from "../../requests/writeResult";

/** The maximum number of rounds of one write, so that it ends although others keep changing the object. */
const MOST_ROUNDS = 6;

/** Why the loop looks at the object again: the last attempt has not finished the write. */
type Cause<Found> =
  | Extract<WriteResult, { kind: "applied" | "preconditionFailed" | "notSent" }>
  | OutcomeUnknown<Found>;

/** The end of a write. */
export interface Done<Result> {
  readonly kind: "done";
  readonly result: Result;
}

export const done = <Result>(result: Result): Done<Result> => ({ kind: "done", result });

/**
 * How {@link runWrite} carries out a create, an update, a delete or a write of a sub-resource. Nomad (jobs) and Consul
 * (configuration entries) check the revision that a write sends, so that no read is necessary before it; Nomad's response names
 * the new index, Consul's does not (`life.check.proof`: `named`, `repeated`). Vault, OpenBao and HCP Terraform check nothing:
 * there, and for sub-resources, each attempt is based on a read.
 */
export interface WriteStrategy<Found, Result> {
  /** True if no check of the service prevents the write from overwriting a change made after the last read. */
  readonly isBasedOnRead: boolean;
  /** True if a late write would do harm, so that its probe repeats until its time ends. */
  readonly isUnsafeIfLate?: boolean;
  /** Sends the request of this round, once. Ends the write if nothing is left to send. */
  send(context: ObjectContext): Promise<WriteResult<Found> | Done<Result>>;
  /** Ends the write after a response that confirms it. Undefined if the object must be read to know. */
  applied(answer: HttpResponse): Promise<Done<Result> | undefined>;
  /** Looks for the write after an inconclusive response. */
  readonly probe: Probe<ObjectContext, Found>;
  /** Ends a write that the probe shows. */
  shown(outcome: ShownByProbe<Found>): Promise<Result>;
  /** Reads the object after an attempt that has not finished the write. */
  read(cause: Cause<Found>): Promise<Found | undefined>;
  /**
   * Ends the write if the object, as just read, leaves nothing to do.
   * @throws Error if it leaves nothing that can be done
   */
  conclude(found: Found | undefined, cause: Cause<Found>): Promise<Done<Result> | undefined>;
  /**
   * Bases the next attempt on the object as just read.
   * @throws ConflictError if others changed what the program manages
   */
  rebase(found: Found | undefined, cause: Cause<Found>): void;
  /** The error of a write whose outcome stays unknown. */
  unknown(outcome: OutcomeUnknown<Found>): Error;
  /** The error after {@link MOST_ROUNDS} rounds. */
  exhaustedError(): Error;
}

/**
 * Carries out a write. This is the only place that sends a write again to carry it out. (A replay, in `requests/write.ts`,
 * sends a write with its old revision only to ask whether the object is its result.) Before each attempt the strategy compares
 * the object with the one that the user has seen, so that no change by others is overwritten.
 *
 * | Result of an attempt | What the probe or read finds | Next step |
 * | --- | --- | --- |
 * | applied | not needed, or the result of the write | done |
 * | rejected | | error; another attempt if another write of this command may lift the rejection |
 * | preconditionFailed, notSent | the object | compare, then another attempt with the current revision |
 * | unknown | the write's result | done; a warning if the server itself reported an error |
 * | unknown, `notShown` | an object without it, and no late write is possible | compare, then another attempt; from the third, wait, read and compare first; at most 4 |
 * | unknown, `rejected` | the same, and the server reported an error | as after `rejected` |
 * | unknown, `undecided` | nothing, or a late write is possible | error; the state keeps the write as pending |
 * @throws what the strategy throws; ServiceError if the server rejects the write
 */
export async function runWrite<Found, Result>(
  context: ObjectContext,
  strategy: WriteStrategy<Found, Result>,
): Promise<Result> {
  let unsentAttempts: ObjectContext["unsentAttempts"] = new Map();
  let tries = 0;
  for (let round = 1; round <= MOST_ROUNDS; ) {
    const sent = await strategy.send(strategy.isBasedOnRead ? { ...context, unsentAttempts } : context);
    if (sent.kind === "done") return sent.result;
    if (sent.kind === "rejected") await waitForOthers(context, sent.error);
    if (sent.kind === "applied") {
      const end = await strategy.applied(sent.answer);
      if (end !== undefined) return end.result;
    }
    const cause = await causeOf(context, strategy, sent);
    if (cause.kind === "shown") {
      warnOfServerError(context, cause.error);
      return strategy.shown(cause);
    }
    if (cause.kind === "unknown" && cause.verdict === "notShown") tries++;
    const next =
      cause.kind === "unknown"
        ? await prepareResend(context, strategy, cause, tries)
        : await readAgain(strategy, cause);
    if (next.kind === "done") return next.result;
    strategy.rebase(next.found, next.cause);
    if (next.cause.kind === "notSent") continue;
    round++;
    unsentAttempts = new Map();
  }
  throw strategy.exhaustedError();
}

/** The server may store an object before a step fails, such as a request of its own to another system. */
function warnOfServerError({ log }: ObjectContext, { outcome, summary }: ServiceError): void {
  if (outcome === "serverError")
    log(
      "warning",
      `${summary} A read after the request shows the written values, so the write counts as done.`,
    );
}

/** The object must be read again: the server rejected the write, and another write of this command may lift the rejection. */
const REREAD = { kind: "notSent" } as const;

/** The object that the next attempt is based on, and why there is another attempt. */
interface NextAttempt<Found> {
  readonly kind: "next";
  readonly found: Found | undefined;
  readonly cause: Cause<Found>;
}

/** Why the object is read again. Looks for a write with an unknown outcome, unless that was done already. */
async function causeOf<Found>(
  context: ObjectContext,
  strategy: WriteStrategy<Found, unknown>,
  outcome: WriteResult<Found>,
): Promise<Cause<Found> | ShownByProbe<Found>> {
  if (outcome.kind === "rejected") return REREAD;
  if (outcome.kind !== "unknown" || outcome.verdict !== "notProbed") return outcome;
  const { isUnsafeIfLate = false } = strategy;
  return probe(context, outcome, strategy.probe, { isUnsafeIfLate });
}

/**
 * Prepares another attempt after a write that its probe does not show.
 * @throws Error if the write may still be applied, or if there must be no further attempt
 */
async function prepareResend<Found, Result>(
  context: ObjectContext,
  strategy: WriteStrategy<Found, Result>,
  outcome: OutcomeUnknown<Found>,
  tries: number,
): Promise<Done<Result> | NextAttempt<Found>> {
  const { found, verdict, probeError } = outcome;
  if (probeError !== undefined) throw strategy.unknown(outcome);
  const end = await strategy.conclude(found, outcome);
  if (end !== undefined) return end;
  if (verdict === "undecided") throw strategy.unknown(outcome);
  const isRejected = verdict === "rejected";
  const waited = isRejected
    ? await waitForOthers(context, strategy.unknown(outcome))
    : await waitBeforeRetry(context, tries);
  if (waited === undefined) throw strategy.unknown(outcome);
  const cause = isRejected ? REREAD : outcome;
  if (waited === 0) return { kind: "next", found, cause };
  const read = await strategy.read(cause);
  const late = await strategy.conclude(read, REREAD);
  return late ?? { kind: "next", found: read, cause };
}

/**
 * Reads the object for another attempt.
 * @throws Error the reason for the wait before the read, if the read fails too
 */
async function readAgain<Found, Result>(
  strategy: WriteStrategy<Found, Result>,
  cause: Exclude<Cause<Found>, OutcomeUnknown>,
): Promise<Done<Result> | NextAttempt<Found>> {
  let found: Found | undefined;
  try {
    found = await strategy.read(cause);
  } catch (error) {
    if (cause.kind !== "notSent" || !(error instanceof ServiceError)) throw error;
    throw cause.error ?? error;
  }
  return (await strategy.conclude(found, cause)) ?? { kind: "next", found, cause };
}

/**
 * Waits after a rejection that another resource of the program may have caused, while other writes of this command run.
 * @returns the wait in milliseconds
 * @throws Error the rejection, with the order that avoids it, if no other write can lift it
 */
export async function waitForOthers(context: ObjectContext, error: Error): Promise<number> {
  const { connection, deadline, definition, others, signal } = context;
  const { blocked } = definition.life;
  if (blocked === undefined || !blocked.isBlocked(error)) throw error;
  const { runtime } = connection;
  const wait = others?.waitMs();
  if (wait === undefined || signal?.aborted || runtime.now() + wait >= deadline)
    throw error instanceof ActionableError ? error.addRemedies(editProgram(blocked.order)) : error;
  const { problem } = error instanceof ActionableError ? error : { problem: error.message };
  context.progress?.(
    `waits for the other writes of this command, then tries again. The server rejected this write: ${problem}`,
  );
  await runtime.sleep(wait, signal).catch(() => undefined);
  return wait;
}
