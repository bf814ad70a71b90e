const NANOSECONDS: Readonly<Record<string, number>> = {
  ns: 1,
  us: 1e3,
  µs: 1e3,
  μs: 1e3,
  ms: 1e6,
  s: 1e9,
  m: 60e9,
  h: 3600e9,
};

const DURATION = /^([+-]?)((?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+|0)$/;
const PART = /(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g;

/** The nanoseconds of a duration such as `15s` or `1m30s`; undefined if it is invalid. */
export function parseDuration(text: string): number | undefined {
  const [, sign, amounts] = DURATION.exec(text) ?? [];
  if (amounts === undefined) return undefined;
  const total = [...amounts.matchAll(PART)].reduce(
    (sum, [, amount, unit]) => sum + Number(amount) * (NANOSECONDS[unit ?? ""] ?? 0),
    0,
  );
  return Math.round(sign === "-" ? -total : total);
}

/** A duration in the services' format: `90s` is `1m30s`, half a second is `500ms`. */
export function formatDuration(nanoseconds: number): string {
  if (nanoseconds === 0) return "0s";
  const sign = nanoseconds < 0 ? "-" : "";
  const amount = Math.abs(nanoseconds);
  if (amount < 1e3) return `${sign}${amount}ns`;
  if (amount < 1e6) return `${sign}${amount / 1e3}µs`;
  if (amount < 1e9) return `${sign}${amount / 1e6}ms`;
  const hours = Math.floor(amount / 3600e9);
  const minutes = Math.floor(amount / 60e9) % 60;
  const seconds = (amount % 60e9) / 1e9;
  const shownHours = hours > 0 ? `${hours}h` : "";
  const shownMinutes = hours > 0 || minutes > 0 ? `${minutes}m` : "";
  return `${sign}${shownHours}${shownMinutes}${seconds}s`;
}
