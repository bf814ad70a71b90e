import { remediesOf } from "../../provider/core/http/remedies";
import { actionsIn } from "./actions";
import { messageOf } from "./claims";
import { unexpectedDifferences } from "./comparison";
import type { Judged } from "./judged";
import type { End, ScenarioRun } from "./scenarioRun";

/** The error in the final state, in its preview, or in the state after a destroy. */
export function finalStateError(
  course: ScenarioRun,
  free: ScenarioRun,
  cell: Judged,
  isUnknown: boolean,
): string | undefined {
  const { life, userChange } = cell;
  const { end, otherUser } = course;
  if (needsUser(end, cell)) return undefined;
  // A request after the probe was reported as unknown, except after a kill. Its result exists in addition.
  const isUntold = course.errors.some(reportsUnknownOutcome) || (cell.isOfTwo === true && cell.isKill);
  const isStray = cell.isLate && cell.can.lives === "procedure" && isUntold;
  // An import of a deleted object is an error and changes nothing.
  const shouldExist = free.end.exists && !(life.kind === "import" && userChange === "delete");
  // The service reports the second object after another user has moved the first one.
  if (cell.isOfTwo && cell.isLate && isNameFree(course, cell) && end.failure !== undefined) return undefined;
  if (!(isUnknown || (life.kind === "import" && userChange === "delete"))) {
    if (end.failure !== undefined) return `in the end it is told: ${end.failure.message}`;
    if (end.exists !== shouldExist) return end.exists ? "it is there in the end" : "it is gone in the end";
    if (!end.finallyShowsNoChanges) return "it is never quiet";
  }
  if (
    userChange === "edit" &&
    end.dump === otherUser.dump &&
    !otherUser.isShown &&
    !(cell.isOfTwo && (cell.isDeceived || isAdopted(course) || isAdoptedAgain(cell))) &&
    life.kind !== "import" &&
    !life.deletesObject
  )
    return "theirs stands, and nobody was told";
  // The same action or a revert by another user leaves values that no program writes.
  if (userChange === "same" || userChange === "undoing" || isStray) return undefined;
  const isAdoption = life.kind === "adopt" || isAdopted(course);
  const others = unexpectedDifferences(course, free, {
    userChange,
    isAdoption,
    isUnknown,
    isDoubled: actionsIn(course) > actionsIn(free) || (cell.isOfTwo === true && isRenamed(course, cell)),
  });
  return others
    ? `the service holds something else in the end: ${others}`
    : leftBehind(course, free, { isUnknown, isPartly: life.kind === "import" && cell.isDeceived });
}

/**
 * The objects that a destroy leaves behind, and that it deletes without a fault.
 * @param isPartly whether an import read only a part of the object, so that the resource manages only that part
 */
function leftBehind(
  course: ScenarioRun,
  free: ScenarioRun,
  { isUnknown, isPartly }: { readonly isUnknown: boolean; readonly isPartly: boolean },
): string | undefined {
  const { destruction } = course;
  if (destruction === undefined || free.destruction === undefined || isUnknown || isPartly) return undefined;
  const { failure } = destruction;
  if (failure) return `in the end it cannot be destroyed: ${failure.message}`;
  const isDoubled = actionsIn(course) > actionsIn(free);
  const left = unexpectedDifferences(course, free, { isDoubled }, (each) => each.destruction?.dump ?? "");
  return left && `destroyed, it leaves something behind: ${left}`;
}

/** After a kill without a stored state, the repeated adoption adopts the object that it finds. */
function isAdoptedAgain({ life, isKill }: Judged): boolean {
  return life.kind === "adopt" && isKill;
}

/** A renamed object with an unknown outcome cannot be found, so that a second one is created. */
function isRenamed({ otherUser }: ScenarioRun, { life, userChange }: Judged): boolean {
  const isMoved = [...(otherUser.changes?.keys() ?? [])].some((at) => at.endsWith(".name"));
  return (life.kind === "create" || life.kind === "adopt") && userChange === "edit" && isMoved;
}

/** Whether another user renamed or deleted our object, so that a late create can succeed. */
function isNameFree(course: ScenarioRun, cell: Judged): boolean {
  return isRenamed(course, cell) || (cell.life.kind === "create" && cell.userChange === "delete");
}

/** The program adopts any existing object. */
function isAdopted({ remedies }: ScenarioRun): boolean {
  return remedies.some((way) => way.kind === "set" && way.property === "adopt");
}

const reportsUnknownOutcome = (error: Error) => messageOf(error).facts.outcome === "unknown";

/**
 * Whether the final error asks a user to act: another user owns the object, or only a user can know the result of a
 * procedure.
 */
export function needsUser({ failure }: End, cell: Judged): boolean {
  const { userChange, isKill, isDoubled, can } = cell;
  const kinds = (remediesOf(failure) ?? []).map(({ kind }) => kind);
  if (userChange === "same" && kinds.includes("remove")) return true;
  const isAPersons = kinds.includes("edit") || kinds.includes("check");
  return (
    can.lives === "procedure" &&
    (isKill || (cell.isOfTwo && (isDoubled || userChange === "same")) || userChange === "undoing") &&
    isAPersons
  );
}
