import { z } from "zod";
import { durationInSeconds, type Facts, field, type Json, type Rule, rule } from "../../core";

/** What a duration's property says beside the facts of every property. */
interface DurationFacts extends Facts {
  /** The shortest that the service takes, in seconds. Default: 0. */
  readonly least?: number;
}

/** A duration that must be given: text with a unit (`"24h"`, `"1h30m"`), or seconds as text or as a number. */
export function duration({ least = 0, ...facts }: DurationFacts) {
  return field(
    spelledDuration(least).refine((value) => value !== "", "must not be empty"),
    spelled(facts),
  );
}

/** A duration that may be left out, for which empty text is nothing (specification: A6, "an empty string removes a value"). */
export function optionalDuration({ least = 0, ...facts }: DurationFacts) {
  return field(spelledDuration(least).optional(), spelled(facts));
}

function spelled(facts: Facts): Facts {
  return {
    spelling: durationInSeconds,
    ...facts,
    doc: `${facts.doc} Text with a unit (\`"24h"\`), or seconds.`,
  };
}

/**
 * What the service reads as a duration (specification: Endpoints, "duration-format strings unless stated as int seconds";
 * wire facts: `"24h"`, `"86400"`, `86400`); a number without a unit is whole, and none is below nothing.
 */
function spelledDuration(least: number) {
  return z.union([z.string(), z.number()]).superRefine((value, context) => {
    const seconds = secondsIn(value);
    const message =
      seconds === undefined
        ? 'must be a duration: "24h", "1h30m", "86400" or 86400'
        : seconds < least
          ? `must be at least ${least} seconds`
          : undefined;
    if (message !== undefined) context.addIssue({ code: "custom", message });
  });
}

/** Seconds; undefined for what the service does not read as a duration. */
export function secondsIn(value: Json | undefined): number | undefined {
  const seconds = value === undefined ? undefined : durationInSeconds.canonical(value);
  if (typeof seconds !== "number") return undefined;
  return Number.isInteger(seconds) || !isBareNumber(value) ? seconds : undefined;
}

function isBareNumber(value: Json | undefined): boolean {
  return typeof value !== "string" || /\d$/.test(value);
}

/** The rule that one duration is not longer than another, where both are given. As the longer one, 0 sets no limit. */
export function notLonger(shorter: string, longer: string): Rule {
  const said = `must not be longer than \`${longer}\`; 0 sets no limit`;
  return rule(
    [shorter, longer],
    (...given) => {
      const [short, long] = given.map(secondsIn);
      const isLonger = short !== undefined && long !== undefined && long !== 0 && short > long;
      return isLonger ? `must not be longer than ${longer}` : undefined;
    },
    said,
  );
}
