import { z } from "zod";
import { durationInSeconds, type Facts, field, type Json, type Rule, rule, type Spelling } from "../../core";

/** The facts of a duration property, in addition to those of every property. */
interface DurationFacts extends Facts {
  /** The minimum, in seconds. Default: 0. */
  readonly least?: number;
}

/** A required duration: text with a unit (`"24h"`, `"1h30m"`), or seconds as text or as a number. */
export function duration({ least = 0, ...facts }: DurationFacts) {
  return field(
    spelledDuration(least).refine((value) => value !== "", "must not be empty"),
    durationFacts(facts),
  );
}

/** An optional duration. Empty text means no value (specification: A6, "an empty string removes a value"). */
export function optionalDuration({ least = 0, ...facts }: DurationFacts) {
  return field(spelledDuration(least).optional(), durationFacts(facts));
}

/** A duration as the server returns it: it truncates a fraction of a second. */
const wholeSeconds: Spelling = {
  ...durationInSeconds,
  canonical(value) {
    const seconds = durationInSeconds.canonical(value);
    return typeof seconds === "number" ? Math.trunc(seconds) : seconds;
  },
};

function durationFacts(facts: Facts): Facts {
  return {
    spelling: wholeSeconds,
    ...facts,
    doc: `${facts.doc} A string with a unit (\`"24h"\`), or seconds.`,
  };
}

/**
 * Accepts the durations that the server accepts (specification: Endpoints, "duration-format strings unless stated as int
 * seconds"; wire facts: `"24h"`, `"86400"`, `86400`). A number without a unit must be an integer, and no duration is
 * negative.
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

/** The seconds of a duration; undefined if the server does not accept the value as a duration. */
export function secondsIn(value: Json | undefined): number | undefined {
  const seconds = value === undefined ? undefined : durationInSeconds.canonical(value);
  if (typeof seconds !== "number") return undefined;
  return Number.isInteger(seconds) || !isBareNumber(value) ? seconds : undefined;
}

function isBareNumber(value: Json | undefined): boolean {
  return typeof value !== "string" || /\d$/.test(value);
}

/** The rule that one duration is not longer than another, if both are given. As the longer one, 0 sets no limit. */
export function notLonger(shorter: string, longer: string): Rule {
  const said = `must not be longer than \`${longer}\`, unless that is 0 (no limit)`;
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
