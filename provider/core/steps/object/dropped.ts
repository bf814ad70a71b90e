import type { Change } from "../../compare/changes";
import { differencesIn } from "../../compare/comparison";
import { isHollow, sameAt } from "../../compare/entries";
import { missingPaths } from "../../compare/missing";
import { type Model, modelOfBody, modelOfInputs } from "../../compare/model";
import { changesThatHold } from "../../compare/movements";
import { predicted } from "../../compare/response";
import type { Observation, Values } from "../../language/object";
import type { Definition } from "../../language/resource";
import { isLink, isSteering } from "../../language/role";
import { bodyForUpdate } from "../../requests/body";
import { ordinaryModel } from "../../state/outputs";
import type { Records } from "../../state/records";
import { isObject, type Json } from "../../value/json";
import { type Path, valueAt } from "../../value/path";
import { plannedChanges } from "../planned";

/** Changes that the service hears of. */
export function sending(changes: readonly Change[]): Change[] {
  return changes.filter(({ field }) => !isSteering(field.facts));
}

/** Changes for which the object itself is written: a link has writes of its own. */
export function ofObject(changes: readonly Change[]): Change[] {
  return changes.filter(({ field }) => !isLink(field.facts));
}

/** Whether nothing was written since the records, where the service says so. */
export function isUntouched({ life }: Definition, records: Records, current: Observation): boolean {
  return life.check !== undefined && current.token === records.token;
}

/** Whether the service holds everything of a write: nothing is missing, and what was dropped has gone back. */
export function holdsWrite(
  definition: Definition,
  records: Records,
  inputs: Values,
  current: Observation,
): boolean {
  return (
    missingPaths(definition, inputs, current).length === 0 && isRid(definition, records, inputs, current)
  );
}

/** The same, and something of it was not there before, so that somebody has written it. */
export function showsWrite(
  definition: Definition,
  records: Records,
  inputs: Values,
  current: Observation,
): boolean {
  const changes = sending(plannedChanges(definition, records, inputs));
  const now = modelOfBody(definition, current.body, inputs);
  return holdsWrite(definition, records, inputs, current) && changesThatHold(now, changes).length > 0;
}

/**
 * Whether a write whose check was lost to another one was lost to itself, because something on the way sent it twice: the
 * service holds all of it, and nothing else moved but what the service adds to blocks that are written anew.
 */
export function isSentTwice(
  definition: Definition,
  { records, inputs, changes }: { records: Records; inputs: Values; changes: readonly Change[] },
  current: Observation,
): boolean {
  if (isUntouched(definition, records, current) || !holdsWrite(definition, records, inputs, current))
    return false;
  return isAllOurs(definition, { records, inputs, changes }, current);
}

/** Whether nothing else moved beside a write that the service holds, but what it adds to blocks that are written anew. */
export function isAllOurs(
  definition: Definition,
  { records, inputs, changes }: { records: Records; inputs: Values; changes: readonly Change[] },
  current: Observation,
): boolean {
  const now = modelOfBody(definition, current.body, inputs);
  const others = differencesIn(
    definition,
    predicted(definition, inputs, records.seen, now, current.address),
    now,
  );
  // What is there no more no program writes: the whole was replaced.
  return others.every(({ path, to }) => to === undefined || isInNewBlock(path, records, changes));
}

/** Whether a path is in a block that was not there before, and of which the program writes something. */
function isInNewBlock(path: Path, { seen }: Records, changes: readonly Change[]): boolean {
  const depth = path.findIndex((_, index) => valueAt(seen, path.slice(0, index + 1)) === undefined);
  const block = path.slice(0, depth + 1);
  return depth >= 0 && changes.some((change) => block.every((part, index) => part === change.path[index]));
}

/**
 * Whether everything that the program dropped, and that has a value to go back to, has gone back: that the object lacks
 * nothing that the program writes does not tell it. A token that moved does not, either: what is written over with the
 * same, and what the service keeps of its own, moves it, too.
 */
