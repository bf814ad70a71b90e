import type { Problems } from "./problems";

/** Where an entry stands; what is in it and names no place of its own is there too. */
export interface Place {
  readonly namespace: string;
  readonly partition: string;
  /** False: there are no namespaces and no partitions. */
  readonly showsPlaces?: boolean;
  /** Whether a read shows those durations as nanoseconds that the real product words nowhere. */
  readonly showsNanoseconds?: boolean;
}

/** One field of an entry: how it is read from a body, stored, and shown by a read. */
export interface Field<Value> {
  /** Undefined for what is absent or null. `at` is the path that a problem names. */
  read(value: unknown, at: string, problems: Problems): Value | undefined;
  /** In the service's own spelling; undefined for the zero value of its type, which is as good as absent. */
  asStored(value: Value, place: Place): Value | undefined;
  /** As a read shows it; undefined where it shows nothing. */
  show(value: Value | undefined, place: Place): unknown;
  /** With the zero value of its type wherever something is absent: what a filter is asked about. */
  outline(value: Value | undefined, place: Place): unknown;
  /** What a read shows of an {@link always} field that is absent. */
  readonly zero: unknown;
  /** Other names, in lower case, besides the field's own in snake case. */
  readonly aliases?: readonly string[];
}

export type ValueOf<F> = F extends Field<infer Value> ? Value : never;

/** A read shows this field even where it is absent, with the zero value of its type. */
export function always<Value>(field: Field<Value>): Field<Value> {
  return { ...field, show: (value, place) => field.show(value, place) ?? field.zero };
}

/** Zero is a value of its own here, and not as good as absent. */
export function optional<Value>(field: Field<Value>): Field<Value> {
  return { ...field, asStored: (value, place) => field.asStored(value, place) ?? value };
}

export function aliased<Value>(field: Field<Value>, ...aliases: readonly string[]): Field<Value> {
  return { ...field, aliases };
}

/** What may be sent, and is the service's own: it is passed over. */
export const passedOver: Field<never> = {
  read: () => undefined,
  asStored: () => undefined,
  show: () => undefined,
  outline: () => undefined,
  zero: undefined,
};

/** Anything, kept as it was sent. */
export const anything: Field<unknown> = {
  read: (value) => value ?? undefined,
  asStored: (value) => value,
  show: (value) => value,
  outline: (value) => value ?? null,
  zero: null,
};

/** A single value stands for a list of one. An empty list is as good as absent. */
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

/** The keys are the user's. An empty map is as good as absent. */
export function map<Value>(of: Field<Value>): Field<Readonly<Record<string, Value>>> {
  return {
    read(value, at, problems) {
      if (value === undefined || value === null) return undefined;
      if (typeof value !== "object" || Array.isArray(value)) {
        problems.mistyped(`'${at}' expected a map, got '${goType(value)}'`);
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

/** What the service's decoder calls the type of a JSON value. */
export function goType(value: unknown): string {
  if (Array.isArray(value)) return "[]interface {}";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "number" || typeof value === "bigint") return "float64";
  return typeof value === "string" ? "string" : "map[string]interface {}";
}
