import type { Json } from "./json";

export const NANOSECONDS_PER_MS = 1e6;

const UNIT_NANOSECONDS: Readonly<Record<string, number>> = {
  ns: 1,
  us: 1e3,
  // The micro sign, and the Greek letter.
  µs: 1e3,
  μs: 1e3,
  ms: NANOSECONDS_PER_MS,
  s: 1e9,
  m: 60e9,
  h: 3600e9,
  d: 86_400e9,
};

const WITH_UNITS = /^([-+]?)((?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|[smhd]))+)$/;
const PART = /(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|[smhd])/gy;

/** True if a text is a duration with units, in any form that the services write and read: `1m30s`, `+.5h`. */
export function isDurationWithUnits(text: string): boolean {
  return WITH_UNITS.test(text);
}

/**
 * Reads `"1h30m"`, `"24h"`, `"86400"`, `86400` as nanoseconds; a bare number counts in `bareUnit`. Rounds text to whole
 * nanoseconds, unless it is less than one nanosecond.
 */
export function parseDuration(value: Json, bareUnit: number): number | undefined {
  if (typeof value === "number" || typeof value === "bigint") return finite(Number(value) * bareUnit);
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  if (/^[-+]?\d+(\.\d+)?$/.test(text)) return finite(wholeNanoseconds(Number(text) * bareUnit));
  const [, sign, parts] = WITH_UNITS.exec(text) ?? [];
  if (parts === undefined) return undefined;
  let total = 0;
  for (const [, amount, unit] of parts.matchAll(PART)) {
    total += Number(amount) * (UNIT_NANOSECONDS[unit ?? ""] ?? Number.NaN);
  }
  return finite(wholeNanoseconds(sign === "-" ? -total : total));
}

/** A duration beyond the range of numbers is not valid. */
function finite(nanoseconds: number): number | undefined {
  return Number.isFinite(nanoseconds) || Number.isNaN(nanoseconds) ? nanoseconds : undefined;
}

function wholeNanoseconds(value: number): number {
  return Math.abs(value) < 1 ? value : Math.round(value);
}

/**
 * A duration as a person writes it: `8h`, `1m30s`. Undefined if the value is not a duration, or not in whole nanoseconds.
 * @param unit the number's unit, in nanoseconds
 */
export function durationText(value: Json, unit: number): string | undefined {
  if (typeof value !== "number" && typeof value !== "bigint") return undefined;
  const total = typeof value === "bigint" ? value * BigInt(unit) : wholeIn(value * unit);
  if (total === undefined || total < 0n) return undefined;
  let rest = total;
  const parts = WRITTEN_UNITS.map((name) => {
    const size = BigInt(UNIT_NANOSECONDS[name] ?? 1);
    const count = rest / size;
    rest %= size;
    return count === 0n ? "" : `${count}${name}`;
  });
  return parts.join("") || "0s";
}

const WRITTEN_UNITS = ["h", "m", "s", "ms", "us", "ns"];

function wholeIn(nanoseconds: number): bigint | undefined {
  const whole = wholeNanoseconds(nanoseconds);
  return Number.isInteger(whole) ? BigInt(whole) : undefined;
}
