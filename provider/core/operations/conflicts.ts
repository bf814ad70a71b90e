import { type Model, modelOfBody } from "../diff/models";
import { conflictsIn, differencesIn } from "../diff/queries";
import type { Difference } from "../diff/threeWay";
import type { Address, KnownInputs, Observation } from "../language/object";
import { deletionProofOf } from "../language/reads";
import type { Definition, ObjectContext } from "../language/resource";
import { type ConflictDetails, ConflictError, GoneError, propertiesOf } from "../state/errors";
import { pendingInputs, type Records } from "../state/records";
import { secretMapOf } from "../state/redaction";
import { formatPath, lookUp } from "../value/path";
import { sameInDocument } from "../value/scalar";
import { comparisonOf, unreadLinks } from "./planned";
import { resolvePending } from "./write/pending";
import { type PostWrite, partial } from "./write/result";

/** What is known of an earlier write of the same step. */
type OwnWrite = Pick<ConflictDetails, "ownWrite" | "isPerhapsOurs">;

/** Returns the records with the object as just read, after a check that no one else changed a managed value. */
export function reconcile(
  context: ObjectContext,
  before: Records,
  inputs: KnownInputs,
  current: Observation,
  own: OwnWrite = {},
): Records {
  const { definition } = context;
  const now = modelOfBody(definition, current.body, inputs);
  const records = resolvePending(definition, before, current);
  const all = conflictsSince(definition, records, inputs, now);
  const conflicts = context.step === "delete" ? all.filter((one) => !helpsDelete(one)) : all;
  if (conflicts.length === 0) logCarriedOn(context, records, current, now);
  else {
    const properties = new Set(conflicts.map(({ path: [name] }) => name));
    const names = unreadLinks(definition, records).filter((name) => properties.has(name));
    const error = conflict(context, records, inputs, current, conflicts, {
      isFirstLook: conflicts.every(({ path }) => names.includes(String(path[0]))),
      isPerhapsOurs: pendingInputs(before) !== undefined,
      ...own,
    });
    if (inputs.onConflict !== "overwrite")
      throw names.length === 0 ? error : firstReadError(context, records, current, now, names, error);
    logOverwrite(context, error);
  }
  return { ...records, observed: now, revision: current.revision };
}

/** True if someone else has already set a value that the delete sets first. */
function helpsDelete({ path: [, ...inside], field, theirs }: Difference): boolean {
  const wanted = lookUp(field.facts.document?.deletedAs, inside);
  return wanted !== undefined && sameInDocument(wanted, theirs);
}

/**
 * The error for links that the program starts to manage. Quarterdeck reads a link only if the program manages it, so no preview
 * has shown their values. The state records them now: the next preview shows them, and the next `pulumi up` may replace them.
 */
function firstReadError(
  context: ObjectContext,
  records: Records,
  current: Observation,
  now: Model,
  names: readonly string[],
  error: ConflictError,
): Error {
  const shown = Object.fromEntries(names.map((name) => [name, now[name]]));
  const shownRecord: Records = { ...records, observed: { ...records.observed, ...shown } };
  return partial(context, shownRecord, records.lastApplied, current.body, error);
}

/** Logs the changes that cause no conflict. Their author is unknown: they may come from our own write, not read until now. */
function logCarriedOn(context: ObjectContext, records: Records, current: Observation, now: Model): void {
  const moved = differencesIn(context.definition, records.observed, now);
  const secrets = () => secretMapOf(context.definition, records.lastApplied, context.redactor);
  const isNewIndex = current.revision !== records.revision;
  const index = `index ${records.revision ?? "none"} → ${current.revision ?? "none"}`;
  const what = [
    ...moved.slice(0, MOST_NAMED).map(({ path }) => formatPath(secrets().shownPath(path))),
    ...(moved.length > MOST_NAMED ? [`${moved.length - MOST_NAMED} more`] : []),
    ...(isNewIndex ? [index] : []),
  ];
  const { alsoMovedBy } = context.definition.life.check ?? {};
  if (what.length === 0) return;
  const isOnlyIndex = moved.length === 0 && alsoMovedBy !== undefined;
  const text = isOnlyIndex
    ? `only the index of the object changed (${index}): ${alsoMovedBy}`
    : `only unmanaged properties changed, or the change was already applied (${what.join(", ")})`;
  context.log("info", `${text}; continuing`, {
    ...(isOnlyIndex && { changedBy: "unknown" }),
    properties: propertiesOf(moved),
  });
}

const MOST_NAMED = 5;

/** Someone else's changes to managed values since the last recorded read. */
export function conflictsSince(
  definition: Definition,
  records: Records,
  inputs: KnownInputs,
  now: Model,
): Difference[] {
  return conflictsIn(definition, comparisonOf(definition, records, inputs), now);
}

/** The conflict error of a step. */
export function conflict(
  context: ObjectContext,
  records: Records,
  inputs: KnownInputs,
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
  context: ObjectContext,
  { records, inputs }: Pick<PostWrite, "records" | "inputs">,
  found: Observation,
  conflicts: readonly Difference[],
  ownWrite: NonNullable<ConflictDetails["ownWrite"]> = "applied",
): void {
  if (conflicts.length === 0) return;
  const error = conflict(context, records, inputs, found, conflicts, { ownWrite });
  if (inputs.onConflict !== "overwrite") throw error;
  logOverwrite(context, error);
}

/** Warns before the program overwrites changes. Without a write of its own, it reports no outcome: the write follows. */
function logOverwrite(context: ObjectContext, { warning, details, facts }: ConflictError): void {
  const { outcome, ...changes } = facts;
  context.log("warning", warning, details.ownWrite === "applied" ? facts : changes);
}

/**
 * The error for an object that provably no longer exists.
 * @param isSent true if this step has already sent a write
 */
export function goneError(context: ObjectContext, address: Address, isSent: boolean): GoneError {
  const { service, life } = context.definition;
  return new GoneError(context.name(address), deletionProofOf(service, life.reads).evidence, isSent);
}
