import { waysOf } from "../../provider/core/http/waysOn";
import { liesIn } from "./claims";
import { otherwise } from "./comparison";
import type { Course, End } from "./course";
import type { Fault } from "./fault";
import { isHeld, movedBetween } from "./leaves";
import type { Cell, Outcome } from "./rule";
import type { Deed, Stranger } from "./strangers";
import type { Sent } from "./wire";

/** What is wrong with how a life went, or how it ended where nothing is. */
export type Verdict = { readonly outcome: Outcome } | { readonly wrong: string };

/** What the judge has to know of what went wrong. */
export interface Judged extends WentWrong, Pick<Cell, "life" | "can" | "isInWindow"> {
  /** What went wrong, where it was one thing alone. */
  readonly fault?: Fault;
  /** The number of the request that it happened to. */
  readonly at: number;
  /** What somebody else did. */
  readonly deed?: Deed | undefined;
  /** Whether something else went wrong in the same command. */
  readonly isOfTwo?: true;
  /** Whether what was answered was not so, and could not be known for wrong. */
  readonly isDeceived: boolean;
}

/** What the faults of one command say by themselves. */
interface WentWrong {
  /** Whether nobody was left to tell what our own write was. */
  readonly isKill: boolean;
  /** Whether a request was carried out twice on the way. */
  readonly isDoubled: boolean;
  /** Whether a write was carried out after its sender was told something. */
  readonly isLate: boolean;
  /** Whether what was answered was another's, and right to the byte. */
  readonly isBelieved: boolean;
}

export function wentWrongBy(faults: readonly Fault[]): WentWrong {
  return {
    isKill: faults.some(({ group }) => group === "killed"),
    isDoubled: faults.some(({ carries }) => carries === "twice"),
    isLate: faults.some(({ carries }) => carries === "late"),
    isBelieved: faults.some(({ isAnothers }) => isAnothers),
  };
}

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
  for (const { text, requests } of said) {
    const hasStranger = stranger.moved !== undefined || isDeceived;
    const lie = liesIn({ text, requests, hasStranger, isDoubled, isBelieved });
    if (lie) return `it is not so that ${lie.claims}: ${text}`;
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
  const isTold = said.some(({ text }) =>
    text.includes("exists already, and is just what the program writes"),
  );
  return isTold ? undefined : "what somebody made was taken for ours without a word";
}

/** What somebody did is kept, or was shown; but for the time from a look to a write that the service does not check. */
function lostIn(course: Course, free: Course, cell: Judged): string | undefined {
  if (!course.stranger.isLostUnseen || isInOpenWindow(cell) || isAskedFor(course, free, cell))
    return undefined;
  return cell.isOfTwo && isBeyondKnowing(course, cell)
    ? undefined
    : "what somebody else did was written over unseen";
}

/**
 * What nobody can know once something else went wrong in the same command: a write that comes late goes over whatever is there
 * by then, where the service checks none; an adoption that failed looks anew, and takes what
 * stands then, as it was asked to; what was created and taken away while its answer was open is made anew, an element of a
 * list, too; and an object that is just what was to be deleted, while the answer to that was open, is deleted by the command
 * that is run again.
 */
function isBeyondKnowing({ told, stranger, end }: Course, { life, deed, can, isLate }: Judged): boolean {
  if (isLate && !can.checksWrites) return true;
  const isBegun = life.kind === "adopt" || life.kind === "create" || life.kind === "replace";
  if (isBegun && (deed === "delete" || isTakenOut(stranger, end))) return true;
  if (life.kind === "adopt") return told !== undefined || !can.checksWrites;
  return life.kind === "delete" && !can.checksDeletes;
}

/** Whether of all that somebody did only elements that they took out of a list stand there again. */
function isTakenOut({ moved = new Map() }: Stranger, { dump }: End): boolean {
  const isOut = (at: string, value?: string) => value === undefined && /\[[^\]]* \d+\]$/.test(at);
  const others = [...moved].filter(([at, value]) => !isOut(at, value));
  return others.length < moved.size && isHeld(new Map(others), dump);
}

/** Whether somebody acted where no look comes before the next write, and the service does not check that. */
function isInOpenWindow({ life, can, isInWindow }: Judged): boolean {
  return isInWindow && !(life.kind === "delete" ? can.checksDeletes : can.checksWrites);
}

/**
 * Whether the program asked for what becomes of it: an adoption takes over what stands there when it looks for the last time
 * before its write, and a replacement takes away first what somebody took away.
 */
function isAskedFor(course: Course, free: Course, { life, deed, fault, at, isOfTwo }: Judged): boolean {
  // The second of two comes at a request that only the first one has sent.
  const { requests } = isOfTwo ? course : free;
  const moment = fault?.deed?.when === "after" ? at + 1 : at;
  if (requests.slice(0, moment).some(isWritten)) return false;
  if (life.kind !== "adopt") return life.kind === "replace" && deed === "delete";
  const object = requests.find(({ isRead }) => isRead)?.target;
  const next = requests.slice(moment).find((sent) => isWritten(sent) || sent.target === object);
  return next?.isRead ?? true;
}

/** What was refused has written nothing. */
const isWritten = ({ isRead, isDone }: Sent) => !isRead && isDone;

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