function isRid(definition: Definition, records: Records, inputs: Values, current: Observation): boolean {
  if (definition.life.check) return hasLeft(definition, records, inputs, current);
  if (!isSwitched(definition, records, inputs, current)) return false;
  const seen = modelOfBody(definition, current.body, inputs);
  if (!isWitnessed(definition, records, inputs, seen)) return false;
  const desired = modelOfInputs(definition, inputs);
  const left = sending(plannedChanges(definition, { ...records, seen }, inputs));
  const changes = sending(plannedChanges(definition, records, inputs));
  // A rule may have kept it out, beside what the program writes in its place.
  const sent = bodyForUpdate(definition, inputs, changes, current.body);
  return left.every(({ path, field, to }) => {
    // What is emptied by a null goes back to nothing, and that shows; so does what is dropped from a map or a list.
    const isInside = path.length > 1;
    const hasNoWayBack = to === undefined && !isInside && field.facts.empty !== null;
    const [before, now] = [records.seen, seen].map((model) => valueAt(model, path));
    const written = valueAt(desired, path);
    if (hasNoWayBack || isLink(field.facts)) return true;
    // A map that holds what the program writes may hold what it dropped, too.
    if (written !== undefined) return !isObject(written) || !sameAt(field, path, before, now);
    if (!(field.wire in sent)) return true;
    // Of what says nothing, and its absence, nobody can tell.
    return (isInside && isHollow(field, before, path.slice(1))) || !sameAt(field, path, before, now);
  });
}

/**
 * Whether nothing that the program dropped is still as it was; of what says nothing, and its absence, nobody can tell, and
 * what is the service's own value goes back to just that.
 */
function hasLeft(definition: Definition, records: Records, inputs: Values, current: Observation): boolean {
  const now = modelOfBody(definition, current.body, inputs);
  const written = ordinaryModel(definition, now, definition.life.reads);
  return sending(plannedChanges(definition, records, inputs)).every(({ field, path, to }) => {
    const before = valueAt(records.seen, path);
    const isLeft = !sameAt(field, path, before, valueAt(now, path)) || valueAt(written, path) === undefined;
    return to !== undefined || isHollow(field, before, path.slice(1)) || isLeft;
  });
}

/** Whether the service shows nothing of an update, because all that it changes is written and never shown. */
export function isBlind(definition: Definition, records: Records, inputs: Values): boolean {
  const changes = sending(plannedChanges(definition, records, inputs));
  return changes.length > 0 && changes.every(({ field }) => field.facts.writeOnly !== undefined);
}

/**
 * Whether something shows of an update that writes what the service never shows (a key): of all that it writes at once, one
 * part that can be seen has become what was written.
 */
function isWitnessed(definition: Definition, records: Records, inputs: Values, seen: Model): boolean {
  const changes = sending(plannedChanges(definition, records, inputs));
  if (changes.every(({ field }) => field.facts.writeOnly === undefined)) return true;
  return changes.some(
    ({ path, field }) =>
      field.facts.writeOnly === undefined &&
      !sameAt(field, path, valueAt(records.seen, path), valueAt(seen, path)),
  );
}

/**
 * Whether every switch that is sent along for what the program dropped shows as it is sent. What it switches may look the
 * same before and after: a mode of its own, and the organization's.
 */
function isSwitched(
  { life }: Definition,
  { applied }: Records,
  inputs: Values,
  { body }: Observation,
): boolean {
  const along = life.writes.completes?.({}, { inputs, applied, current: body }) ?? {};
  return isShownAs(along, body);
}

function isShownAs(sent: Json, shown: Json | undefined): boolean {
  if (typeof sent === "boolean") return typeof shown !== "boolean" || sent === shown;
  if (!isObject(sent) || !isObject(shown)) return true;
  return Object.entries(sent).every(([name, member]) => isShownAs(member, shown[name]));
}
