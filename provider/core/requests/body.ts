import { rivalsOf } from "../diff/exclusive";
import { ownFields, writtenForm } from "../diff/forms";
import { decodeField, encode, modelOfBody, plainModel, restoredValue } from "../diff/models";
import type { Change } from "../diff/threeWay";
import { isAdditive } from "../diff/walk";
import { type DefinitionBase, type Field, fieldsOf } from "../language/fields";
import type { Values } from "../language/object";
import type { Definition } from "../language/resource";
import { isSent } from "../language/role";
import { brokenRules } from "../language/rules";
import type { Body, Link } from "../language/writes";
import { isObject, type Json } from "../value/json";
import { memoByObject } from "../value/memo";
import { asKnown } from "../value/unknown";

/** The body that creates an object: all values that the program wrote, including links that the create request contains. */
export function bodyForCreate(definition: DefinitionBase, inputs: Values, links: readonly Link[] = []): Body {
  const own = rivalsOf(definition)?.withoutEmptied(inputs) ?? inputs;
  const withCreate = new Set(links.filter((link) => link.isCreatedWith).map((link) => link.field));
  const fields = [
    ...traveling(definition),
    ...fieldsOf(definition).filter(({ name }) => withCreate.has(name)),
  ];
  return assembleBody(
    fields.flatMap((field) => {
      const written = completeValueOf(definition, field, own);
      return entry(written.field, written.value);
    }),
  );
}

/**
 * The body of an update. If the endpoint merges, the body contains the changes, and values that the server would otherwise
 * reset. If the endpoint replaces, it contains everything: the program's values, the restored values, and the values that
 * others manage, as just read.
 */
export function bodyForUpdate(
  definition: Definition,
  inputs: Values,
  changes: readonly Change[],
  current: Body,
): Body {
  const changed = new Set(changes.map((change) => change.path[0]));
  const allowed = restoreByRules(definition, inputs, changed);
  const rivals = rivalsOf(definition)?.writeOnly(inputs, changed, current) ?? [];
  const unseen = new Set(rivals.map(({ name }) => name));
  const entries = traveling(definition).flatMap((property) => {
    const { field, value } = completeValueOf(definition, property, inputs);
    if (unseen.has(field.name)) return allowed(field);
    if (definition.life.writes.semantics === "replace") {
      if (value !== undefined) return entry(field, value);
      if (changed.has(field.name)) return allowed(field);
      return field.facts.writeOnly ? [] : currentEntry(field, current);
    }
    const { resetsWhenOmitted, everyWrite, writeOnly, sentWith } = field.facts;
    const goesAlong = sentWith?.some((name) => changed.has(name)) ?? false;
    const always = resetsWhenOmitted || everyWrite || writeOnly === "every-write" || goesAlong;
    if (!changed.has(field.name)) {
      if (!always) return [];
      if (value !== undefined) return entry(field, value);
      return resetsWhenOmitted ? resentEntry(definition, field, { inputs, changed, current }) : [];
    }
    const isInside = changes.some(({ path: [name], path }) => name === field.name && path.length > 1);
    if (value === undefined && !isInside) return allowed(field);
    return field.children
      ? changedMembers(field, value ?? {}, changes, current)
      : entry(field, mergedValue(field, value ?? null, inputs, changes));
  });
  return assembleBody(entries);
}

/** True if an update of this endpoint repeats values that others manage, because the endpoint replaces the object. */
export function repeatsOthersValues(
  definition: Definition,
  inputs: Values,
  changes: readonly Change[],
): boolean {
  if (definition.life.writes.semantics !== "replace") return false;
  const changed = new Set(changes.map((change) => change.path[0]));
  return traveling(definition).some((property) => {
    const { field, value } = completeValueOf(definition, property, inputs);
    const { writeOnly, document } = field.facts;
    return value === undefined && !changed.has(field.name) && !writeOnly && !document;
  });
}

/** A value that others manage, as just read and in the form that is sent. */
function currentEntry(field: Field, current: Body): Entry[] {
  return entry(field, decodeField(field, current[field.wire]));
}

/** The same, unless the value would break a rule together with the program's values and the object's other values. */
function resentEntry(
  definition: Definition,
  field: Field,
  { inputs, changed, current }: { inputs: Values; changed: ReadonlySet<unknown>; current: Body },
): Entry[] {
  const answered = decodeField(field, current[field.wire]);
  if (answered === undefined) return [];
  const othersValues = Object.entries(plainModel(modelOfBody(definition, current, inputs))).filter(
    ([name]) => name !== field.name && !changed.has(name),
  );
  const beside = { ...Object.fromEntries(othersValues), ...inputs };
  const broken = newlyBroken(definition, beside, { ...beside, [field.name]: answered });
  return broken.length === 0 ? currentEntry(field, current) : [];
}

