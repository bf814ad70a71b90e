import type { Course, End } from "./course";
import type { Judged } from "./judged";
import { isHeld } from "./leaves";
import type { Stranger } from "./strangers";
import { firstLook, type Sent } from "./wire";

/** What somebody did is kept, or was shown; but for the time from a look to a write that the service does not check. */
export function lostIn(course: Course, free: Course, cell: Judged): string | undefined {
  if (!course.stranger.isLostUnseen || isInOpenWindow(cell) || isAskedFor(course, free, cell))
    return undefined;
  return cell.isOfTwo && isBeyondKnowing(course, cell)
    ? undefined
    : "what somebody else did was written over unseen";
}

/**
 * What nobody can know once something else went wrong in the same command: where the service checks no write, one that comes
 * late goes over whatever is there by then, and a create that follows a false look over what that did not show; an adoption
 * that failed looks anew, and takes what stands then, as it was asked to; what was created and taken away while its answer was open is made anew, an element of a
 * list, too; and an object that is just what was to be deleted, while the answer to that was open, is deleted by the command
 * that is run again.
 */
function isBeyondKnowing(
  { told, stranger, end }: Course,
  { life, deed, can, isLate, isDeceived }: Judged,
): boolean {
  if ((isLate || (isDeceived && life.kind === "create")) && !can.checksWrites) return true;
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
export function isAskedFor(
  course: Course,
  free: Course,
  { life, deed, fault, at, isOfTwo }: Judged,
): boolean {
  // The second of two comes at a request that only the first one has sent.
  const { requests } = isOfTwo ? course : free;
  const moment = fault?.deed?.when === "after" ? at + 1 : at;
  if (requests.slice(0, moment).some(isWritten)) return false;
  if (life.kind !== "adopt") return life.kind === "replace" && deed === "delete";
  const object = firstLook(requests)?.target;
  const next = requests.slice(moment).find((sent) => isWritten(sent) || sent.target === object);
  return next?.isRead ?? true;
}

/** What was refused has written nothing. */
export const isWritten = ({ isRead, isDone }: Sent) => !isRead && isDone;
