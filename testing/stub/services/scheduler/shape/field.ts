import { isObject, type JsonValue, ownOf } from "../../../json";

/**
 * One field of a document: how it is read from a body (`Given`, where what is absent stays absent, so that
 * defaults can still tell), and how it stands in an answer (`Full`, where nothing is absent).
 */
export interface Field<Full, Given = Full> {
  /** Undefined for what is absent or null; throws a {@link ShapeError} for another type. `at` is the path. */
  read(value: unknown, at: string): Given | undefined;
  /** With the zero value of its type where nothing was given. */
  fill(given: Given | undefined): Full;
  /** With null where nothing was given: a document that no default has been filled into. */
  outline(given: Given | undefined): unknown;
}

export type Shape = Readonly<Record<string, Field<unknown, unknown>>>;

type GivenOf<F extends Field<unknown, unknown>> = Exclude<ReturnType<F["read"]>, undefined>;
type FullOf<F extends Field<unknown, unknown>> = ReturnType<F["fill"]>;

/** A document as it was sent: every field may be missing. */
export type Given<S extends Shape> = { readonly [Key in keyof S]?: GivenOf<S[Key]> };

/** A document as it is answered. */
export type Full<S extends Shape> = { readonly [Key in keyof S]: FullOf<S[Key]> };

/** A body whose types are not the document's, in the words of the service's own decoder. */
export class ShapeError extends Error {
  override readonly name = "ShapeError";

  constructor(value: unknown, at: string, wanted: string) {
    super(`json: cannot unmarshal ${kindOf(value)} into Go struct field ${at} of type ${wanted}`);
  }
}

export function text(zero = ""): Field<string> {
  return scalar("string", zero, (value) => typeof value === "string");
}

/** Also every duration: integer nanoseconds. */
export function integer(zero = 0): Field<number> {
  const plain = scalar("int", zero, (value) => Number.isInteger(value));
  // Points in time, in nanoseconds, are beyond what a double holds exactly; only the service itself sets those.
  return { ...plain, read: (value, at) => plain.read(typeof value === "bigint" ? Number(value) : value, at) };
}

export function flag(zero = false): Field<boolean> {
  return scalar("bool", zero, (value) => typeof value === "boolean");
}

/** Anything, kept as it was sent. */
export function anything(): Field<JsonValue> {
  return {
    // What was parsed from JSON is a JSON value.
    read: (value) => value as JsonValue | undefined,
    fill: (given) => given ?? null,
    outline: (given) => given ?? null,
  };
}

/** Null where nothing was given, in place of a zero value. */
export function optional<F, G>(field: Field<F, G>): Field<F | null, G> {
  return {
    read: (value, at) => field.read(value, at),
    fill: (given) => (given === undefined ? null : field.fill(given)),
    outline: (given) => field.outline(given),
  };
}

/**
 * A member that the service's own documents cannot leave out: it stands in a job that was only parsed, too, and holds
 * the empty value of its type there.
 */
export function direct<Value extends string | number | boolean>(field: Field<Value>): Field<Value> {
  return { ...field, outline: (given) => given ?? EMPTY[typeof field.fill(undefined)] };
}

const EMPTY: Readonly<Record<string, string | number | boolean>> = { string: "", number: 0, boolean: false };

/** What is read and decides about other fields, but is not stored itself. */
export function sentOnly<G>(field: Field<unknown, G>): Field<undefined, G> {
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

/** Unknown names are dropped, and a name is found whatever its case, both as the service's decoder does. */
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
      // Each key is one of the shape's and was read by the field of that name.
      return given as Given<S>;
    },
    fill(given) {
      const values: Readonly<Record<string, unknown>> = given ?? {};
      const full = Object.entries(shape)
        .map(([name, field]) => [name, field.fill(values[name])] as const)
        .filter(([, value]) => value !== undefined);
      // Every key of the shape is there and was filled by the field of that name.
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
      // `fits` has just said so.
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
