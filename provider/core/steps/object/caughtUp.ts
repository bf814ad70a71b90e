import type { Change } from "../../compare/changes";
import { restoredValue } from "../../compare/comparison";
import { isAdditive, isHollow } from "../../compare/entries";
import { ownFields, writtenForm } from "../../compare/forms";
import { type Model, modelOfBody, modelOfInputs } from "../../compare/model";
import { changesThatHold, withChanges } from "../../compare/movements";
import { predicted } from "../../compare/response";
import type { Field } from "../../language/fields";
import type { Observation, Values } from "../../language/object";
import type { Definition } from "../../language/resource";
import { isLink } from "../../language/role";
import type { Records } from "../../state/records";
import { selected } from "../../value/aside";
import { same } from "../../value/equality";
import type { Json } from "../../value/json";
import { valueAt } from "../../value/path";
import { plannedChanges } from "../planned";
import { holdsWrite, isAllOurs, isUntouched, ofObject } from "./dropped";

/**
 * Records whose last write could not be read back, once the object can be read. Where the service's indexes prove
 * that nobody wrote since, what it holds is the answer to that write. Else only what was written and what was seen
 * before is known, and everything new shows like any other movement.
 */
export function caughtUp(definition: Definition, records: Records, current: Observation): Records {
  if (records.attempted !== undefined) return withLateWrite(definition, records, records.attempted, current);
  if (!records.unread) return records;
  const { unread: _, ...rest } = records;
  const now = modelOfBody(definition, current.body, records.applied);
  const isAnswer = isLastWrite(definition, records, current);
  // Nobody wrote since: whatever it holds, and however it spells that, is the answer.
  if (isAnswer) return { ...rest, settled: now, seen: now };
  const expected = predicted(definition, records.applied, records.seen, now, current.address);
  const written = ownFields(definition).filter(
    (field) =>
      writtenForm(definition, field, records.applied) !== undefined &&
      !isLink(field.facts) &&
      !isAdditive(field, records.applied),
  );
  const model = { ...records.seen, ...Object.fromEntries(written.map(({ name }) => [name, expected[name]])) };
  return { ...rest, settled: model, seen: model };
}

/**
 * Records with a write of ours of which nobody knew whether it was carried out. What holds all of it was written by us,
 * late as it may have come. Where others have moved something since, each value of it that is there counts as ours.
 */
function withLateWrite(
  definition: Definition,
  records: Records,
  attempted: Values,
  current: Observation,
): Records {
  const now = modelOfBody(definition, current.body, attempted);
  const isDone =
    !isUntouched(definition, records, current) && holdsWrite(definition, records, attempted, current);
  if (!isDone) {
    // Of a link that was open no request was sent.
    const held = changesThatHold(now, ofObject(plannedChanges(definition, records, attempted)));
    return { ...records, settled: withChanges(records.settled, held), seen: withChanges(records.seen, held) };
  }
  // Nobody has seen its answer.
  const { attempted: _, receipt: __, ...rest } = records;
  const changes = plannedChanges(definition, records, attempted);
  const isWhole = isAllOurs(definition, { records, inputs: attempted, changes }, current);
  const made = isWhole ? now : predicted(definition, attempted, records.seen, now, current.address);
  // What it only left out may be anything by now: another value than its default is whoever's, and shows as moved.
  const written = modelOfInputs(definition, attempted);
  const open = changes.filter(
    ({ path, field }) => valueAt(written, path) === undefined && !isBack(field, valueAt(now, path)),
  );
  const ours = withChanges(
    { ...made, ...untold(definition, records, written, changes) },
    open.map((change) => ({ ...change, to: valueAt(records.seen, change.path) })),
  );
  // Where nothing else moved, the index moved with our write, too.
  const token = isWhole ? current.token : records.token;
  const applied = butForLinks(definition, attempted, records.applied);
  return { ...rest, applied, settled: ours, seen: ours, ...(token !== undefined && { token }) };
}

/** What a write did not carry, as it was seen before it: whatever stands there now came from somebody else, and was never shown. */
function untold(
  definition: Definition,
  { seen }: Records,
  written: Model,
  changes: readonly Change[],
): Model {
  const carried = new Set(changes.map(({ field }) => field.name));
  const others = ownFields(definition).filter(
    ({ name, facts }) =>
      // Of a link that was open no request was sent.
      isLink(facts) || (written[name] === undefined && !carried.has(name)),
  );
  return Object.fromEntries(others.map(({ name }) => [name, seen[name]]));
}

/** Whether a property that was left out is what leaving it out comes to, as far as that is known; documents know by themselves. */
function isBack(field: Field, now: Json | undefined): boolean {
  const { document, default: usual, empty } = field.facts;
  if (document !== undefined || isLink(field.facts) || now === undefined) return true;
  const isUnknown = usual === undefined && empty === undefined;
  return isUnknown ? isHollow(field, now) : same(restoredValue(field), now);
}

/** Links have requests of their own, which come after the write: of one that was open none was sent. */
function butForLinks({ life: { links } }: Definition, attempted: Values, applied: Values): Values {
  const isOfLink = (name: string) => links.some(({ field }) => field === name);
  // What goes along with the inputs is the attempted write's.
  return { ...selected(applied, isOfLink), ...selected(attempted, (name) => !isOfLink(name)) };
}

function isLastWrite({ life: { check } }: Definition, { token }: Records, { body }: Observation): boolean {
  if (check?.proof === "repeated") return check.isUntouched(body);
  return token !== undefined && (check?.isStill(token, body) ?? false);
}
