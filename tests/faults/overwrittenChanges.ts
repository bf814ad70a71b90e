import type { Judged } from "./judged";
import { stillExist } from "./leaves";
import type { OtherUser } from "./otherUser";
import type { End, ScenarioRun } from "./scenarioRun";
import { firstRead, type Sent } from "./wire";

/**
 * Another user's change must stay or be shown before it is overwritten, except between a read and a write without a
 * precondition.
 */
export function overwrittenChange(course: ScenarioRun, free: ScenarioRun, cell: Judged): string | undefined {
  if (!course.otherUser.isOverwrittenUnseen || isInOpenWindow(cell) || isRequested(course, free, cell))
    return undefined;
  return cell.isOfTwo && isUnavoidable(course, cell)
    ? undefined
    : "what someone else did was written over unseen";
}

/**
 * Whether a second fault in the same command makes the loss unavoidable.
 * Without preconditions, a late write overwrites any change, and a create after a false read overwrites the existing
 * object. A failed adoption reads again, and adopts the object that it finds. An object that was created and deleted
 * while its outcome was unknown is created again, and so is an element of a list. If the outcome of a delete is
 * unknown, the repeated command also deletes a new equal object.
 */
function isUnavoidable(
  { failure, otherUser, end }: ScenarioRun,
  { life, userChange, can, isLate, isDeceived }: Judged,
): boolean {
  if ((isLate || (isDeceived && life.kind === "create")) && !can.checksWrites) return true;
  const isBegun = life.kind === "adopt" || life.kind === "create" || life.kind === "replace";
  if (isBegun && (userChange === "delete" || hasOnlyRemovedElements(otherUser, end))) return true;
  if (life.kind === "adopt") return failure !== undefined || !can.checksWrites;
  return life.kind === "delete" && !can.checksDeletes;
}

/** Whether the only lost changes are elements that the other user removed from lists. */
function hasOnlyRemovedElements({ changes = new Map() }: OtherUser, { dump }: End): boolean {
  const isOut = (at: string, value?: string) => value === undefined && /\[[^\]]* \d+\]$/.test(at);
  const others = [...changes].filter(([at, value]) => !isOut(at, value));
  return others.length < changes.size && stillExist(new Map(others), dump);
}

/** Whether the change came after the last read before a write without a precondition. */
function isInOpenWindow({ life, can, isInWindow }: Judged): boolean {
  return isInWindow && !(life.kind === "delete" ? can.checksDeletes : can.checksWrites);
}

/**
 * Whether the program requested the result: an adoption adopts the object that its last read finds, and a replacement
 * deletes an object that is already deleted.
 */
export function isRequested(
  course: ScenarioRun,
  free: ScenarioRun,
  { life, userChange, fault, at, isOfTwo }: Judged,
): boolean {
  // Only the course with the first fault contains the request of the second.
  const { requests } = isOfTwo ? course : free;
  const moment = fault?.change?.when === "after" ? at + 1 : at;
  if (requests.slice(0, moment).some(isAppliedWrite)) return false;
  if (life.kind !== "adopt") return life.kind === "replace" && userChange === "delete";
  const object = firstRead(requests)?.target;
  const next = requests.slice(moment).find((sent) => isAppliedWrite(sent) || sent.target === object);
  return next?.isRead ?? true;
}

/** A rejected request has written nothing. */
export const isAppliedWrite = ({ isRead, isDone }: Sent) => !isRead && isDone;
