import { BadRequest, type StubRequest } from "../../service";
import { seconds } from "./durations";
import { invalid } from "./errors";

/**
 * The fields of a write's body, parsed as leniently as Vault does: numbers and booleans may be strings, and a list may be a
 * comma-separated string. Throws a 400 for a field that it cannot parse.
 */
export class Fields {
  constructor(private readonly values: Readonly<Record<string, unknown>>) {}

  static of(request: StubRequest): Fields {
    if (request.body.length === 0) return new Fields({});
    const body = request.json();
    if (!isRecord(body)) throw new BadRequest("error parsing JSON");
    return new Fields(body);
  }

  /** True if the body contains the field with a value other than null. */
  has(name: string): boolean {
    return this.values[name] !== undefined && this.values[name] !== null;
  }

  /** The members of an object; undefined if there is none. */
  record(name: string): Fields | undefined {
    const value = this.values[name];
    return isRecord(value) ? new Fields(value) : undefined;
  }

  /** All values, unparsed. */
  all(): Readonly<Record<string, unknown>> {
    return this.values;
  }

  /** The unparsed value. */
  raw(name: string): unknown {
    return this.values[name];
  }

  string(name: string): string | undefined {
    return this.read(name, "string", (value) => {
      if (typeof value === "string") return value;
      return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
    });
  }

  boolean(name: string): boolean | undefined {
    return this.read(name, "bool", (value) => {
      if (typeof value === "boolean") return value;
      if (value === "true" || value === "1" || value === 1) return true;
      return value === "false" || value === "0" || value === 0 || value === "" ? false : undefined;
    });
  }

  integer(name: string): number | undefined {
    return this.read(name, "int", (value) => {
      if (value === "") return 0;
      const number = typeof value === "string" ? Number(value) : value;
      return typeof number === "number" && Number.isInteger(number) ? number : undefined;
    });
  }

  /** A duration as integer seconds; throws for a negative one. */
  duration(name: string): number | undefined {
    return this.read(name, "duration", (value) => {
      const read = seconds(value);
      return read !== undefined && read >= 0 ? read : undefined;
    });
  }

  /** A list of strings; splits a string at its commas. */
  list(name: string): readonly string[] | undefined {
    return this.read(name, "list", (value) => {
      if (Array.isArray(value)) {
        return value.every((item) => typeof item === "string") ? value : undefined;
      }
      if (typeof value !== "string") return undefined;
      return value
        .split(",")
        .map((item) => item.trim())
        .filter((item) => item !== "");
    });
  }

  private read<Value>(
    name: string,
    kind: string,
    convert: (value: unknown) => Value | undefined,
  ): Value | undefined {
    const value = this.values[name];
    if (value === undefined || value === null) return undefined;
    const converted = convert(value);
    if (converted === undefined) {
      throw invalid(`Field validation failed: error converting input for field "${name}": expected ${kind}`);
    }
    return converted;
  }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
