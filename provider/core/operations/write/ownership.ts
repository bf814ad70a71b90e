// Whether what the service holds comes from a write of ours.

import { type Model, modelOfBody, modelOfInputs, plainModel } from "../../diff/models";
import { isDeepEmpty, sameAt } from "../../diff/normalize";
import { predict } from "../../diff/predict";
import { changesShown, differencesIn, missingIn } from "../../diff/queries";
import type { Observation } from "../../language/object";
import type { ObjectContext } from "../../language/resource";
import { isLink } from "../../language/role";
import { bodyForUpdate } from "../../requests/body";
import type { ProbedObject, ProbeRead } from "../../requests/probe";
import { stillHolds, type Write } from "../../requests/write";
import { diffUpdate, type RecordedObject, type UpdateDiff } from "../../state/changes";
import { ordinaryModel } from "../../state/outputs";
import { equalJson, isObject, type Json } from "../../value/json";
import { type Path, valueAt } from "../../value/path";

/** True if the service's revision shows that no one has written the object since the records. */
export function isRevisionUnchanged(
  { definition: { life }, records }: UpdateDiff,
  current: Observation,
): boolean {
  return life.check !== undefined && current.revision === records.revision;
}

/** True if the service holds everything of an update: no value is missing, and every removal took effect. */
export function holdsUpdate(diff: UpdateDiff, current: Observation): boolean {
  const { definition, inputs } = diff;
  return missingIn(definition, inputs, current).length === 0 && removalsApplied(diff, current);
}

/** True if the service holds everything of an update, and a part of it is new, so that someone has written it. */
export function showsUpdate(diff: UpdateDiff, current: Observation): boolean {
  const now = modelIn(diff, current);
  return holdsUpdate(diff, current) && changesShown(now, diff.remote).length > 0;
}

/** True if an update whose precondition failed was delivered twice: the service holds it, and nothing else changed. */
export function isDeliveredTwice(diff: UpdateDiff, current: Observation): boolean {
  return (
    !isRevisionUnchanged(diff, current) && holdsUpdate(diff, current) && hasNoForeignChanges(diff, current)
  );
}

/** True if nothing changed beside an update that the service holds, except additions of the service to new blocks. */
export function hasNoForeignChanges(diff: UpdateDiff, current: Observation): boolean {
  const { definition, inputs, records } = diff;
  const now = modelIn(diff, current);
  const expected = predict(definition, inputs, records.observed, now, current.address);
  // Vanished values are explained by a replacement of the whole object.
  return differencesIn(definition, expected, now).every(
    ({ path, theirs }) => theirs === undefined || isInNewBlock(path, diff),
  );
}

/** True if the service shows nothing of an update, because it writes only values that are never shown. */
export function isUnobservable({ remote }: UpdateDiff): boolean {
  return remote.length > 0 && remote.every(({ field }) => field.facts.writeOnly !== undefined);
}

const modelIn = ({ definition, inputs }: UpdateDiff, { body }: Observation) =>
  modelOfBody(definition, body, inputs);

/** True if a path is in a block that did not exist before, and in which the program writes something. */
function isInNewBlock(path: Path, { records: { observed }, main }: UpdateDiff): boolean {
  const depth = path.findIndex((_, index) => valueAt(observed, path.slice(0, index + 1)) === undefined);
  const block = path.slice(0, depth + 1);
  return depth >= 0 && main.some((change) => block.every((part, index) => part === change.path[index]));
}

/**
 * True if all removals took effect. It does not follow from the presence of every written value, nor from a new revision: a
 * write of equal values and the service itself change the revision, too.
 */
