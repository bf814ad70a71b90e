const AMOUNTS = /(\d+\.?\d*|\.\d+)(ms|us|µs|μs|ns|[dhms])/g;
const DURATION = /^[-+]?((\d+\.?\d*|\.\d+)(ms|us|µs|μs|ns|[dhms]))+$/;

/**
 * Parses a duration in any accepted format (`"24h"`, `"1h30m"`, `"86400"`, `86400`) to integer seconds; undefined for
 * anything else.
 */
export function seconds(value: unknown): number | undefined {
  if (typeof value === "number") return Number.isInteger(value) ? value : undefined;
  if (typeof value !== "string") return undefined;
  if (value === "") return 0;
  if (/^[-+]?\d+$/.test(value)) return Number(value);
  if (!DURATION.test(value)) return undefined;
  const total = [...value.matchAll(AMOUNTS)].reduce(
    (sum, [, amount, unit]) => sum + Number(amount) * (UNITS[unit ?? ""] ?? 0),
    0,
  );
  return Math.trunc(value.startsWith("-") ? -total : total);
}

const UNITS: Readonly<Record<string, number>> = {
  d: 86_400,
  h: 3600,
  m: 60,
  s: 1,
  ms: 1e-3,
  us: 1e-6,
  µs: 1e-6,
  μs: 1e-6,
  ns: 1e-9,
};

/** Seconds in the format `1h30m0s`, which the AWS engine's lease configuration returns. */
export function durationText(total: number): string {
  const hours = Math.floor(total / 3600);
  const minutes = Math.floor((total % 3600) / 60);
  if (hours > 0) return `${hours}h${minutes}m${total % 60}s`;
  return minutes > 0 ? `${minutes}m${total % 60}s` : `${total % 60}s`;
}
