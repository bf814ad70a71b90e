import type { Change } from "../compare/changes";
import { restoredValue } from "../compare/comparison";
import { isAdditive } from "../compare/entries";
import { withoutEmptied, writeOnlyRivals } from "../compare/exclusive";
import { ownFields, writtenForm } from "../compare/forms";
import { decode, encode, modelOfBody, plainModel } from "../compare/model";
import { type DefinitionBase, type Field, fieldsOf } from "../language/fields";
import type { Values } from "../language/object";
import type { Definition } from "../language/resource";
import { isSent } from "../language/role";
import { brokenRules } from "../language/rules";
import type { Body, Link } from "../language/writes";
import { isObject, type Json } from "../value/json";
import { memoByObject } from "../value/memo";
import { known } from "../value/unknown";

/** The body that creates an object: everything that the program wrote, and those of the links that travel with it. */
export function bodyForCreate(definition: DefinitionBase, inputs: Values, links: readonly Link[] = []): Body {
  const own = withoutEmptied(definition, inputs);
  const withCreate = new Set(links.filter((link) => link.isCreatedWith).map((link) => link.field));
  const fields = [
    ...travelling(definition),
    ...fieldsOf(definition).filter(({ name }) => withCreate.has(name)),
  ];
  return assembled(
    fields.flatMap((field) => {
      const written = writtenWhole(definition, field, own);
      return entry(written.field, written.value);
    }),
  );
}

/**
 * The body of an update. Where the service merges, it carries what changed (and what it would otherwise
 * reset); where it replaces, everything: what the program writes, what is restored, and what others manage as
 * it was just read.
 */
export function bodyForUpdate(
  definition: Definition,
  inputs: Values,
  changes: readonly Change[],
  current: { readonly [member: string]: Json },
): Body {
  const changed = new Set(changes.map((change) => change.path[0]));
  const allowed = restoredWithin(definition, inputs, changed);
  const unseen = new Set(writeOnlyRivals(definition, inputs, changed, current).map(({ name }) => name));
  const entries = travelling(definition).flatMap((property) => {
    const { field, value } = writtenWhole(definition, property, inputs);
    if (unseen.has(field.name)) return allowed(field);
    if (definition.life.writes.sends === "whole") {
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
  return assembled(entries);
}

/** What others manage, as it was just read, in the spelling in which it travels. */
function currentEntry(
  field: Field,
  current: { readonly [member: string]: Json },
): (readonly [Field, Json])[] {
  return entry(field, decode(field, current[field.wire]));
}

/** The same, unless a rule forbids it beside what the program writes and what else the object will hold. */
function resentEntry(
  definition: Definition,
  field: Field,
  { inputs, changed, current }: { inputs: Values; changed: ReadonlySet<unknown>; current: Body },
): (readonly [Field, Json])[] {
  const answered = decode(field, current[field.wire]);
  if (answered === undefined) return [];
  const othersValues = Object.entries(plainModel(modelOfBody(definition, current, inputs))).filter(
    ([name]) => name !== field.name && !changed.has(name),
  );
  const beside = { ...Object.fromEntries(othersValues), ...inputs };
  const broken = newlyBroken(definition, beside, { ...beside, [field.name]: answered });
  return broken.length === 0 ? currentEntry(field, current) : [];
}

/** The rules that hold for the inputs before and are broken by those after. */
function newlyBroken(definition: Definition, before: Values, after: Values) {
  const rules = definition.rules ?? [];
  const already = new Set(brokenRules(rules, before).map(({ rule }) => rule));
  return brokenRules(rules, after)
    .map(({ rule }) => rule)
    .filter((rule) => !already.has(rule));
}

/**
 * Only the members of an object that changed, and those that must go along: as they were read, if the program writes none
 * of them.
 */
function changedMembers(field: Field, value: Json, changes: readonly Change[], current: Body) {
  if (!isObject(value)) return entry(field, value);
  const own = changes.filter((change) => change.path[0] === field.name);
  if (own.some((change) => change.path.length === 1)) return entry(field, value);
  const members: { [name: string]: Json } = {};
  const { sentTogether = [] } = field.facts;
  const there = decode(field, current[field.wire]);
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

/** A list to which others may add goes out with theirs. */
function mergedValue(field: Field, value: Json, inputs: Values, changes: readonly Change[]): Json {
  const change = changes.find((candidate) => candidate.path[0] === field.name);
  return isAdditive(field, inputs) && change?.to !== undefined ? known(change.to) : value;
}

/**
 * Restored values that break one of the program's own rules are left out, or sent empty where the service
 * merges: the program asked for the other side of the pair.
 */
function restoredWithin(definition: Definition, inputs: Values, changed: ReadonlySet<unknown>) {
  const dropped = fieldsOf(definition).filter(
    (field) => changed.has(field.name) && (inputs[field.name] === undefined || inputs[field.name] === null),
  );
  const restored = Object.fromEntries(
    dropped.flatMap((field) => {
      const value = restoredValue(field);
      return value === undefined ? [] : [[field.name, value]];
    }),
  );
  const broken = newlyBroken(definition, inputs, { ...inputs, ...restored });
  const forbidden = new Set(broken.flatMap((rule) => rule.reads.map((name) => name.split(".")[0])));
  return (field: Field): (readonly [Field, Json])[] => {
    const { facts } = field;
    if (forbidden.has(field.name))
      return definition.life.writes.sends === "merge" && facts.empty !== undefined
        ? [[field, facts.empty]]
        : [];
    const value = facts.default ?? facts.empty;
    if (value === undefined) return [];
    return [[field, value === null ? null : encode(field, value)]];
  };
}

/** The properties that travel in the body. */
const travelling = memoByObject((definition: DefinitionBase): readonly Field[] =>
  ownFields(definition).filter(({ facts }) => isSent(facts)),
);

/** The form in which a property is written, and its value: all of it is known, or nothing is sent. */
function writtenWhole(
  definition: DefinitionBase,
  property: Field,
  inputs: Values,
): { field: Field; value?: Json } {
  const written = writtenForm(definition, property, inputs);
  return written === undefined ? { field: property } : { field: written.field, value: known(written.value) };
}

function entry(field: Field, value: Json | undefined): (readonly [Field, Json])[] {
  return value === undefined || value === null ? [] : [[field, encode(field, value)]];
}

function assembled(entries: readonly (readonly [Field, Json])[]): Body {
  // A document's own members may have any name.
  const body = new Map<string, Json>();
  for (const [field, value] of entries) {
    if (field.wire !== ".") body.set(field.wire, value);
    else if (isObject(value))
      for (const [name, member] of Object.entries(value)) body.set(name, body.get(name) ?? member);
  }
  return Object.fromEntries(body);
}