/** The rules that the second inputs break and the first do not. */
function newlyBroken(definition: Definition, before: Values, after: Values) {
  const rules = definition.rules ?? [];
  const already = new Set(brokenRules(rules, before).map(({ rule }) => rule));
  return brokenRules(rules, after)
    .map(({ rule }) => rule)
    .filter((rule) => !already.has(rule));
}

/**
 * Only the members of an object that changed, and those that must be sent with them. If the program writes none of these,
 * they are sent as read.
 */
function changedMembers(field: Field, value: Json, changes: readonly Change[], current: Body) {
  if (!isObject(value)) return entry(field, value);
  const own = changes.filter((change) => change.path[0] === field.name);
  if (own.some((change) => change.path.length === 1)) return entry(field, value);
  const members: { [name: string]: Json } = {};
  const { sentTogether = [] } = field.facts;
  const there = decodeField(field, current[field.wire]);
  const along = sentTogether.every((name) => value[name] === undefined) && isObject(there) ? there : value;
  for (const child of field.children ?? []) {
    const isChanged = own.some((change) => change.path[1] === child.name);
    const goesAlong = sentTogether.includes(child.name);
    if (!isChanged && !goesAlong) continue;
    const written = value[child.name] ?? (isChanged ? undefined : along[child.name]);
    const restored = child.facts.default ?? child.facts.empty;
    if (written !== undefined) members[child.name] = written;
    else if (restored !== undefined && isChanged) members[child.name] = restored;
  }
  return entry(field, members);
}

/** An additive list is sent together with the elements that others added. */
function mergedValue(field: Field, value: Json, inputs: Values, changes: readonly Change[]): Json {
  const change = changes.find((candidate) => candidate.path[0] === field.name);
  return isAdditive(field, inputs) && change?.to !== undefined ? asKnown(change.to) : value;
}

/**
 * Leaves out restored values that break one of the program's own rules, because the program chose the other side of the
 * pair. If the endpoint merges, these values are sent empty instead.
 */
function restoreByRules(definition: Definition, inputs: Values, changed: ReadonlySet<unknown>) {
  const dropped = fieldsOf(definition).filter(
    (field) => changed.has(field.name) && (inputs[field.name] === undefined || inputs[field.name] === null),
  );
  const restored = Object.fromEntries(
    dropped.flatMap((field) => {
      const value = restoredValue(field);
      return value === undefined ? [] : [[field.name, value]];
    }),
  );
  const isRestoring = Object.keys(restored).length > 0;
  const broken = isRestoring ? newlyBroken(definition, inputs, { ...inputs, ...restored }) : [];
  const forbidden = new Set(broken.flatMap((rule) => rule.reads.map((name) => name.split(".")[0])));
  return (field: Field): Entry[] => {
    const { empty } = field.facts;
    if (forbidden.has(field.name))
      return definition.life.writes.semantics === "merge" && empty !== undefined ? [[field, empty]] : [];
    const value = field.facts.default ?? empty;
    if (value === undefined) return [];
    return [[field, value === null ? null : encode(field, value)]];
  };
}

/** The properties that the body contains. */
const traveling = memoByObject((definition: DefinitionBase): readonly Field[] =>
  ownFields(definition).filter(({ facts }) => isSent(facts)),
);

/** The form in which a property is written, and its value. Unknown values are never sent. */
function completeValueOf(
  definition: DefinitionBase,
  property: Field,
  inputs: Values,
): { field: Field; value?: Json } {
  const written = writtenForm(definition, property, inputs);
  return written === undefined
    ? { field: property }
    : { field: written.field, value: asKnown(written.value) };
}

/** A property of a body, and its encoded value. */
type Entry = readonly [Field, Json];

function entry(field: Field, value: Json | undefined): Entry[] {
  return value === undefined || value === null ? [] : [[field, encode(field, value)]];
}

function assembleBody(entries: readonly Entry[]): Body {
  // A map, because the members of a document may have any name.
  const body = new Map<string, Json>();
  for (const [field, value] of entries) {
    if (field.wire !== ".") body.set(field.wire, value);
    else if (isObject(value))
      for (const [name, member] of Object.entries(value)) body.set(name, body.get(name) ?? member);
  }
  return Object.fromEntries(body);
}
