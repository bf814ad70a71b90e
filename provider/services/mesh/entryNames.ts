import { z } from "zod";
import { knownFactsOf } from "../../core/language/facts";
import { fieldNamed, unwrapped, wireName } from "../../core/language/fields";
import { isObject, type Json } from "../../core/value/json";
import { memoByObject } from "../../core/value/memo";
import { formatPath, type Path } from "../../core/value/path";

/** The members of every entry that are its address, or that only the server sets. */
export const NOT_MANAGED = [
  "Kind",
  "Name",
  "Namespace",
  "Partition",
  "CreateIndex",
  "ModifyIndex",
  "Hash",
  "Status",
] as const;

/** The members that every entry has beside those of its kind. */
const OF_EVERY_ENTRY: readonly string[] = [...NOT_MANAGED, "Meta"];

/** The schemas of the typed kinds, by the kind. They are loaded on demand, because each of them builds on the generic entry. */
function schemasByKind(): Readonly<Record<string, z.ZodType>> {
  const { typedKinds } = require("./kinds/all") as typeof import("./kinds/all");
  return schemasOf(typedKinds);
}

const schemasOf = memoByObject((kinds: typeof import("./kinds/all").typedKinds) =>
  Object.fromEntries(
    Object.entries(kinds).map(([kind, definition]) => [
      kind,
      fieldNamed(definition, "spec")?.schema ?? z.unknown(),
    ]),
  ),
);

/** Consul's decoder finds a member whatever the case of its name, and most of them in snake case. */
const folded = (name: string) => name.replaceAll("_", "").toLowerCase();

/** What is known of the members in one place of an entry: their names, and the schemas of each. */
interface Place {
  readonly names: ReadonlyMap<string, string>;
  readonly inside: ReadonlyMap<string, readonly z.ZodType[]>;
}

const placesBySchemas = new Map<string, Place>();
const ids = new WeakMap<z.ZodType, number>();
let lastId = 0;

function idOf(schema: z.ZodType): number {
  const found = ids.get(schema);
  if (found !== undefined) return found;
  lastId += 1;
  ids.set(schema, lastId);
  return lastId;
}

/** The members in a place at which these schemas are possible, as the wire has them. */
function placeOf(schemas: readonly z.ZodType[]): Place {
  const key = schemas.map(idOf).join(" ");
  const found = placesBySchemas.get(key);
  if (found !== undefined) return found;
  const inside = new Map<string, z.ZodType[]>();
  for (const schema of schemas) {
    if (!(schema instanceof z.ZodObject)) continue;
    for (const [name, member] of Object.entries(schema.shape as Record<string, z.ZodType>)) {
      const wire = knownFactsOf(member)?.wire ?? wireName(name, "pascal");
      inside.set(wire, [...(inside.get(wire) ?? []), unwrapped(member)]);
    }
  }
  const place = { inside, names: new Map([...inside.keys()].map((name) => [folded(name), name])) };
  placesBySchemas.set(key, place);
  return place;
}

/** The elements of lists; an object in the place of a list is its only element. */
function elementsOf(schemas: readonly z.ZodType[]): readonly z.ZodType[] {
  // zod types what is inside as its core type; lists and maps hold full schemas.
  return schemas.flatMap((schema) =>
    schema instanceof z.ZodArray ? [unwrapped(schema.element as z.ZodType)] : [],
  );
}

/** What is under the user's keys of a map. */
function entriesOf(schemas: readonly z.ZodType[]): readonly z.ZodType[] {
  return schemas.flatMap((schema) =>
    schema instanceof z.ZodRecord ? [unwrapped(schema.valueType as z.ZodType)] : [],
  );
}

/** An entry whose members have the names under which Consul stores them, in whichever spelling they are written. */
export function withStoredNames(entry: { readonly [member: string]: Json }): { [member: string]: Json } {
  const every = new Map(OF_EVERY_ENTRY.map((name) => [folded(name), name]));
  const own = Object.fromEntries(
    Object.entries(entry).map(([name, member]) => [nameIn(every, entry, name), member]),
  );
  const named = renamed(own, Object.values(schemasByKind()).map(unwrapped));
  return isObject(named) ? named : own;
}

function renamed(value: Json, schemas: readonly z.ZodType[]): Json {
  if (schemas.length === 0) return value;
  if (Array.isArray(value)) {
    const inside = elementsOf(schemas);
    return inside.length === 0 ? value : value.map((element) => renamed(element, inside));
  }
  if (!isObject(value)) return value;
  const possible = [...schemas, ...elementsOf(schemas)];
  const { names, inside } = placeOf(possible);
  const keyed = entriesOf(possible);
  return Object.fromEntries(
    Object.entries(value).map(([name, member]): [string, Json] => {
      const stored = nameIn(names, value, name);
      return [stored, renamed(member, inside.get(stored) ?? keyed)];
    }),
  );
}

/** A member that is there under its own name too keeps the other one: Consul refuses an entry with both. */
function nameIn(names: ReadonlyMap<string, string>, owner: object, name: string): string {
  const stored = names.get(folded(name));
  return stored === undefined || Object.hasOwn(owner, stored) ? name : stored;
}

/** A preview's notes on the members of an entry that its kind does not have. A part that is not known yet has none. */
export function unknownMemberNotes(kind: string, entry: unknown): string[] {
  if (!isObject(entry)) return [];
  return unknownMembers(kind, entry).map(
    (path) =>
      `${formatPath(["spec", ...path])} is not a member of ${kind} that this package knows; Consul refuses unknown members`,
  );
}

/** The members of an entry that its kind does not have, by their paths; none for a kind without a schema. */
function unknownMembers(kind: string, entry: { readonly [member: string]: Json }): Path[] {
  const schemas = schemasByKind();
  const schema = Object.hasOwn(schemas, kind) ? schemas[kind] : undefined;
  if (schema === undefined) return [];
  const own = Object.fromEntries(Object.entries(entry).filter(([name]) => !OF_EVERY_ENTRY.includes(name)));
  return [...unknownIn(own, [unwrapped(schema)], [])];
}

function* unknownIn(value: Json, schemas: readonly z.ZodType[], path: Path): Generator<Path> {
  if (Array.isArray(value)) {
    const inside = elementsOf(schemas);
    for (const [index, element] of value.entries()) yield* unknownIn(element, inside, [...path, index]);
  }
  if (!isObject(value)) return;
  const possible = [...schemas, ...elementsOf(schemas)];
  const { inside } = placeOf(possible);
  const keyed = entriesOf(possible);
  for (const [name, member] of Object.entries(value)) {
    const known = inside.get(name);
    if (inside.size > 0 && known === undefined) yield [...path, name];
    else yield* unknownIn(member, known ?? keyed, [...path, name]);
  }
}
