import { z } from "zod";
import { field, knownFactsOf } from "../language/facts";
import { fieldsOf, type Specified, unwrapped, wireName } from "../language/fields";
import type { Values } from "../language/object";
import type { Service } from "../language/service";
import type { RequestContext } from "../language/stepInput";
import { isObject, type Json } from "../value/json";
import { numberIn, textIn } from "../value/scalar";

/** Something that a program may ask a service. It changes nothing there, unless it says that it `makes` something. */
export interface FunctionDefinition extends Specified {
  /** What it answers, by name. */
  readonly result: Readonly<Record<string, z.ZodType>>;
  /** How it asks: once, element by element, or again and again. */
  readonly asks: SingleCall | ListCall | Watch;
  /**
   * It hands out credentials: always secret, not asked for in a preview, where they are unknown, and never kept by
   * this package.
   */
  readonly isCredential?: boolean;
  /**
   * What each call would make on the service, so that it is deprecated and makes nothing any more; and the resource that has
   * it made once, and keeps it.
   */
  readonly replaced?: { readonly makes: string; readonly by: string };
  /** Whether an answer holds a secret that its facts cannot name (in a text of the user's). */
  hidesSecret?(result: Values): boolean;
}

/** One answer. */
export interface SingleCall {
  readonly kind: "call";
  call(context: RequestContext, args: Values): Promise<Values>;
}

/** A list, whose pages are fetched as the elements are asked for. */
export interface ListCall {
  readonly kind: "list";
  /** The property of the result that holds the elements. */
  readonly property: string;
  /** The function that yields one element after the other: `eachWorkspace`. */
  readonly each: string;
  items(context: RequestContext, args: Values): AsyncGenerator<Json, void, void>;
  /** The whole answer, where it says more than its elements. */
  collect?(context: RequestContext, args: Values): Promise<Values>;
}

/** One answer after another, whenever what is watched differs, until the caller stops it. */
export interface Watch {
  readonly kind: "watch";
  changes(context: RequestContext, args: Values): AsyncGenerator<Values, void, void>;
}

/**
 * Why a function is deprecated, and what to use in its place; undefined where it is not. A function is called with every up,
 * and nothing tells it whether anything else of its program changes: what makes something is a resource.
 */
export function deprecationOf({ token, replaced }: FunctionDefinition): string | undefined {
  if (replaced === undefined) return undefined;
  const name = token.slice(token.indexOf(":") + 1);
  return `${name} would make ${replaced.makes}, with every pulumi up, one that changes nothing too; so it makes nothing any more, and fails. Use the resource ${replaced.by}, which has it made once, and keeps it.`;
}

/** The arguments that every function has. */
export const functionFields = {
  connection: field(z.string().min(1).optional(), {
    doc: "The named connection (`quarterdeck:connections`) through which the service is asked. Default: the service's own settings.",
    role: "steering",
  }),
  timeout: field(z.number().positive().optional(), {
    doc: "Seconds that the call may take, retries included.",
    role: "steering",
    default: 60,
  }),
} as const;

/** The argument of lists that ends them early. */
export const limitField = field(z.int().positive().optional(), {
  doc: "The most elements to answer; no further page is fetched than it takes. Default: all.",
  role: "steering",
});

/** Checks a function's definition once. */
export function defineFunction<F extends FunctionDefinition>(definition: F): F {
  fieldsOf(definition);
  return definition;
}

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
