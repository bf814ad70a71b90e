import { parseDuration } from "../../../durations";
import { isObject, type JsonValue } from "../../../json";
import { HclError } from "../hcl/source";
import type { AttributeType } from "./schema";

/** A value as the attribute's type; what cannot be turned into it is refused with the attribute's name. */
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
      return asNumber(value) ?? fail(refuse("a number is"));
    case "bool":
      return asBoolean(value) ?? fail(refuse("a bool is"));
    case "duration":
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
      // What `isObject` leaves of a JSON value holds JSON values.
      const entries = Object.entries(value as Readonly<Record<string, JsonValue>>);
      return Object.fromEntries(
        entries.map(([key, item]) => [key, asString(item) ?? fail(refuse("map of string"))]),
      );
    }
  }
}

/** Numbers and booleans are written out. */
export function asString(value: JsonValue): string | undefined {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
}

function asNumber(value: JsonValue): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && !Number.isNaN(number) ? number : undefined;
}

function asBoolean(value: JsonValue): boolean | undefined {
  if (value === "true" || value === "false") return value === "true";
  return typeof value === "boolean" ? value : undefined;
}

/** Integer nanoseconds of `1h30m`; a number is nanoseconds already. */
function asDuration(value: JsonValue): number | undefined {
  if (typeof value === "number") return value;
  return typeof value === "string" ? parseDuration(value) : undefined;
}

function fail(error: HclError): never {
  throw error;
}
