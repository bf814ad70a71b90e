import * as pulumi from "@pulumi/pulumi";

/** Seconds per unit of the engine's durations, `1h30m`. */
const UNITS: Readonly<Record<string, number>> = {
  h: 3600,
  m: 60,
  s: 1,
  ms: 1e-3,
  us: 1e-6,
  µs: 1e-6,
  ns: 1e-9,
};

/**
 * Merges the option `customTimeouts` into the input `timeouts`, because the engine does not pass the option to the provider.
 * The input takes precedence.
 * @throws Error for an invalid duration
 */
export function withCustomTimeouts(
  timeouts: unknown,
  custom: pulumi.CustomTimeouts | undefined,
  calledAs: string,
): unknown {
  const asked = Object.entries(custom ?? {}).filter(([, duration]) => duration !== undefined);
  if (asked.length === 0) return timeouts;
  const seconds = Object.fromEntries(
    asked.map(([step, duration]) => [step, secondsIn(duration, `${calledAs}: customTimeouts.${step}`)]),
  );
  if (timeouts === undefined || timeouts === null) return seconds;
  return pulumi.output(timeouts).apply((own: unknown) => ({ ...seconds, ...Object(own) }));
}

function secondsIn(duration: unknown, where: string): number {
  const text = String(duration);
  // Sticky: each part begins at the end of the previous one, so that no digit is read twice.
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s|us|µs|ns)/gy)];
  if (parts.length === 0 || parts.map(([part]) => part).join("") !== text) {
    throw new Error(
      `${where}: ${JSON.stringify(text)} is not a duration; write a duration such as "90s" or "1h30m"`,
    );
  }
  return parts.reduce((sum, [, number, unit = ""]) => sum + Number(number) * (UNITS[unit] ?? 0), 0);
}
