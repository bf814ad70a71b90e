import { type Model, modelOfBody } from "../diff/models";
import { differencesIn } from "../diff/queries";
import type { Difference } from "../diff/threeWay";
import type { Observation } from "../language/object";
import { conflictsSince, type RecordedObject, unreadLinks } from "../state/changes";
import { type ConflictError, propertiesOf } from "../state/errors";
import { pendingInputs, type Records } from "../state/records";
import { secretMapOf } from "../state/redaction";
import { pick } from "../value/json";
import { formatPath, lookUp } from "../value/path";
import { sameInDocument } from "../value/scalar";
import { conflict, logOverwrite, type OwnWrite } from "./conflicts";
import { resolvePending } from "./write/pending";
import { partial } from "./write/result";

/** Returns the records with the object as just read, after a check that no one else changed a managed value. */
export function reconcile(before: RecordedObject, current: Observation, own: OwnWrite = {}): Records {
  const { context, inputs } = before;
  const { definition } = context;
  const now = modelOfBody(definition, current.body, inputs);
  const records =
    before.records.pending === undefined ? before.records : resolvePending(context, before.records, current);
  const object = { context, records, inputs };
  const all = conflictsSince(definition, records, inputs, now);
  const conflicts = context.step === "delete" ? all.filter((one) => !helpsDelete(one)) : all;
  if (conflicts.length === 0) logCarriedOn(object, current, now);
  else {
    const properties = new Set(conflicts.map(({ path: [name] }) => name));
    const names = unreadLinks(definition, records).filter((name) => properties.has(name));
    const error = conflict(object, current, conflicts, {
      isFirstLook: conflicts.every(({ path }) => names.includes(String(path[0]))),
      isPerhapsOurs: pendingInputs(before.records) !== undefined,
      ...own,
    });
    if (inputs.onConflict !== "overwrite")
      throw names.length === 0 ? error : firstReadError(object, current, now, names, error);
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
  { context, records }: RecordedObject,
  { body }: Observation,
  now: Model,
  names: readonly string[],
  reason: ConflictError,
): Error {
  const observed = { ...records.observed, ...pick(now, new Set(names)) };
  return partial(context, { ...records, observed }, { reason, body });
}

const MOST_NAMED = 5;

/** Logs the changes that cause no conflict. Their author is unknown: they may come from our own write, not read until now. */
function logCarriedOn({ context, records }: RecordedObject, current: Observation, now: Model): void {
  const moved = differencesIn(context.definition, records.observed, now);
  const secrets = () => secretMapOf(context.definition, records.lastApplied, context.redactor);
  const isNewIndex = current.revision !== records.revision;
  const index = `index ${records.revision ?? "none"} → ${current.revision ?? "none"}`;
  const what = [
    ...moved.slice(0, MOST_NAMED).map(({ path }) => formatPath(secrets().shownPath(path))),
    ...(moved.length > MOST_NAMED ? [`${moved.length - MOST_NAMED} more`] : []),
    ...(isNewIndex ? [index] : []),
  ];
  const { alsoChangedBy } = context.definition.life.check ?? {};
  if (what.length === 0) return;
  const isOnlyIndex = moved.length === 0 && alsoChangedBy !== undefined;
  const text = isOnlyIndex
    ? `only the index of the object changed (${index}): ${alsoChangedBy}`
    : `only unmanaged properties changed, or the change was already applied (${what.join(", ")})`;
  context.log("info", `${text}; continuing`, {
    ...(isOnlyIndex && { changedBy: "unknown" }),
    properties: propertiesOf(moved),
  });
}
