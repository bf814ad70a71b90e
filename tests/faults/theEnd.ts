import { remediesOf } from "../../provider/core/http/remedies";
import { otherwise } from "./comparison";
import type { Course, End } from "./course";
import type { Judged } from "./judged";
import { deedsIn } from "./once";

/** What is wrong with what is there in the end, with what a preview says of it, and with what a destroy leaves. */
export function wrongInEnd(course: Course, free: Course, cell: Judged, isOpen: boolean): string | undefined {
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

const saysOpen = ({ message }: Error) =>
  /may still be carried out|cancel still be carried out|was started is unclear/.test(message);

/** What somebody holds now, or what only a person can know of a procedure that was killed or ended, is told. */
export function isForAPerson({ failure }: End, cell: Judged): boolean {
  const { deed, isKill, isDoubled, can } = cell;
  const kinds = (remediesOf(failure) ?? []).map(({ kind }) => kind);
  if (deed === "same" && kinds.includes("remove")) return true;
  const isAPersons = kinds.includes("edit") || kinds.includes("check");
  return (
    can.lives === "procedure" &&
    (isKill || (cell.isOfTwo && (isDoubled || deed === "same")) || deed === "undoing") &&
    isAPersons
  );
}
