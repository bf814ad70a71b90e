import { parseDuration } from "../../../durations";
import { isObject, type JsonValue } from "../../../json";
import { HclError } from "../hcl/source";
import type { AttributeType } from "./schema";

/** Converts a value to the attribute's type; throws with the attribute's name if it cannot. */
export function convert(value: JsonValue, type: AttributeType, name: string, at: number): JsonValue {
  const refuse = (wanted: string) =>
    new HclError(
      "Incorrect attribute value type",
      `Inappropriate value for attribute "${name}": ${wanted} required.`,
      at,
    );
  switch (type) {
    case "any":
      return value;
    case "string":
      return asString(value) ?? fail(refuse("string"));
    case "number":
      return whole(asNumber(value) ?? fail(refuse("a number is")), at);
    case "bool":
      return asBoolean(value) ?? fail(refuse("a bool is"));
    case "duration":
      if (typeof value === "number") return whole(value, at);
      return (
        asDuration(value) ??
        fail(
          new HclError(
            "Unsuitable duration value",
            `Unsuitable value for attribute "${name}": time: invalid duration ${JSON.stringify(value)}.`,
            at,
          ),
        )
      );
    case "strings": {
      if (!Array.isArray(value)) throw refuse("list of string");
      return value.map((item) => asString(item) ?? fail(refuse("list of string")));
    }
    case "strings-map": {
      if (!isObject(value)) throw refuse("map of string");
      // The members of a JSON object are JSON values.
      const entries = Object.entries(value as Readonly<Record<string, JsonValue>>);
      return Object.fromEntries(
        entries.map(([key, item]) => [key, asString(item) ?? fail(refuse("map of string"))]),
      );
    }
  }
}

/** All digits of a number, and no exponent. */
const DIGITS = { useGrouping: false, maximumFractionDigits: 100 } as const;

/** Converts numbers, with all of their digits, and booleans to strings. */
export function asString(value: JsonValue): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "number") return value.toLocaleString("en", DIGITS);
  return typeof value === "boolean" ? String(value) : undefined;
}

/** Every number of a job is an integer. */
function whole(value: number, at: number): number {
  if (Number.isInteger(value) && Math.abs(value) <= 2 ** 63) return value;
  throw new HclError(
    "Unsuitable value type",
    "Unsuitable value: value must be a whole number, between -9223372036854775808 and 9223372036854775807",
    at,
  );
}

function asNumber(value: JsonValue): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && !Number.isNaN(number) ? number : undefined;
}

function asBoolean(value: JsonValue): boolean | undefined {
  if (value === "true" || value === "false") return value === "true";
  return typeof value === "boolean" ? value : undefined;
}

/** Integer nanoseconds of `1h30m`. */
function asDuration(value: JsonValue): number | undefined {
  return typeof value === "string" ? parseDuration(value) : undefined;
}

function fail(error: HclError): never {
  throw error;
}
