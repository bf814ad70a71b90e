import { falseClaimIn, type Message, messageOf } from "./claims";
import { otherwise } from "./comparison";
import type { Course } from "./course";
import type { Judged } from "./judged";
import { movedBetween } from "./leaves";
import { isAskedFor, isWritten, lostIn } from "./lostEdits";
import { deedsIn } from "./once";
import type { Outcome } from "./rule";
import { isForAPerson, wrongInEnd } from "./theEnd";

/** The outcome of a scenario, or the first violated rule. */
export type Verdict = { readonly outcome: Outcome } | { readonly wrong: string };

/**
 * Compares a scenario with faults to the same scenario without them, and each message to what the service carried
 * out.
 */
export function judge(course: Course, free: Course, cell: Judged): Verdict {
  const wrong =
    falseWordIn(course, cell) ??
    untoldIn(course, free, cell) ??
    takenIn(course, cell) ??
    lostIn(course, free, cell) ??
    doubledIn(course, free, cell);
  if (wrong !== undefined) return { wrong };
  const isOpen = isLeftOpen(course);
  const end = wrongInEnd(course, free, cell, isOpen);
  if (end === undefined && isOpen) return { outcome: "left open" };
  if (end !== undefined && isWarned(course, free)) return { outcome: "warned" };
  return end === undefined ? { outcome: outcomeOf(course, free, cell) } : { wrong: end };
}

function outcomeOf(course: Course, free: Course, cell: Judged): Outcome {
  const { told, ways, end, stranger } = course;
  const { deed } = cell;
  if (stranger.isLostUnseen && !isAskedFor(course, free, cell)) return "lost in the window";
  if (deedsIn(course) > deedsIn(free)) return "done again";
  if (ways.some(({ kind }) => kind === "remove") || isForAPerson(end, cell)) return "by hand";
  if (ways.some(({ kind }) => kind === "set")) return "decided";
  if (deed === "edit" && end.dump === stranger.dump && end.dump !== free.end.dump) return "kept";
  if (!end.isQuiet) return "put right";
  return told === undefined ? "unharmed" : "told";
}

/** A false statement in an error or a message. */
function falseWordIn(
  { said, stranger }: Course,
  { isDoubled, isDeceived, isBelieved }: Judged,
): string | undefined {
  for (const message of said) {
    const hasStranger = stranger.moved !== undefined || isDeceived;
    const claim = falseClaimIn({ ...message, hasStranger, isDoubled, isBelieved });
    if (claim) return `it is not so that ${claim}: ${message.text}`;
  }
  return undefined;
}

/** After a successful command the service has the values of the program. */
function untoldIn(
  course: Course,
  free: Course,
  { deed, isDeceived, isBelieved }: Judged,
): string | undefined {
  if (course.told !== undefined || deed !== undefined || isDeceived || isBelieved) return undefined;
  if (isLeftOpen(course)) return undefined;
  const isDoubled = deedsIn(course) > deedsIn(free);
  const others = otherwise(course, free, { isDoubled }, ({ after }) => after);
  return others && `it ended well, and the service holds something else: ${others}`;
}

/**
 * A create must not report another user's object as its own. If the service rejects the create, the user must decide.
 * After a read that found nothing, or with a precondition, an equal object may be our own, because the request was
 * sent twice.
 */
function takenIn({ told, requests, said }: Course, { life, can, deed }: Judged): string | undefined {
  if (deed !== "equal create" || life.kind !== "create" || told !== undefined) return undefined;
  if (!can.refusesExisting || can.looksFirst || can.checksWrites || requests.some(isWritten))
    return undefined;
  const isTold = said.some(({ facts }) => facts.isExisting === true);
  return isTold ? undefined : "what somebody made was taken for ours without a word";
}

/** An action is carried out only once. */
function doubledIn(course: Course, free: Course, { deed, isKill, isDoubled }: Judged): string | undefined {
  // An action that another user reverted may be repeated.
  if (isKill || isDoubled || deed === "undoing" || course.told !== undefined) return undefined;
  return deedsIn(course) > deedsIn(free) ? "what is done once was done twice" : undefined;
}

/** The resource reports an unknown outcome. */
function isLeftOpen({ end, errors, notices }: Course): boolean {
  const isOpen = ({ facts }: Message) => facts.isUnknownForGood === true;
  return end.outcome === "unclear" ? notices.some(isOpen) : errors.map(messageOf).some(isOpen);
}

/**
 * The service has values that the program did not write, and a message reported each of them. A valid response about
 * a different object is accepted.
 */
function isWarned({ end, notices }: Course, free: Course): boolean {
  const values = [...movedBetween(free.end.dump, end.dump).values()];
  const isTold = ({ text, facts }: Message) =>
    facts.outcome === "applied" &&
    facts.changedBy !== undefined &&
    values.every((value) => value !== undefined && text.includes(value));
  return end.isThere && end.isQuiet && values.length > 0 && notices.some(isTold);
}
