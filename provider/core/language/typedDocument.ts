import { z } from "zod";
import { isObject, type Json } from "../value/json";
import type { Path } from "../value/path";
import type { Spelling } from "../value/spelling";
import { knownFactsOf } from "./facts";
import { innerSchema, wireName } from "./fields";
import type { Service } from "./service";

/**
 * A document that a program writes with typed members under this language's names, sent under the service's names. Members
 * that the schema does not know, and maps with user-defined keys, keep their names.
 */
export function typedDocument(schema: z.ZodType, naming: Service["naming"]): Spelling {
  return {
    doc: "Also accepts the field names of the server's API.",
    canonical: (value) => renameBySchema(schema, value, naming, "wire"),
    takesUnknown: true,
    encode: (value) => renameBySchema(schema, value, naming, "wire"),
    restore: (canonical) => renameBySchema(schema, canonical, naming, "program"),
    restorePart: (part, path) => {
      const at = schemaAt(schema, path, naming);
      return at === undefined ? part : renameBySchema(at, part, naming, "program");
    },
    restorePath: (path) => renamedPath(schema, path, naming),
  };
}

function renamedPath(schema: z.ZodType, path: Path, naming: Service["naming"]): Path {
  const [segment, ...rest] = path;
  if (segment === undefined) return [];
  const inner = innerSchema(schema);
  // zod types the inner schemas as its core type, but they are full schemas.
  if (inner instanceof z.ZodArray) return [segment, ...renamedPath(inner.element as z.ZodType, rest, naming)];
  if (inner instanceof z.ZodRecord)
    return [segment, ...renamedPath(inner.valueType as z.ZodType, rest, naming)];
  if (!(inner instanceof z.ZodObject)) return path;
  const typed = membersOf(inner.shape as Record<string, z.ZodType>, naming).byWire.get(String(segment));
  return typed === undefined ? path : [typed.program, ...renamedPath(typed.schema, rest, naming)];
}

/** The schema at this path, given in the service's names. */
function schemaAt(schema: z.ZodType, path: Path, naming: Service["naming"]): z.ZodType | undefined {
  const [segment, ...rest] = path;
  if (segment === undefined) return schema;
  const inner = innerSchema(schema);
  // zod types the inner schemas as its core type, but they are full schemas.
  if (inner instanceof z.ZodArray) return schemaAt(inner.element as z.ZodType, rest, naming);
  if (inner instanceof z.ZodRecord) return schemaAt(inner.valueType as z.ZodType, rest, naming);
  if (!(inner instanceof z.ZodObject)) return undefined;
  const typed = membersOf(inner.shape as Record<string, z.ZodType>, naming).byWire.get(String(segment));
  return typed && schemaAt(typed.schema, rest, naming);
}

type Direction = "wire" | "program";

function renameBySchema(schema: z.ZodType, value: Json, naming: Service["naming"], to: Direction): Json {
  const inner = innerSchema(schema);
  // zod types the inner schemas as its core type, but they are full schemas.
  if (inner instanceof z.ZodArray && Array.isArray(value)) {
    return value.map((element) => renameBySchema(inner.element as z.ZodType, element, naming, to));
  }
  if (!isObject(value)) return value;
  if (inner instanceof z.ZodRecord) {
    const of = inner.valueType as z.ZodType;
    return mapMembers(value, (name, member) => [name, renameBySchema(of, member, naming, to)]);
  }
  if (!(inner instanceof z.ZodObject)) return value;
  const members = membersOf(inner.shape as Record<string, z.ZodType>, naming);
  const table = to === "wire" ? members.byName : members.byWire;
  return mapMembers(value, (name, member) => {
    const typed = table.get(name);
    return typed === undefined
      ? [name, member]
      : [typed[to], renameBySchema(typed.schema, member, naming, to)];
  });
}

function mapMembers(
  value: { [name: string]: Json },
  each: (name: string, member: Json) => [string, Json],
): Json {
  return Object.fromEntries(Object.entries(value).map(([name, member]) => each(name, member)));
}

/** A member of a typed document with both of its names. */
interface Member {
  readonly schema: z.ZodType;
  readonly wire: string;
  readonly program: string;
}

interface MemberTables {
  readonly byName: ReadonlyMap<string, Member>;
  readonly byWire: ReadonlyMap<string, Member>;
}

const tablesByShape = new WeakMap<object, MemberTables>();

function membersOf(shape: Readonly<Record<string, z.ZodType>>, naming: Service["naming"]): MemberTables {
  const found = tablesByShape.get(shape);
  if (found !== undefined) return found;
  const list = Object.entries(shape).map(([program, schema]): Member => {
    const wire = knownFactsOf(schema)?.wire ?? wireName(program, naming);
    return { schema, wire, program };
  });
  const members = {
    byName: new Map(list.map((member) => [member.program, member])),
    byWire: new Map(list.map((member) => [member.wire, member])),
  };
  tablesByShape.set(shape, members);
  return members;
}
