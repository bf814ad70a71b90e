import { waysOf } from "../../provider/core/http/waysOn";
import type { Course, End } from "./course";
import { leavesOf, movedBetween } from "./leaves";
import type { Cell, Outcome } from "./rules";
import type { Deed } from "./strangers";

/** What is wrong with how a life went, or how it ended where nothing is. */
export type Verdict = { readonly outcome: Outcome } | { readonly wrong: string };

/** What the judge has to know of what went wrong. */
export interface Judged extends Pick<Cell, "life" | "can" | "isInWindow"> {
  /** The number of the request that it happened to. */
  readonly at: number;
  /** What somebody else did. */
  readonly deed?: Deed | undefined;
  /** Whether nobody was left to tell what our own write was. */
  readonly isKill: boolean;
  /** Whether a request was carried out twice on the way. */
  readonly isDoubled: boolean;
  /** Whether what was answered was not so, and could not be known for wrong. */
  readonly isDeceived: boolean;
}

/**
 * Judges a life with faults by the same life without any, and each of its words by what the service really did.
 */
export function judge(course: Course, free: Course, cell: Judged): Verdict {
  const wrong =
    falseWordIn(course, cell) ??
    falseBlameIn(course, cell) ??
    lostIn(course, cell) ??
    doubledIn(course, free, cell);
  if (wrong !== undefined) return { wrong };
  if (isLeftOpen(course)) return { outcome: "left open" };
  const end = wrongInEnd(course, free, cell);
  if (end !== undefined && isWarned(course, free)) return { outcome: "warned" };
  return end === undefined ? { outcome: outcomeOf(course, free, cell) } : { wrong: end };
}

function outcomeOf(course: Course, free: Course, cell: Judged): Outcome {
  const { life, deed } = cell;
  const { told, ways, end, stranger } = course;
  if (stranger.isLostUnseen && life.kind !== "adopt" && life.kind !== "replace") return "lost in the window";
  if (deedsIn(course) > deedsIn(free)) return "done again";
  if (ways.some(({ kind }) => kind === "remove") || isForAPerson(end, cell)) return "by hand";
  if (ways.some(({ kind }) => kind === "set")) return "decided";
  if (deed === "edit" && end.dump === stranger.dump && end.dump !== free.end.dump) return "kept";
  if (!end.isQuiet) return "put right";
  return told === undefined ? "unharmed" : "told";
}

/** A sentence of the command's error that is not so. */
function falseWordIn({ told, requests, keptAt }: Course, { at }: Judged): string | undefined {
  if (!(told instanceof Error)) return undefined;
  const { message } = told;
  // A step is told for itself.
  const isWritten = requests.slice(keptAt).some(({ isRead, isDone }) => !isRead && isDone);
  const isFalse =
    (isWritten && /nothing was written/i.test(message)) ||
    (requests[at]?.isDone && /was not carried out|nothing was checked out/i.test(message));
  return isFalse ? `false: ${message}` : undefined;
}

/** Words that say that somebody else did something. */
const BLAMES = /by somebody else(?!, or)|somebody else changed/;

/** After a kill nobody knows of the write any more that it followed. */
function falseBlameIn({ errors, logged }: Course, { deed, isKill, isDeceived }: Judged): string | undefined {
  if (deed !== undefined || isKill || isDeceived) return undefined;
  const blame = [...errors.map(({ message }) => message), ...logged].find((text) => BLAMES.test(text));
  return blame && `our own write was told as somebody else's: ${blame}`;
}

/** What somebody did is kept, or was shown; but for the time from a look to a write, and what a program asks to take over. */
function lostIn({ stranger }: Course, { life, deed, isInWindow }: Judged): string | undefined {
  if (deed === "delete" && life.kind === "replace") return undefined;
  return stranger.isLostUnseen && life.kind !== "adopt" && !isInWindow
    ? "what somebody else did was written over unseen"
    : undefined;
}

/** What is done once is done once. */
function doubledIn(course: Course, free: Course, { deed, isKill, isDoubled }: Judged): string | undefined {
  // What somebody took back is gone, and may be done again.
  if (isKill || isDoubled || deed === "undoing" || course.told !== undefined) return undefined;
  return deedsIn(course) > deedsIn(free) ? "what is done once was done twice" : undefined;
}

