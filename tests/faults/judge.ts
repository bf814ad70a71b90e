import { falseClaimIn, type Message, messageOf } from "./claims";
import { otherwise } from "./comparison";
import type { Course } from "./course";
import type { Judged } from "./judged";
import { movedBetween } from "./leaves";
import { isAskedFor, isWritten, lostIn } from "./lostEdits";
import { deedsIn } from "./once";
import type { Outcome } from "./rule";
import { isForAPerson, wrongInEnd } from "./theEnd";

/** What is wrong with how a life went, or how it ended where nothing is. */
export type Verdict = { readonly outcome: Outcome } | { readonly wrong: string };

/**
 * Judges a life with faults by the same life without any, and each of its words by what the service really did.
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

/** Something that was said, by an error or in a line, and is not so. */
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

/** A command that ends well says that the service holds what the program writes: then it does. */
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
 * What somebody made is never told as made by us: where the service refuses it to us, a create ends with a question. After a
 * look that found nothing, or against an index, what is just as written may be our own, sent twice on the way.
 */
function takenIn({ told, requests, said }: Course, { life, can, deed }: Judged): string | undefined {
  if (deed !== "equal create" || life.kind !== "create" || told !== undefined) return undefined;
  if (!can.refusesExisting || can.looksFirst || can.checksWrites || requests.some(isWritten))
    return undefined;
  const isTold = said.some(({ facts }) => facts.isExisting === true);
  return isTold ? undefined : "what somebody made was taken for ours without a word";
}

/** What is done once is done once. */
function doubledIn(course: Course, free: Course, { deed, isKill, isDoubled }: Judged): string | undefined {
  // What somebody took back is gone, and may be done again.
  if (isKill || isDoubled || deed === "undoing" || course.told !== undefined) return undefined;
  return deedsIn(course) > deedsIn(free) ? "what is done once was done twice" : undefined;
}

/** It says of itself that nobody knows what became of it. */
function isLeftOpen({ end, errors, notices }: Course): boolean {
  const isOpen = ({ facts }: Message) => facts.isUnknownForGood === true;
  return end.outcome === "unclear" ? notices.some(isOpen) : errors.map(messageOf).some(isOpen);
}

/**
 * It holds something else than was written, and that was told, each value of it: an answer that is right to the byte is
 * believed.
 */
function isWarned({ end, notices }: Course, free: Course): boolean {
  const values = [...movedBetween(free.end.dump, end.dump).values()];
  const isTold = ({ text, facts }: Message) =>
    facts.outcome === "applied" &&
    facts.changedBy !== undefined &&
    values.every((value) => value !== undefined && text.includes(value));
  return end.isThere && end.isQuiet && values.length > 0 && notices.some(isTold);
}
