import { durationText, parseDuration } from "./duration";
import { formatJson, type Json, parseJson } from "./json";
import type { Path } from "./path";
import { textIn } from "./scalar";
import { isKnown, type Value } from "./unknown";

/** Says when two spellings are one value, and how the value travels. */
export interface Spelling {
  /** Names the spelling in documentation and messages: "duration in seconds". Empty if each value has one spelling. */
  readonly name: string;
  /** The one value behind a spelling; a value it cannot read is returned as it is. */
  canonical(value: Json): Json;
  /** Whether `canonical` takes values in which parts are unknown, and leaves those as they are. */
  readonly takesUnknown?: boolean;
  /** What is sent for a value that the program wrote; without it, the value as written. */
  encode?(value: Json): Json;
  /** The spelling of what a service answers, where a program writes the same in other names; without it, this one. */
  readonly answered?: Spelling;
  /** The canonical value as a program would write it; without it, the canonical value. */
  restore?(canonical: Json): Json;
  /** The same for a part of a canonical value, which stands at this path of it. */
  restorePart?(part: Json, path: Path): Json;
  /** How tables print the canonical value; without it, as `restore` or `restorePart` has it. */
  display?(canonical: Json): Json;
  /** A path into the canonical value as a program would write it. */
  restorePath?(path: Path): Path;
}

/** The one value behind a spelling of which parts may be unknown; one that cannot be read yet stays as it is. */
export function canonicalValue(spelling: Spelling | undefined, value: Value): Value {
  if (spelling === undefined) return value;
  if (isKnown(value)) return spelling.canonical(value);
  // A spelling with `takesUnknown` hands unknown parts through.
  return spelling.takesUnknown ? spelling.canonical(value as Json) : value;
}

function duration(name: string, unit: number): Spelling {
  return {
    name,
    canonical(value) {
      const nanoseconds = parseDuration(value, unit);
      return nanoseconds === undefined ? value : nanoseconds / unit;
    },
    display: (canonical) => durationText(canonical, unit) ?? canonical,
  };
}

const inSeconds = duration("duration in seconds", 1e9);

/**
 * `"24h"`, `"1440m"`, `"86400"` and `86400` are one value, which travels as integer seconds, or as text with its unit where
 * it has a part of a second. Empty text is nothing, as 0 is.
 */
export const durationInSeconds: Spelling = {
  ...inSeconds,
  canonical: (value) => (value === "" ? 0 : inSeconds.canonical(value)),
  encode(value) {
    const seconds = durationInSeconds.canonical(value);
    return typeof seconds !== "number" || Number.isInteger(seconds) ? seconds : `${seconds}s`;
  },
};

/** The same value, for a service that takes it as text in which `h` is the largest unit: `24h0m0s`. */
export const durationAsText: Spelling = {
  ...inSeconds,
  name: "duration",
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
  const decimals = fraction === 0 ? "" : `.${String(fraction).padStart(9, "0").replace(/0+$/, "")}`;
  return `${Math.floor(all / 3600)}h${Math.floor((all % 3600) / 60)}m${all % 60}${decimals}s`;
}

/** The scheduler's durations: integer nanoseconds, or text with a unit. */
export const durationInNanoseconds: Spelling = withWholeBeyondDouble(duration("duration in nanoseconds", 1));

/** The same spelling, in which whole numbers beyond 2^53 stay as they are, also where they are text for that reason. */
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
 * JSON as text or as a value: formatting and the order of keys mean nothing; it travels as text. Text in JSON stays JSON, in
 * its quotes: without them it would be read once more.
 */
export const jsonText: Spelling = {
  name: "JSON text",
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

/** A comma-separated text or a list: blanks around the commas mean nothing; it travels as text. */
export const commaList: Spelling = {
  name: "comma list",
  canonical(value) {
    const items = Array.isArray(value) ? value : typeof value === "string" ? value.split(",") : undefined;
    if (items === undefined) return value;
    return items.map((item) => itemText(item).trim()).filter((item) => item !== "");
  },
  encode: (value) => (Array.isArray(value) ? value.map(itemText).join(",") : value),
};

const itemText = (item: Json) => textIn(item) ?? formatJson(item);

/** The same for a service that takes either: it travels as it was written. */
export const listOrCommaText: Spelling = { name: commaList.name, canonical: commaList.canonical };

/** Text in which upper and lower case are one. */
export const caseFolded: Spelling = {
  name: "case-folded text",
  canonical(value) {
    if (Array.isArray(value))
      return value.map((item) => (typeof item === "string" ? item.toLowerCase() : item));
    return typeof value === "string" ? value.toLowerCase() : value;
  },
};

/** The same, for a service that keeps it in upper case. */
export const upperCased: Spelling = {
  name: caseFolded.name,
  canonical: (value) => (typeof value === "string" ? value.toUpperCase() : value),
};

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

/** Whether this text names one instant, on whatever machine it is read. */
export function isInstant(text: string): boolean {
  return INSTANT.test(text) && !Number.isNaN(Date.parse(text));
}

/**
 * A point in time: every spelling of one instant is one value, in ISO 8601 with milliseconds. Text without a time or a zone
 * stays as it is, because it is another instant on another machine.
 */
export const instant: Spelling = {
  name: "instant",
  canonical(value) {
    return typeof value === "string" && isInstant(value) ? new Date(value).toISOString() : value;
  },
};