const CANCELS = /^DELETE .*\/rekey[\w-]*\/init$/;

/**
 * How much was done that is done once, and what was sent again after that, whether there was anything left to do or not. A
 * share is done once for the nonce that it is given to, a start until it is cancelled.
 */
function deedsIn({ requests, later }: Course): number {
  const given = new Set<string>();
  let deeds = 0;
  for (const { isSingleUse, carriedOut, isDone, method, target, body } of [...requests, ...later]) {
    const what = `${method} ${target} ${body}`;
    if (!isSingleUse || (!isDone && !given.has(what))) continue;
    if (CANCELS.test(`${method} ${target}`)) given.clear();
    const isAnotherShare = target.includes("/rekey-") && !given.has(what);
    given.add(what);
    deeds += isAnotherShare ? 0 : carriedOut;
  }
  return deeds;
}

/** It says of itself that nobody knows what became of it. */
function isLeftOpen({ end, errors, logged }: Course): boolean {
  if (end.outcome === "unclear")
    return logged.some((line) => line.includes("it is unclear what became of it"));
  return errors.some(({ message }) => LEFT_OPEN.test(message));
}

/** It holds something else than was written, and that was told: an answer that is right to the byte is believed. */
function isWarned({ end, logged }: Course, free: Course): boolean {
  const isOtherwise = end.isThere && end.isQuiet && end.dump !== free.end.dump;
  return isOtherwise && logged.some((line) => line.includes("it does not hold what was just written"));
}

const LEFT_OPEN = /it is open whether/;

function wrongInEnd(course: Course, free: Course, cell: Judged): string | undefined {
  const { life, deed } = cell;
  const { end, stranger } = course;
  const isTheirs = deed !== undefined && end.dump === stranger.dump;
  if (life.kind === "import" && deed === "delete" && !end.isThere) return undefined;
  if (isForAPerson(end, cell)) return undefined;
  if (end.failure !== undefined) return `in the end it is told: ${end.failure.message}`;
  if (end.isThere !== free.end.isThere)
    return end.isThere ? "it is there in the end" : "it is gone in the end";
  if (!end.isQuietAtLast) return "it is never quiet";
  if (deed === "edit" && isTheirs && !stranger.isShown && life.kind !== "import" && !life.ends)
    return "theirs stands, and nobody was told";
  // What was made anew, taken over or imported holds what the program writes, and may lack what others had left there.
  const isAnother =
    deed === "delete" ||
    deed === "same" ||
    deed === "undoing" ||
    (deed !== undefined && (life.kind === "import" || life.kind === "adopt"));
  if (
    end.dump === free.end.dump ||
    isTheirs ||
    isAnother ||
    isOnlyTheirs(course, free) ||
    deedsIn(course) > deedsIn(free)
  )
    return undefined;
  const others = differing(free.end.dump, end.dump);
  return others === undefined ? undefined : `the service holds something else in the end: ${others}`;
}

/** What somebody holds now, or what only a person can know of a procedure that was killed or ended, is told. */
function isForAPerson({ failure }: End, { deed, isKill, can }: Judged): boolean {
  const kinds = (waysOf(failure) ?? []).map(({ kind }) => kind);
  if (deed === "same") return kinds.includes("remove");
  const isAPersons = kinds.includes("edit") || kinds.includes("check");
  return can.lives === "procedure" && (isKill || deed === "undoing") && isAPersons;
}

/** Whether all that is otherwise is as somebody else has written it, and no program writes it. */
function isOnlyTheirs({ end, stranger }: Course, free: Course): boolean {
  if (stranger.moved === undefined) return false;
  const theirs = new Set(leavesOf(stranger.dump).values());
  const others = [...movedBetween(free.end.dump, end.dump).values()];
  return others.every((value) => value === undefined || theirs.has(value));
}

/** The first lines that only one of two dumps has; undefined where neither has any. */
export function differing(free: string, end: string): string | undefined {
  const [before, after] = [new Set(free.split("\n")), new Set(end.split("\n"))];
  const lines = (of: Set<string>, other: Set<string>) =>
    [...of]
      .filter((line) => !other.has(line))
      .slice(0, 5)
      .map((line) => line.trim());
  const others = { free: lines(before, after), end: lines(after, before) };
  return others.free.length + others.end.length === 0 ? undefined : JSON.stringify(others);
}
