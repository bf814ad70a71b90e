import { type Model, modelOfInputs } from "../diff/models";
import { isDeepEmpty } from "../diff/normalize";
import type { Difference } from "../diff/threeWay";
import { elementKey } from "../diff/walk";
import { ActionableError, again } from "../http/remedies";
import type { Address, Observation } from "../language/object";
import { absenceProofOf } from "../language/reads";
import type { ObjectContext } from "../language/resource";
import type { Link } from "../language/writes";
import { conflictsSince, type RecordedObject } from "../state/changes";
import { type ConflictDetails, ConflictError, GoneError } from "../state/errors";
import type { Records } from "../state/records";
import { secretMapOf } from "../state/redaction";
import { pick } from "../value/json";
import type { Value } from "../value/unknown";

/** What is known of an earlier write of the same step, or of a pending write of an earlier one. */
export type OwnWrite = Pick<ConflictDetails, "ownWrite" | "isPerhapsOurs">;

/** The conflict error of a step. */
export function conflict(
  { context, records, inputs }: RecordedObject,
  current: Observation,
  conflicts: readonly Difference[],
  own: OwnWrite & Pick<ConflictDetails, "isFirstLook">,
): ConflictError {
  const { definition, step, redactor } = context;
  return new ConflictError({
    resource: context.name(records.address),
    step: step === "delete" || step === "create" ? step : "update",
    ourToken: records.revision,
    theirToken: current.revision,
    differences: conflicts,
    ...own,
    secrecy: secretMapOf(definition, inputs, redactor, records.lastApplied),
  });
}

/**
 * Stops a step after one of its own requests if someone else has changed a managed value.
 * @param ownWrite the outcome of that request
 * @throws ConflictError with these changes, unless the program sets `onConflict` to "overwrite".
 */
export function assertNoConflict(
  object: RecordedObject,
  found: Observation,
  conflicts: readonly Difference[],
  ownWrite: NonNullable<ConflictDetails["ownWrite"]> = "applied",
): void {
  if (conflicts.length === 0) return;
  const error = conflict(object, found, conflicts, { ownWrite });
  if (object.inputs.onConflict !== "overwrite") throw error;
  logOverwrite(object.context, error);
}

/** Warns before the program overwrites changes. Without a write of its own, it reports no outcome: the write follows. */
export function logOverwrite(context: ObjectContext, { warning, details, facts }: ConflictError): void {
  const { outcome, ...changes } = facts;
  context.log("warning", warning, details.ownWrite === "applied" ? facts : changes);
}

/**
 * The error for an object that provably no longer exists.
 * @param isSent true if this step has already sent a write
 */
export function goneError(context: ObjectContext, address: Address, isSent: boolean): GoneError {
  const { service, life } = context.definition;
  return new GoneError(context.name(address), absenceProofOf(service, life.reads).evidence, isSent);
}

/**
 * Fails if the service rejected a write although it carried the object's current token: a further attempt would be rejected,
 * too.
 * @param records the records whose token the rejected write carried
 * @param found the object as read after the rejection
 */
export function assertNotHeld(
  context: ObjectContext,
  { revision }: Records,
  found: Observation,
  cause: { readonly kind: string },
): void {
  const why = context.definition.life.check?.rejectsCurrent;
  if (why === undefined || cause.kind !== "preconditionFailed") return;
  if (revision === undefined || found.revision !== revision) return;
  throw new ActionableError(
    `${context.name(found.address)}: the server rejected the write, although the object is unchanged since it was last read; ${why}.`,
    [again()],
    { outcome: "notApplied" },
  );
}

/**
 * Someone else's changes to a link since the object was observed. Two forms of an empty value are equal: a link of a newly
 * created object is empty in one of them.
 * @param isSent true after our own requests for the link: ignores a list that two of these have written only in part
 */
export function linkDiff(object: RecordedObject, link: Link, now: Model, isSent = false): Difference[] {
  const { context, records, inputs } = object;
  return conflictsSince(context.definition, records, inputs, now).filter((difference) => {
    const { field, path, base, theirs } = difference;
    const [name, ...inside] = path;
    const isEmpty = isDeepEmpty(field, base, inside) && isDeepEmpty(field, theirs, inside);
    return name === link.field && !isEmpty && !(isSent && isHalfWritten(difference));
  });
}

/** The links that someone else has changed since the object was observed, or since our own write of the link. */
export function linksChangedByOthers(
  object: RecordedObject,
  written: ReadonlySet<string>,
  now: Model,
): ReadonlySet<string> {
  const { definition } = object.context;
  const ours = pick(modelOfInputs(definition, object.inputs), written);
  const records = { ...object.records, observed: { ...object.records.observed, ...ours } };
  const moved = definition.life.links.filter(
    (link) => linkDiff({ ...object, records }, link, now, true).length > 0,
  );
  return new Set(moved.map(({ field }) => field));
}

/**
 * True if a list is partly written: every element is old or new, and every common element is present. One request writes a
 * value that is not a list, so such a value is never partly written.
 */
function isHalfWritten({ base, ours, theirs }: Difference): boolean {
  if (![base, ours, theirs].some((value) => Array.isArray(value))) return false;
  const [before, after, now] = [elementsIn(base), elementsIn(ours), elementsIn(theirs)];
  return (
    now.every((element) => before.includes(element) || after.includes(element)) &&
    before.every((element) => !after.includes(element) || now.includes(element))
  );
}

/** The elements of a list, each as text. A list that is not set has no elements. */
function elementsIn(value: Value | undefined): readonly string[] {
  return Array.isArray(value) ? value.map(elementKey) : [];
}