/**
 * It holds something else than was written, and that was told, each value of it: an answer that is right to the byte is
 * believed.
 */
function isWarned({ end, logged }: Course, free: Course): boolean {
  const values = [...movedBetween(free.end.dump, end.dump).values()];
  const isTold = (line: string) =>
    line.includes("it does not hold what was just written") &&
    values.every((value) => value !== undefined && line.includes(value));
  return end.isThere && end.isQuiet && values.length > 0 && logged.some(isTold);
}

const LEFT_OPEN = /it is open whether/;

function wrongInEnd(course: Course, free: Course, cell: Judged, isOpen: boolean): string | undefined {
  const { life, deed } = cell;
  const { end, stranger } = course;
  if (isForAPerson(end, cell)) return undefined;
  // What comes after all looks was told as open, but for a kill, and stands beside what was done instead.
  const isUntold = course.errors.some(saysOpen) || (cell.isOfTwo === true && cell.isKill);
  const isStray = cell.isLate && cell.can.lives === "procedure" && isUntold;
  // An import of what is gone is an error, and brings nothing about.
  const isThere = free.end.isThere && !(life.kind === "import" && deed === "delete");
  // The service says itself that there is another one where somebody took ours from.
  if (cell.isOfTwo && cell.isLate && isTakenFromItsPlace(course, cell) && end.failure !== undefined)
    return undefined;
  if (!(isOpen || (life.kind === "import" && deed === "delete"))) {
    if (end.failure !== undefined) return `in the end it is told: ${end.failure.message}`;
    if (end.isThere !== isThere) return end.isThere ? "it is there in the end" : "it is gone in the end";
    if (!end.isQuietAtLast) return "it is never quiet";
  }
  if (
    deed === "edit" &&
    end.dump === stranger.dump &&
    !stranger.isShown &&
    !(cell.isOfTwo && (cell.isDeceived || isTakenOver(course) || isAdoptedAnew(cell))) &&
    life.kind !== "import" &&
    !life.ends
  )
    return "theirs stands, and nobody was told";
  // What somebody did the same, or took back, leaves what no program writes.
  if (deed === "same" || deed === "undoing" || isStray) return undefined;
  const isAdoption = life.kind === "adopt" || isTakenOver(course);
  const others = otherwise(course, free, {
    deed,
    isAdoption,
    isOpen,
    isDoubled: deedsIn(course) > deedsIn(free) || (cell.isOfTwo === true && isRenamed(course, cell)),
  });
  return others
    ? `the service holds something else in the end: ${others}`
    : leftBehind(course, free, { isOpen, isPartly: life.kind === "import" && cell.isDeceived });
}

/**
 * What a destroy leaves that it does not leave without any fault: nothing is orphaned.
 * @param isPartly whether an import was shown a part: it is of that alone
 */
function leftBehind(
  course: Course,
  free: Course,
  { isOpen, isPartly }: { readonly isOpen: boolean; readonly isPartly: boolean },
): string | undefined {
  const { destroyed } = course;
  if (destroyed === undefined || free.destroyed === undefined || isOpen || isPartly) return undefined;
  const { failure } = destroyed;
  if (failure) return `in the end it cannot be destroyed: ${failure.message}`;
  const isDoubled = deedsIn(course) > deedsIn(free);
  const left = otherwise(course, free, { isDoubled }, (each) => each.destroyed?.dump ?? "");
  return left && `destroyed, it leaves something behind: ${left}`;
}

/** An adoption of which a kill left nothing takes over what stands there when it is run again, as it was asked to. */
function isAdoptedAnew({ life, isKill }: Judged): boolean {
  return life.kind === "adopt" && isKill;
}

/** What was created, or met in its place, while the answer was open, and renamed by somebody, nobody finds: another is made. */
function isRenamed({ stranger }: Course, { life, deed }: Judged): boolean {
  const isMoved = [...(stranger.moved?.keys() ?? [])].some((at) => at.endsWith(".name"));
  return (life.kind === "create" || life.kind === "adopt") && deed === "edit" && isMoved;
}

/** Whether somebody made room for what comes late: they renamed ours, or took it away. */
function isTakenFromItsPlace(course: Course, cell: Judged): boolean {
  return isRenamed(course, cell) || (cell.life.kind === "create" && cell.deed === "delete");
}

/** The program has said that it takes over whatever stands there. */
function isTakenOver({ ways }: Course): boolean {
  return ways.some((way) => way.kind === "set" && way.property === "adopt");
}

const saysOpen = ({ message }: Error) => /may still be carried out|was started is unclear/.test(message);

/** What somebody holds now, or what only a person can know of a procedure that was killed or ended, is told. */
function isForAPerson({ failure }: End, cell: Judged): boolean {
  const { deed, isKill, isDoubled, can } = cell;
  const kinds = (waysOf(failure) ?? []).map(({ kind }) => kind);
  if (deed === "same" && kinds.includes("remove")) return true;
  const isAPersons = kinds.includes("edit") || kinds.includes("check");
  return (
    can.lives === "procedure" &&
    (isKill || (cell.isOfTwo && (isDoubled || deed === "same")) || deed === "undoing") &&
    isAPersons
  );
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
