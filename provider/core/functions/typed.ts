import { z } from "zod";
import { knownFactsOf } from "../language/facts";
import { unwrapped, wireName } from "../language/fields";
import type { Service } from "../language/service";
import { isObject, type Json } from "../value/json";

/**
 * What a service answers, by a program's names, as a schema says it: the members that the schema has, under its names. What
 * is null is left out, but for lists and maps that are always there, which a service may leave out where they are empty.
 * Indexes and times that are text in the schema are text whatever their size.
 */
export function typed(
  schema: z.ZodType,
  value: Json | undefined,
  naming: Service["naming"],
): Json | undefined {
  if (value === undefined || value === null) return nothingOf(schema);
  const inner = unwrapped(schema);
  // zod types what stands inside these as its core type; they hold full schemas.
  const inside = (part: unknown, one: Json) => typed(part as z.ZodType, one, naming);
  if (inner instanceof z.ZodArray) {
    return Array.isArray(value) ? value.flatMap((one) => inside(inner.element, one) ?? []) : [];
  }
  if (inner instanceof z.ZodRecord && isObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, inside(inner.valueType, one) ?? null]),
    );
  }
  if (inner instanceof z.ZodObject) {
    return membersOf(inner.shape as Record<string, z.ZodType>, isObject(value) ? value : {}, naming);
  }
  return plainOf(inner, value);
}

/** The members of a body that these schemas are of, by their names. */
export function membersOf(
  shape: Readonly<Record<string, z.ZodType>>,
  body: { readonly [member: string]: Json },
  naming: Service["naming"],
): { [name: string]: Json } {
  return Object.fromEntries(
    Object.entries(shape).flatMap(([name, schema]) => {
      const wire = knownFactsOf(schema)?.wire ?? wireName(name, naming);
      const value = typed(schema, body[wire], naming);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

/** What stands for nothing: null where the schema says so, and for a list or a map that is always there an empty one. */
function nothingOf(schema: z.ZodType): Json | undefined {
  if (schema instanceof z.ZodNullable) return null;
  if (schema instanceof z.ZodArray) return [];
  return schema instanceof z.ZodRecord ? {} : undefined;
}

function plainOf(schema: z.ZodType, value: Json): Json {
  const isInteger = typeof value === "number" || typeof value === "bigint";
  if (schema instanceof z.ZodString && isInteger) return String(value);
  // A duration of more than 104 days: what a double loses of it is less than a nanosecond in a billion.
  return schema instanceof z.ZodNumber && typeof value === "bigint" ? Number(value) : value;
}
