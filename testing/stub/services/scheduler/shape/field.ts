import { isObject, type JsonValue, ownOf } from "../../../json";

/**
 * One field of a document. `Given` is the form read from a body, which leaves absent fields absent so that defaults can
 * apply. `Full` is the form of a response, in which no field is absent.
 */
export interface Field<Full, Given = Full> {
  /** Undefined if absent or null; throws a {@link ShapeError} for the wrong type. `at` is the path. */
  read(value: unknown, at: string): Given | undefined;
  /** Returns the given value, or the type's zero value. */
  fill(given: Given | undefined): Full;
  /** Returns the given value, or null: the form of a document without defaults. */
  outline(given: Given | undefined): unknown;
}

export type Shape = Readonly<Record<string, Field<unknown, unknown>>>;

/** The value of a field as sent. */
export type GivenOf<F extends Field<unknown, unknown>> = Exclude<ReturnType<F["read"]>, undefined>;
/** The value of a field as a response contains it. */
export type FullOf<F extends Field<unknown, unknown>> = ReturnType<F["fill"]>;

/** A document as sent: every field may be missing. */
export type Given<S extends Shape> = { readonly [Key in keyof S]?: GivenOf<S[Key]> };

/** A document as a response contains it. */
export type Full<S extends Shape> = { readonly [Key in keyof S]: FullOf<S[Key]> };

/** A body with a value of the wrong type; the message has the wording of Nomad's decoder. */
export class ShapeError extends Error {
  override readonly name = "ShapeError";

  constructor(value: unknown, at: string, wanted: string) {
    super(`json: cannot unmarshal ${kindOf(value)} into Go struct field ${at} of type ${wanted}`);
  }
}

export function text(zero = ""): Field<string> {
  return scalar("string", zero, (value) => typeof value === "string");
}

/** Also used for durations: integer nanoseconds. */
export function integer(zero = 0): Field<number> {
  const plain = scalar("int", zero, (value) => Number.isInteger(value));
  // Timestamps in nanoseconds exceed the exact range of a double; only the server sets them.
  return { ...plain, read: (value, at) => plain.read(typeof value === "bigint" ? Number(value) : value, at) };
}

export function flag(zero = false): Field<boolean> {
  return scalar("bool", zero, (value) => typeof value === "boolean");
}

/** Any value, stored as sent. */
export function anything(): Field<JsonValue> {
  return {
    // A value parsed from JSON is a JSON value.
    read: (value) => value as JsonValue | undefined,
    fill: (given) => given ?? null,
    outline: (given) => given ?? null,
  };
}

/** Null instead of a zero value if the field is absent. */
export function optional<F, G>(field: Field<F, G>): Field<F | null, G> {
  return {
    read: (value, at) => field.read(value, at),
    fill: (given) => (given === undefined ? null : field.fill(given)),
    outline: (given) => field.outline(given),
  };
}

/**
 * A member that Nomad's own documents always contain: a job that was only parsed has it too, with the type's empty value.
 */
export function direct<Value extends string | number | boolean>(field: Field<Value>): Field<Value> {
  return { ...field, outline: (given) => given ?? EMPTY[typeof field.fill(undefined)] };
}

const EMPTY: Readonly<Record<string, string | number | boolean>> = { string: "", number: 0, boolean: false };

/** A field that the server reads to decide about other fields, but does not store. */
export function requestField<G>(field: Field<unknown, G>): Field<undefined, G> {
  return {
    read: (value, at) => field.read(value, at),
    fill: () => undefined,
    outline: (given) => field.outline(given),
  };
}

/** "Empty maps and lists come back as null." */
export function list<F, G>(of: Field<F, G>): Field<readonly F[] | null, readonly G[]> {
  return {
    read(value, at) {
      if (value === undefined || value === null) return undefined;
      if (!Array.isArray(value)) throw new ShapeError(value, at, "[]interface {}");
      return value.flatMap((item) => of.read(item, at) ?? []);
    },
    fill: (given = []) => (given.length === 0 ? null : given.map((item) => of.fill(item))),
    outline: (given) => given?.map((item) => of.outline(item)) ?? null,
  };
}

/** A list that comes back as sent: an empty list is not null. */
export function slice<F, G>(of: Field<F, G>): Field<readonly F[] | null, readonly G[]> {
  return { ...list(of), fill: (given) => given?.map((item) => of.fill(item)) ?? null };
}

export function map<F, G>(
  of: Field<F, G>,
): Field<Readonly<Record<string, F>> | null, Readonly<Record<string, G>>> {
  return {
    read(value, at) {
      if (value === undefined || value === null) return undefined;
      if (!isObject(value)) throw new ShapeError(value, at, "map[string]interface {}");
      return Object.fromEntries(
        Object.entries(value).flatMap(([key, item]) => {
          const given = of.read(item, at);
          return given === undefined ? [] : [[key, given] as const];
        }),
      );
    },
    fill(given = {}) {
      const entries = Object.entries(given).sort(([left], [right]) => (left < right ? -1 : 1));
      return entries.length === 0
        ? null
        : Object.fromEntries(entries.map(([key, item]) => [key, of.fill(item)]));
    },
    outline: (given) =>
      given === undefined
        ? null
        : Object.fromEntries(Object.entries(given).map(([key, item]) => [key, of.outline(item)])),
  };
}

/** Drops unknown names and matches names case-insensitively, both as Nomad's decoder does. */
export function struct<S extends Shape>(shape: S): Field<Full<S>, Given<S>> {
  const names = new Map(Object.keys(shape).map((name) => [name.toLowerCase(), name]));
  return {
    read(value, at) {
      if (value === undefined || value === null) return undefined;
      if (!isObject(value)) throw new ShapeError(value, at, "struct");
      const given: Record<string, unknown> = {};
      for (const [key, item] of Object.entries(value)) {
        const name = Object.hasOwn(shape, key) ? key : (names.get(key.toLowerCase()) ?? "");
        const read = ownOf(shape, name)?.read(item, `${at}.${name}`);
        if (read !== undefined) given[name] = read;
      }
      // Each key is one of the shape's, and the field of that name read it.
      return given as Given<S>;
    },
    fill(given) {
      const values: Readonly<Record<string, unknown>> = given ?? {};
      const full = Object.entries(shape)
        .map(([name, field]) => [name, field.fill(values[name])] as const)
        .filter(([, value]) => value !== undefined);
      // Every key of the shape is present, and the field of that name filled it.
      return Object.fromEntries(full) as Full<S>;
    },
    outline(given) {
      if (given === undefined) return null;
      const values: Readonly<Record<string, unknown>> = given;
      return Object.fromEntries(
        Object.entries(shape).map(([name, field]) => [name, field.outline(values[name])]),
      );
    },
  };
}

function scalar<Value>(goType: string, zero: Value, fits: (value: unknown) => boolean): Field<Value> {
  return {
    read(value, at) {
      if (value === undefined || value === null) return undefined;
      if (!fits(value)) throw new ShapeError(value, at, goType);
      // `fits` has just verified the type.
      return value as Value;
    },
    fill: (given) => given ?? zero,
    outline: (given) => given ?? null,
  };
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "number" : `number ${value}`;
  return typeof value === "boolean" ? "bool" : typeof value;
}
