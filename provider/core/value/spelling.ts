import { durationText, parseDuration } from "./duration";
import { formatJson, type Json, parseJson } from "./json";
import type { Path } from "./path";
import { textIn, withoutTrailing } from "./scalar";
import { isKnown, type Value } from "./unknown";

/** Defines when two spellings are the same value, and how the value is sent. */
export interface Spelling {
  /** A sentence for the documentation that names the equal values. Empty if there are none, or the property's own text names them. */
  readonly doc: string;
  /** The canonical value of a spelling. Returns a value that it cannot read unchanged. */
  canonical(value: Json): Json;
  /** True if `canonical` accepts values with unknown parts and leaves those parts unchanged. */
  readonly takesUnknown?: boolean;
  /** The value to send for a value that the program wrote. Default: the value as written. */
  encode?(value: Json): Json;
  /** The spelling of responses, if the program uses different names than the service. Default: this spelling. */
  readonly answered?: Spelling;
  /** The canonical value as a program would write it. Default: the canonical value. */
  restore?(canonical: Json): Json;
  /** The same for the part at this path of a canonical value. */
  restorePart?(part: Json, path: Path): Json;
  /** The canonical value as tables print it. Default: the result of `restore` or `restorePart`. */
  display?(canonical: Json): Json;
  /** A path into the canonical value, as a program would write it. */
  restorePath?(path: Path): Path;
}

/** The canonical value of a spelling with possibly unknown parts. A value that cannot be read yet is returned unchanged. */
export function canonicalValue(spelling: Spelling | undefined, value: Value): Value {
  if (spelling === undefined) return value;
  if (isKnown(value)) return spelling.canonical(value);
  // A spelling with `takesUnknown` passes unknown parts through.
  return spelling.takesUnknown ? spelling.canonical(value as Json) : value;
}

function duration(doc: string, unit: number): Spelling {
  return {
    doc,
    canonical(value) {
      const nanoseconds = parseDuration(value, unit);
      return nanoseconds === undefined ? value : nanoseconds / unit;
    },
    display: (canonical) => durationText(canonical, unit) ?? canonical,
  };
}

const inSeconds = duration('Compared as a duration: `"1m"` and `60` are equal.', 1e9);

/**
 * `"24h"`, `"1440m"`, `"86400"` and `86400` are the same value. It is sent as integer seconds, or as a string with a unit if
 * it has a fraction of a second. The empty string equals 0.
 */
export const durationInSeconds: Spelling = {
  ...inSeconds,
  canonical: (value) => (value === "" ? 0 : inSeconds.canonical(value)),
  encode(value) {
    const seconds = durationInSeconds.canonical(value);
    return typeof seconds !== "number" || Number.isInteger(seconds) ? seconds : `${seconds}s`;
  },
};

/** The same value, for a service that accepts it as a string with `h` as the largest unit: `24h0m0s`. */
export const durationAsText: Spelling = {
  ...inSeconds,
  doc: 'Compared as a duration: `"60s"` and `"1m"` are equal.',
  encode(value) {
    const seconds = inSeconds.canonical(value);
    return typeof seconds === "number" ? hoursMinutesSeconds(seconds) : value;
  },
};

/** A fraction is rounded to nanoseconds: the rest of a division by 60 is not exact in floating point. */
function hoursMinutesSeconds(seconds: number): string {
  const whole = Math.floor(seconds);
  const nanoseconds = Math.round((seconds - whole) * 1e9);
  const [carry, fraction] = nanoseconds === 1e9 ? [1, 0] : [0, nanoseconds];
  const all = whole + carry;
  const decimals = fraction === 0 ? "" : `.${withoutTrailing(String(fraction).padStart(9, "0"), "0")}`;
  return `${Math.floor(all / 3600)}h${Math.floor((all % 3600) / 60)}m${all % 60}${decimals}s`;
}

/** Nomad's durations: integer nanoseconds, or a string with a unit. */
export const durationInNanoseconds: Spelling = withWholeBeyondDouble(
  duration('Compared as a duration: `"1s"` and `1000000000` are equal.', 1),
);

/** The same spelling, but integers beyond 2^53 stay exact, including those that are strings for that reason. */
function withWholeBeyondDouble(spelling: Spelling): Spelling {
  return {
    ...spelling,
    canonical(value) {
      const isWhole = typeof value === "bigint" || (typeof value === "string" && /^\d{16,19}$/.test(value));
      const whole = isWhole ? BigInt(value) : 0n;
      return whole > Number.MAX_SAFE_INTEGER ? whole : spelling.canonical(value);
    },
  };
}

/**
 * JSON as text or as a value. Formatting and the order of keys do not matter. It is sent as text. A string in the JSON stays
 * quoted, because it would otherwise be parsed a second time.
 */
export const jsonText: Spelling = {
  doc: "Also accepts a JSON string; formatting and key order are not significant.",
  canonical(value) {
    if (typeof value !== "string") return value;
    if (value.trim() === "") return null;
    try {
      const parsed = parseJson(value);
      return typeof parsed === "string" ? formatJson(parsed) : parsed;
    } catch {
      return value;
    }
  },
  encode: (value) => (typeof value === "string" ? value : formatJson(value)),
};

/** A comma-separated string or a list. Blanks around the commas do not matter. It is sent as a string. */
export const commaList: Spelling = {
  doc: 'Also accepts a comma-separated string: `["a", "b"]` and `"a,b"` are equal.',
  canonical(value) {
    const items = Array.isArray(value) ? value : typeof value === "string" ? value.split(",") : undefined;
    if (items === undefined) return value;
    return items.map((item) => itemText(item).trim()).filter((item) => item !== "");
  },
  encode: (value) => (Array.isArray(value) ? value.map(itemText).join(",") : value),
};

const itemText = (item: Json) => textIn(item) ?? formatJson(item);

/** The same for a service that accepts both forms. It is sent as written. */
export const listOrCommaText: Spelling = { doc: commaList.doc, canonical: commaList.canonical };

/** A case-insensitive string, or a list of them. */
export const caseFolded: Spelling = {
  doc: "Compared without regard to case.",
  canonical(value) {
    if (Array.isArray(value))
      return value.map((item) => (typeof item === "string" ? item.toLowerCase() : item));
    return typeof value === "string" ? value.toLowerCase() : value;
  },
};

/** The same, for a service that stores it in upper case. */
export const upperCased: Spelling = {
  doc: caseFolded.doc,
  canonical: (value) => (typeof value === "string" ? value.toUpperCase() : value),
};

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

/** True if this text names the same instant on every machine. */
export function isInstant(text: string): boolean {
  return INSTANT.test(text) && !Number.isNaN(Date.parse(text));
}

/**
 * A point in time: all spellings of one instant are the same value, in ISO 8601 with milliseconds. Text without a time or a
 * zone stays unchanged, because it names a different instant on a different machine.
 */
export const instant: Spelling = {
  doc: "Equal times in different formats are equal.",
  canonical(value) {
    return typeof value === "string" && isInstant(value) ? new Date(value).toISOString() : value;
  },
};
