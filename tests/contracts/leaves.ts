import { z } from "zod";
import { type Facts, knownFactsOf } from "../../provider/core/language/facts";
import { fieldsOf, innerSchema, wireName } from "../../provider/core/language/fields";
import type { AnyDefinition } from "../../provider/core/language/resource";
import { isSteering, isWritable } from "../../provider/core/language/role";
import { renameMembers } from "../../provider/core/requests/dialect";
import { isObject, type Json } from "../../provider/core/value/json";

/** A field of a request that is no object with fields of its own. */
export interface Leaf {
  /** Its path as a contract has it: names on the wire, without list elements and keys of maps. */
  readonly path: string;
  /** A part of a request that contains only this field, with a value of its type that is not the type's empty value. */
  readonly body: { readonly [member: string]: Json };
}

/** The leaves of the requests of a resource, from its definition's schemas, with the names of the real product. */
export function leavesOf(definition: AnyDefinition): readonly Leaf[] {
  const { naming, dialects } = definition.service;
  const own = (value: Json) =>
    dialects.real === undefined ? value : renameMembers(value, dialects.real, "dialect");
  return fieldsOf(definition)
    .filter(({ facts }) => isWritable(facts) && !isSteering(facts))
    .flatMap(({ wire, schema }) => {
      const values = branchesOf(schema, naming);
      // A document is the body itself.
      return wire === "." ? values : values.map((value) => ({ [wire]: value }));
    })
    .flatMap((branch) => {
      const body = own(branch);
      return isObject(body) ? [{ path: pathIn(body), body }] : [];
    });
}

/** Values of a schema with one leaf each. */
function branchesOf(schema: z.ZodType, naming: Naming): readonly Json[] {
  const inner = innerSchema(schema);
  // zod types inner schemas as its core type; these are complete schemas.
  const inside = (part: unknown) => branchesOf(part as z.ZodType, naming);
  const facts = knownFactsOf(schema);
  // Each server accepts a duration as a number.
  const duration = facts?.spelling?.canonical("1m");
  if (typeof duration === "number") return [duration];
  if (inner instanceof z.ZodUnion) {
    const options = inner.options.map((option) => innerSchema(option as z.ZodType));
    return inside(
      options.find((option) => option instanceof z.ZodObject) ??
        options.find((option) => option instanceof z.ZodArray) ??
        options.find((option) => option instanceof z.ZodRecord) ??
        options[0],
    );
  }
  if (inner instanceof z.ZodArray) return inside(inner.element).map((element) => [element]);
  if (inner instanceof z.ZodRecord) return inside(inner.valueType).map((value) => ({ [MAP_KEY]: value }));
  if (!(inner instanceof z.ZodObject)) return [leafValue(inner, facts)];
  return Object.entries(inner.shape).flatMap(([name, member]) =>
    inside(member).map((value) => ({
      [knownFactsOf(member as z.ZodType)?.wire ?? wireName(name, naming)]: value,
    })),
  );
}

type Naming = AnyDefinition["service"]["naming"];

/** A value that is not the type's empty value. */
function leafValue(schema: z.ZodType, facts: Facts | undefined): Json {
  if (schema instanceof z.ZodBoolean) return facts?.default !== true;
  if (schema instanceof z.ZodNumber) return 7;
  // Every option is a string.
  if (schema instanceof z.ZodEnum) return schema.options.at(-1) as string;
  return schema.safeParse("own").success ? "own" : schema.constructor.name;
}

/** The names on the way to the only leaf of a value, without the keys of maps. */
export function pathIn(value: Json): string {
  if (Array.isArray(value)) return pathIn(value[0] ?? null);
  const [entry] = isObject(value) ? Object.entries(value) : [];
  if (entry === undefined) return "";
  const [name, member] = entry;
  return [name === MAP_KEY ? "" : name, pathIn(member)].filter((part) => part !== "").join(".");
}

/** The key of the entry in a generated map. */
export const MAP_KEY = "entry";
