import { actionsIn } from "./actions";
import { falseClaimIn, type Message, messageOf } from "./claims";
import { unexpectedDifferences } from "./comparison";
import { finalStateError, needsUser } from "./finalState";
import type { Judged } from "./judged";
import { changesBetween } from "./leaves";
import { isAppliedWrite, isRequested, overwrittenChange } from "./overwrittenChanges";
import type { Outcome } from "./rule";
import type { ScenarioRun } from "./scenarioRun";

/** The outcome of a scenario, or the first violated rule. */
export type Verdict = { readonly outcome: Outcome } | { readonly wrong: string };

/**
 * Compares a scenario with faults to the same scenario without them, and each message to what the service carried
 * out.
 */
export function judge(course: ScenarioRun, free: ScenarioRun, cell: Judged): Verdict {
  const wrong =
    falseStatementIn(course, cell) ??
    unreportedDifference(course, free, cell) ??
    claimedObject(course, cell) ??
    overwrittenChange(course, free, cell) ??
    repeatedAction(course, free, cell);
  if (wrong !== undefined) return { wrong };
  const isUnknown = hasUnknownOutcome(course);
  const end = finalStateError(course, free, cell, isUnknown);
  if (end === undefined && isUnknown) return { outcome: "unknown" };
  if (end !== undefined && isWarned(course, free)) return { outcome: "warned" };
  return end === undefined ? { outcome: outcomeOf(course, free, cell) } : { wrong: end };
}

function outcomeOf(course: ScenarioRun, free: ScenarioRun, cell: Judged): Outcome {
  const { failure, remedies, end, otherUser } = course;
  const { userChange } = cell;
  if (otherUser.isOverwrittenUnseen && !isRequested(course, free, cell)) return "overwritten";
  if (actionsIn(course) > actionsIn(free)) return "repeated";
  if (remedies.some(({ kind }) => kind === "remove") || needsUser(end, cell)) return "manual delete";
  if (remedies.some(({ kind }) => kind === "set")) return "decision";
  if (userChange === "edit" && end.dump === otherUser.dump && end.dump !== free.end.dump)
    return "edit preserved";
  if (!end.showsNoChanges) return "corrected";
  return failure === undefined ? "no effect" : "reported";
}

/** A false statement in an error or a message. */
function falseStatementIn(
  { messages, otherUser }: ScenarioRun,
  { isDoubled, isDeceived, isBelieved }: Judged,
): string | undefined {
  for (const message of messages) {
    const hasOtherUser = otherUser.changes !== undefined || isDeceived;
    const claim = falseClaimIn({ ...message, hasOtherUser, isDoubled, isBelieved });
    if (claim) return `it is not so that ${claim}: ${message.text}`;
  }
  return undefined;
}

/** After a successful command the service has the values of the program. */
function unreportedDifference(
  course: ScenarioRun,
  free: ScenarioRun,
  { userChange, isDeceived, isBelieved }: Judged,
): string | undefined {
  if (course.failure !== undefined || userChange !== undefined || isDeceived || isBelieved) return undefined;
  if (hasUnknownOutcome(course)) return undefined;
  const isDoubled = actionsIn(course) > actionsIn(free);
  const others = unexpectedDifferences(course, free, { isDoubled }, ({ after }) => after);
  return others && `it ended well, and the service holds something else: ${others}`;
}

/**
 * A create must not report another user's object as its own. If the service rejects the create, the user must decide.
 * After a read that found nothing, or with a precondition, an equal object may be our own, because the request was
 * sent twice.
 */
function claimedObject(
  { failure, requests, messages }: ScenarioRun,
  { life, can, userChange }: Judged,
): string | undefined {
  if (userChange !== "equal create" || life.kind !== "create" || failure !== undefined) return undefined;
  if (!can.refusesExisting || can.looksFirst || can.checksWrites || requests.some(isAppliedWrite))
    return undefined;
  const isReported = messages.some(({ facts }) => facts.isExisting === true);
  return isReported ? undefined : "what somebody made was taken for ours without a word";
}

/** An action is carried out only once. */
function repeatedAction(
  course: ScenarioRun,
  free: ScenarioRun,
  { userChange, isKill, isDoubled }: Judged,
): string | undefined {
  // An action that another user reverted may be repeated.
  if (isKill || isDoubled || userChange === "undoing" || course.failure !== undefined) return undefined;
  return actionsIn(course) > actionsIn(free) ? "what is done once was done twice" : undefined;
}

/** The resource reports an unknown outcome. */
function hasUnknownOutcome({ end, errors, notices }: ScenarioRun): boolean {
  const isUnknown = ({ facts }: Message) => facts.isUnknownForGood === true;
  return end.outcome === "unclear" ? notices.some(isUnknown) : errors.map(messageOf).some(isUnknown);
}

/**
 * The service has values that the program did not write, and a message reported each of them. A valid response about
 * a different object is accepted.
 */
function isWarned({ end, notices }: ScenarioRun, free: ScenarioRun): boolean {
  const values = [...changesBetween(free.end.dump, end.dump).values()];
  const isReported = ({ text, facts }: Message) =>
    facts.outcome === "applied" &&
    facts.changedBy !== undefined &&
    values.every((value) => value !== undefined && text.includes(value));
  return end.exists && end.showsNoChanges && values.length > 0 && notices.some(isReported);
}
