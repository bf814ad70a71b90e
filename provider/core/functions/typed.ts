import { z } from "zod";
import { knownFactsOf } from "../language/facts";
import { unwrapped, wireName } from "../language/fields";
import type { Service } from "../language/service";
import { isObject, type Json } from "../value/json";
import { numberIn, textIn } from "../value/scalar";

/**
 * What a service answers, by a program's names, as a schema says it: the members that the schema has, under its names. What
 * is null is left out, but for lists and maps that are always there, which a service may leave out where they are empty.
 * Indexes and times that are text in the schema are text whatever their size, and what is of another type than the schema
 * says is as good as not there.
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
  if (inner instanceof z.ZodRecord) {
    if (!isObject(value)) return nothingOf(schema);
    const members = Object.entries(value).flatMap(([name, one]) => {
      const member = inside(inner.valueType, one);
      return member === undefined ? [] : [[name, member] as const];
    });
    return Object.fromEntries(members);
  }
  if (inner instanceof z.ZodObject) {
    return isObject(value) ? membersOf(inner.shape as Record<string, z.ZodType>, value, naming) : undefined;
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

/** A value of the schema's type; undefined for what stands in its place and is of another. */
function plainOf(schema: z.ZodType, value: Json): Json | undefined {
  if (schema instanceof z.ZodString) return textIn(value);
  // A duration of more than 104 days: what a double loses of it is less than a nanosecond in a billion.
  if (schema instanceof z.ZodNumber) return numberIn(value);
  return schema instanceof z.ZodBoolean && typeof value !== "boolean" ? undefined : value;
}
