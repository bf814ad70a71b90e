import { formatDuration, parseDuration } from "../../../durations";
import { type Field, goType } from "./field";
import type { Problems } from "./problems";

/** Strings, booleans and numbers convert to one another, because Consul's decoder is weakly typed. */
export const text = scalar<string>("string", "", (value) => {
  if (typeof value === "boolean") return value ? "1" : "0";
  return typeof value === "string" ? value : String(value);
});

export const flag = scalar<boolean>("bool", false, (value, at, problems) => {
  if (typeof value !== "string") return Boolean(value);
  if (["1", "t", "T", "true", "TRUE", "True"].includes(value)) return true;
  if (["", "0", "f", "F", "false", "FALSE", "False"].includes(value)) return false;
  problems.addWrongType(
    `cannot parse '${at}' as bool: strconv.ParseBool: parsing ${JSON.stringify(value)}: invalid syntax`,
  );
  return undefined;
});

/** Truncates fractions. */
export const integer = scalar<number>("int", 0, (value, at, problems) => {
  if (typeof value === "string" && !/^[+-]?\d*$/.test(value)) {
    problems.addWrongType(
      `cannot parse '${at}' as int: strconv.ParseInt: parsing ${JSON.stringify(value)}: invalid syntax`,
    );
    return undefined;
  }
  return Math.trunc(Number(value));
});

/** An integer that is never negative. */
export const count: Field<number> = {
  ...integer,
  read(value, at, problems) {
    const read = integer.read(value, at, problems);
    if (read === undefined || read >= 0) return read;
    problems.addWrongType(`cannot parse '${at}', ${read} overflows uint`);
    return undefined;
  },
};

export const decimal = scalar<number>("float32", 0, (value, at, problems) => {
  const read = Number(value);
  if (!Number.isNaN(read)) return read;
  problems.addWrongType(
    `cannot parse '${at}' as float: strconv.ParseFloat: parsing ${JSON.stringify(value)}: invalid syntax`,
  );
  return undefined;
});

/** `15s`, `1m30s`; a number means nanoseconds. */
export const duration: Field<string> = {
  ...scalar<string>("time.Duration", "", (value, at, problems) => {
    if (typeof value !== "string") return formatDuration(Math.trunc(Number(value)));
    if (parseDuration(value) !== undefined) return value;
    problems.addWrongType(`error decoding '${at}': time: invalid duration ${JSON.stringify(value)}`);
    return undefined;
  }),
  asStored(value) {
    const nanoseconds = parseDuration(value) ?? 0;
    return nanoseconds === 0 ? undefined : formatDuration(nanoseconds);
  },
};

/** A duration that Consul's reads show as a number of nanoseconds. */
export const unworded: Field<string> = {
  ...duration,
  show: (value, { showsNanoseconds = false }) =>
    value === undefined || !showsNanoseconds ? value : (parseDuration(value) ?? 0),
};

/** An {@link unworded} duration that Consul's reads show even if it is absent. */
export const unwordedAlways: Field<string> = {
  ...unworded,
  show: (value, place) => (value === undefined && place.showsNanoseconds ? 0 : unworded.show(value, place)),
};

/** The namespace or partition of an object inside an entry; defaults to the entry's own. */
export function inheritedField(of: "namespace" | "partition"): Field<string> {
  return {
    ...text,
    asStored: (value, place) => (value === "" || value === place[of] ? undefined : value),
    show: (value, place) => (place.showsPlaces === false ? value : (value ?? place[of])),
    outline: (value, place) => value ?? place[of],
  };
}

function scalar<Value>(
  wanted: string,
  zero: Value,
  convert: (value: string | number | bigint | boolean, at: string, problems: Problems) => Value | undefined,
): Field<Value> {
  return {
    read(value, at, problems) {
      switch (typeof value) {
        case "undefined":
          return undefined;
        case "string":
        case "number":
        case "bigint":
        case "boolean":
          return convert(value, at, problems);
        default:
          if (value === null) return undefined;
          problems.addWrongType(
            `'${at}' expected type '${wanted}', got unconvertible type '${goType(value)}'`,
          );
          return undefined;
      }
    },
    asStored: (value) => (value === zero ? undefined : value),
    show: (value) => value,
    outline: (value) => value ?? zero,
    zero,
  };
}
