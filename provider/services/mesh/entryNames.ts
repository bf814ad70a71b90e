import { z } from "zod";
import {
  type Decoding,
  fieldNamed,
  formatPath,
  isObject,
  type Json,
  MemberPlace,
  memoByObject,
  type Path,
  withStoredNames,
} from "../../core";

/** The members of every entry that are part of its address, or that only the server sets. */
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

/** The members of every entry, in addition to those of its kind. */
const OF_EVERY_ENTRY: readonly string[] = [...NOT_MANAGED, "Meta"];

/** The schemas of the typed kinds, by kind. They are loaded on demand, because each of them builds on the generic entry. */
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

/** Consul's decoder ignores the case of a member's name, and accepts most names in snake case. */
const decoding: Decoding = { fold: (name) => name.replaceAll("_", "").toLowerCase() };

/** The members of an entry of any kind: the common members, and those of all kinds. */
const placeOfEntries = memoByObject((schemas: Readonly<Record<string, z.ZodType>>) => {
  const ofEveryEntry = z.object(Object.fromEntries(OF_EVERY_ENTRY.map((name) => [name, z.unknown()])));
  return new MemberPlace([ofEveryEntry, ...Object.values(schemas)], decoding);
});

const placeOfKind = memoByObject((schema: z.ZodType) => new MemberPlace([schema], decoding));

/** An entry with Consul's stored names, from members in any spelling. */
export function withEntryNames(entry: { readonly [member: string]: Json }): { [member: string]: Json } {
  const named = withStoredNames(entry, placeOfEntries(schemasByKind()));
  return isObject(named) ? named : entry;
}

/** Preview notes about members that the entry's kind does not have. Parts that are not known yet cause no notes. */
export function unknownMemberNotes(kind: string, entry: unknown): string[] {
  if (!isObject(entry)) return [];
  return unknownMembers(kind, entry).map(
    (path) =>
      `${formatPath(["spec", ...path])} is not a known member of ${kind}; Consul rejects unknown members`,
  );
}

/** The paths of members that the entry's kind does not have; empty for a kind without a schema. */
function unknownMembers(kind: string, entry: { readonly [member: string]: Json }): Path[] {
  const schemas = schemasByKind();
  const schema = Object.hasOwn(schemas, kind) ? schemas[kind] : undefined;
  if (schema === undefined) return [];
  const own = Object.fromEntries(Object.entries(entry).filter(([name]) => !OF_EVERY_ENTRY.includes(name)));
  return [...unknownIn(own, placeOfKind(schema), [])];
}

function* unknownIn(value: Json, place: MemberPlace, path: Path): Generator<Path> {
  if (Array.isArray(value)) {
    for (const [index, element] of value.entries())
      yield* unknownIn(element, place.elements, [...path, index]);
  }
  if (!isObject(value)) return;
  for (const [name, member] of Object.entries(value)) {
    if (place.hasMembers && place.member(name) === undefined) yield [...path, name];
    else yield* unknownIn(member, place.at(name), [...path, name]);
  }
}