function removalsApplied(diff: UpdateDiff, current: Observation): boolean {
  const { definition, records, inputs, remote } = diff;
  if (definition.life.check) return removalsVisible(diff, current);
  const seen = modelIn(diff, current);
  if (!areFlagsVisible(diff, current.body) || !hasWitness(diff, seen)) return false;
  const desired = modelOfInputs(definition, inputs);
  // A rule may have left a property out of the body, in favor of another one that the program writes.
  const sent = bodyForUpdate(definition, inputs, remote, current.body);
  return diffUpdate(diff.context, { ...records, observed: seen }, inputs).remote.every(
    ({ path, field, to }) => {
      const isInside = path.length > 1;
      // A property that null clears becomes absent, and that shows. So does a removed entry of a map or a list.
      const hasNoWayBack = to === undefined && !isInside && field.facts.empty !== null;
      if (hasNoWayBack || isLink(field.facts)) return true;
      const [before, now] = [records.observed, seen].map((model) => valueAt(model, path));
      const written = valueAt(desired, path);
      // A map can hold the written entries and still the removed ones.
      if (written !== undefined) return !isObject(written) || !sameAt(field, path, before, now);
      if (!(field.wire in sent)) return true;
      // Empty and absent look the same in a response.
      return (isInside && isDeepEmpty(field, before, path.slice(1))) || !sameAt(field, path, before, now);
    },
  );
}

/** True if no removed value is still as it was. Empty and absent look the same, and a default of the service may come back. */
function removalsVisible(diff: UpdateDiff, current: Observation): boolean {
  const { definition, records, remote } = diff;
  const now = modelIn(diff, current);
  const written = ordinaryModel(definition, now, definition.life.reads);
  return remote.every(({ field, path, to }) => {
    const before = valueAt(records.observed, path);
    const isVisible =
      !sameAt(field, path, before, valueAt(now, path)) || valueAt(written, path) === undefined;
    return to !== undefined || isDeepEmpty(field, before, path.slice(1)) || isVisible;
  });
}

/** True if an update of a value that is never shown (a key) shows in another value that it writes at the same time. */
function hasWitness({ records, remote }: UpdateDiff, seen: Model): boolean {
  const visible = remote.filter(({ field }) => field.facts.writeOnly === undefined);
  if (visible.length === remote.length) return true;
  return visible.some(
    ({ path, field }) => !sameAt(field, path, valueAt(records.observed, path), valueAt(seen, path)),
  );
}

/**
 * True if the object shows that every flag that resets a property took effect: it had another value before. The property
 * itself may look the same before and after: an execution mode of the workspace, and the same one of its organization.
 */
export function areFlagsVisible(object: RecordedObject, body: Observation["body"]): boolean {
  const { context, records, inputs } = object;
  const { definition } = context;
  const { lastApplied, observed } = records;
  const flags =
    definition.life.writes.inheritance?.flags({ inputs, applied: lastApplied, current: body }) ?? {};
  if (Object.keys(flags).length === 0) return true;
  // A server that does not store flags may return them with one value, whatever was sent.
  return (
    contains(body, flags) &&
    !contains(plainModel(observed), plainModel(modelOfBody(definition, flags, inputs)))
  );
}

/** True if a value contains all of these members. */
function contains(value: Json | undefined, members: Json): boolean {
  if (!isObject(members)) return equalJson(value ?? null, members);
  return isObject(value) && Object.entries(members).every(([name, member]) => contains(value[name], member));
}

/**
 * Whether an object that a probe found is the result of the write, although it holds more. If the product accepts an equal
 * write with the earlier revision (`repeated`), the write is replayed: the service accepts it only if it added the other
 * values itself. Otherwise nobody can be asked: a service with a check reports such values as unproven.
 * @param isHeld true if the object holds all written values, which decides if the service cannot be asked
 */
export async function probeAuthorship(
  context: ObjectContext,
  write: Write,
  found: Observation,
  isHeld: boolean,
): Promise<ProbeRead<ProbedObject>> {
  const { check } = context.definition.life;
  if (check?.proof !== "repeated")
    return { isApplied: isHeld, found: check ? { ...found, isUnproven: true } : found };
  const holds = await stillHolds(context, write, found);
  if (holds ?? isHeld) return { isApplied: true, found: holds ? found : { ...found, isUnproven: true } };
  return { isApplied: false, found, isPerhapsOurs: holds === undefined };
}
