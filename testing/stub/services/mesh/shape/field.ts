import type { Problems } from "./problems";

/** An entry's location; objects inside it without a location of their own inherit it. */
export interface Place {
  readonly namespace: string;
  readonly partition: string;
  /** False: namespaces and partitions do not exist. */
  readonly showsPlaces?: boolean;
  /** True: reads show the `unworded` durations as nanoseconds, as Consul does. */
  readonly showsNanoseconds?: boolean;
}

/** One field of an entry: how the server reads it from a body, stores it, and shows it in a read. */
export interface Field<Value> {
  /** Undefined if absent or null. `at` is the path in error messages. */
  read(value: unknown, at: string, problems: Problems): Value | undefined;
  /** The normalized value; undefined for the type's zero value, which counts as absent. */
  asStored(value: Value, place: Place): Value | undefined;
  /** The value in a read; undefined if a read omits it. */
  show(value: Value | undefined, place: Place): unknown;
  /** The value that filters see: absent parts have their type's zero value. */
  outline(value: Value | undefined, place: Place): unknown;
  /** The value that reads show for an absent {@link always} field. */
  readonly zero: unknown;
  /** Further names, in lower case, in addition to the field's own in snake case. */
  readonly aliases?: readonly string[];
}

export type ValueOf<F> = F extends Field<infer Value> ? Value : never;

/** Makes reads show this field even if it is absent, with its type's zero value. */
export function always<Value>(field: Field<Value>): Field<Value> {
  return { ...field, show: (value, place) => field.show(value, place) ?? field.zero };
}

/** Makes zero a value of its own, distinct from an absent field. */
export function optional<Value>(field: Field<Value>): Field<Value> {
  return { ...field, asStored: (value, place) => field.asStored(value, place) ?? value };
}

export function withAliases<Value>(field: Field<Value>, ...aliases: readonly string[]): Field<Value> {
  return { ...field, aliases };
}

/** A field that callers may send but only the server sets: the server ignores it. */
export const passedOver: Field<never> = {
  read: () => undefined,
  asStored: () => undefined,
  show: () => undefined,
  outline: () => undefined,
  zero: undefined,
};

/** Any value, stored as sent. */
export const anything: Field<unknown> = {
  read: (value) => value ?? undefined,
  asStored: (value) => value,
  show: (value) => value,
  outline: (value) => value ?? null,
  zero: null,
};

/** The server reads a single value as a list of one. An empty list counts as absent. */
export function list<Value>(of: Field<Value>): Field<readonly Value[]> {
  return {
    read(value, at, problems) {
      if (value === undefined || value === null) return undefined;
      const elements: readonly unknown[] = Array.isArray(value) ? value : [value];
      return elements.flatMap((element, index) => of.read(element, `${at}[${index}]`, problems) ?? []);
    },
    asStored: (values, place) =>
      values.length === 0 ? undefined : values.map((value) => of.asStored(value, place) ?? value),
    show: (values, place) => values?.map((value) => of.show(value, place) ?? value),
    outline: (values = [], place) => values.map((value) => of.outline(value, place)),
    zero: null,
  };
}

/** The keys belong to the user. An empty map counts as absent. */
export function map<Value>(of: Field<Value>): Field<Readonly<Record<string, Value>>> {
  return {
    read(value, at, problems) {
      if (value === undefined || value === null) return undefined;
      if (typeof value !== "object" || Array.isArray(value)) {
        problems.addWrongType(`'${at}' expected a map, got '${goType(value)}'`);
        return undefined;
      }
      return Object.fromEntries(
        Object.entries(value).flatMap(([key, element]) => {
          const read = of.read(element, `${at}[${key}]`, problems);
          return read === undefined ? [] : [[key, read] as const];
        }),
      );
    },
    asStored: (values, place) =>
      Object.keys(values).length === 0
        ? undefined
        : over(values, (value) => of.asStored(value, place) ?? value),
    show: (values, place) =>
      values === undefined ? undefined : over(values, (value) => of.show(value, place) ?? value),
    outline: (values = {}, place) => over(values, (value) => of.outline(value, place)),
    zero: null,
  };
}

function over<From, To>(values: Readonly<Record<string, From>>, change: (value: From) => To) {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]));
}

/** The decoder's name for the type of a JSON value. */
export function goType(value: unknown): string {
  if (Array.isArray(value)) return "[]interface {}";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "number" || typeof value === "bigint") return "float64";
  return typeof value === "string" ? "string" : "map[string]interface {}";
}
