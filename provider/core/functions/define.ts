import { z } from "zod";
import { field, knownFactsOf } from "../language/facts";
import { fieldsOf, innerSchema, type Specified, wireName } from "../language/fields";
import type { Values } from "../language/object";
import type { Service } from "../language/service";
import type { RequestContext } from "../language/stepInput";
import { isObject, type Json } from "../value/json";
import { numberIn, textIn } from "../value/scalar";

/**
 * A function that queries a service. It changes nothing there; a function that would make something is declared as
 * `replaced`.
 */
export interface FunctionDefinition extends Specified {
  /** The result's members, by name. */
  readonly result: Readonly<Record<string, z.ZodType>>;
  /** The kind of call: once, element by element, or repeatedly. */
  readonly asks: SingleCall | ListCall | Watch;
  /**
   * It returns credentials. These are always secret and never stored by this package. A preview does not request them,
   * because they are unknown there.
   */
  readonly isCredential?: boolean;
  /**
   * The object that each call would make on the service. Such a function is deprecated and no longer makes anything. `by` is
   * the resource that makes the object once and stores it.
   */
  readonly replaced?: { readonly makes: string; readonly by: string };
  /** True if a result contains a secret that its facts cannot name (in a text of the user's). */
  hidesSecret?(result: Values): boolean;
}

/** One response. */
export interface SingleCall {
  readonly kind: "call";
  call(context: RequestContext, args: Values): Promise<Values>;
}

/** A list. Its pages are fetched as the caller requests elements. */
export interface ListCall {
  readonly kind: "list";
  /** The result property that contains the elements. */
  readonly property: string;
  /** The function that yields one element after the other: `eachWorkspace`. */
  readonly each: string;
  items(context: RequestContext, args: Values): AsyncGenerator<Json, void, void>;
  /** The complete result. */
  collect(context: RequestContext, args: Values): Promise<Values>;
}

/** Yields a result whenever the watched value changes, until the caller stops it. */
export interface Watch {
  readonly kind: "watch";
  changes(context: RequestContext, args: Values): AsyncGenerator<Values, void, void>;
}

/**
 * Why a function is deprecated, and its replacement; undefined for a current function. Every `pulumi up` calls a function,
 * even if nothing else in the program changes. An operation that makes something is therefore a resource.
 */
export function deprecationOf({ token, replaced }: FunctionDefinition): string | undefined {
  if (replaced === undefined) return undefined;
  const name = token.slice(token.indexOf(":") + 1);
  return `Every pulumi up would create ${replaced.makes}, so ${name} always fails. Use the resource ${replaced.by}, which issues the credentials once and stores them in the state.`;
}

/** The arguments that every function has. */
export const functionFields = {
  connection: field(z.string().min(1).optional(), {
    doc: "Named connection to use (`quarterdeck:connections`). Default: the default connection.",
    role: "steering",
  }),
  timeout: field(z.number().positive().optional(), {
    doc: "Timeout of the call in seconds, including retries.",
    role: "steering",
    default: 60,
  }),
} as const;

/** The argument that limits the length of a list. */
export const limitField = field(z.int().positive().optional(), {
  doc: "Maximum number of elements to return; Quarterdeck fetches only the pages that it needs. Default: all elements.",
  role: "steering",
});

/** Checks a function's definition once. */
export function defineFunction<F extends FunctionDefinition>(definition: F): F {
  fieldsOf(definition);
  return definition;
}

/**
 * Converts a response to a program's form, as the schema defines it: with the schema's members, under the schema's names.
 * Leaves out null, except for required lists and maps, which are empty if the server omits them. Indexes and times that are
 * strings in the schema are strings of any size. A value of a different type than the schema's is treated as missing.
 */
export function convertToSchema(
  schema: z.ZodType,
  value: Json | undefined,
  naming: Service["naming"],
): Json | undefined {
  if (value === undefined || value === null) return nothingOf(schema);
  const inner = innerSchema(schema);
  // zod types inner schemas as its core type; these are complete schemas.
  const inside = (part: unknown, one: Json) => convertToSchema(part as z.ZodType, one, naming);
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

/** The members of a body that these schemas describe, by their names. */
export function membersOf(
  shape: Readonly<Record<string, z.ZodType>>,
  body: { readonly [member: string]: Json },
  naming: Service["naming"],
): { [name: string]: Json } {
  return Object.fromEntries(
    Object.entries(shape).flatMap(([name, schema]) => {
      const wire = knownFactsOf(schema)?.wire ?? wireName(name, naming);
      const value = convertToSchema(schema, body[wire], naming);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

/** The value for a missing member: null if the schema allows it, and an empty list or map if the schema requires one. */
function nothingOf(schema: z.ZodType): Json | undefined {
  if (schema instanceof z.ZodNullable) return null;
  if (schema instanceof z.ZodArray) return [];
  return schema instanceof z.ZodRecord ? {} : undefined;
}

/** A value of the schema's type; undefined for a value of a different type. */
function plainOf(schema: z.ZodType, value: Json): Json | undefined {
  if (schema instanceof z.ZodString) return textIn(value);
  // For a duration of more than 104 days, a double loses less than a nanosecond in a billion.
  if (schema instanceof z.ZodNumber) return numberIn(value);
  return schema instanceof z.ZodBoolean && typeof value !== "boolean" ? undefined : value;
}
