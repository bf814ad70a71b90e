import { z } from "zod";
import { type Facts, field } from "../../core/language/facts";
import { rule } from "../../core/language/rules";
import type { Json } from "../../core/value/json";
import { durationInSeconds } from "../../core/value/spelling";

/** What a duration's property says beside the facts of every property. */
interface DurationFacts extends Facts {
  /** The shortest that the service takes, in seconds. Default: 0. */
  readonly least?: number;
}

/** A duration that must be given: text with a unit (`"24h"`, `"1h30m"`), or seconds as text or as a number. */
export function duration({ least = 0, ...facts }: DurationFacts) {
  return field(spelledDuration(least), spelled(facts));
}

/** A duration that may be left out. */
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

function spelledDuration(least: number) {
  return z.union([z.string(), z.number()]).superRefine((value, context) => {
    const seconds = secondsIn(value);
    const message =
      seconds === undefined
        ? 'must be a duration in whole seconds: "24h", "1h30m", "86400" or 86400'
        : seconds < least
          ? `must be at least ${least} seconds`
          : undefined;
    if (message !== undefined) context.addIssue({ code: "custom", message });
  });
}

/** Whole seconds; undefined for what is no duration that the service could keep. */
export function secondsIn(value: Json | undefined): number | undefined {
  const seconds = value === undefined ? undefined : durationInSeconds.canonical(value);
  return typeof seconds === "number" && Number.isInteger(seconds) ? seconds : undefined;
}

/** What 0 and absence mean for two durations. */
interface Limits {
  /** 0 sets no limit: as the shorter one it is longer than any limit. */
  readonly isUnlimited: boolean;
  /** What the service takes where either is not given, in seconds. */
  readonly default?: number;
}

/** The rule that one duration is not longer than another. As the longer one, 0 never limits. */
export function notLonger(shorter: string, longer: string, { isUnlimited, default: absent }: Limits) {
  const zero = isUnlimited ? "; 0 is unlimited" : "; 0 sets no limit";
  const unset = absent === undefined ? "" : `; where either is not given, it is ${absent} seconds`;
  const told = (first: Json | undefined, second: Json | undefined) => {
    const [short, long] = [first ?? absent, second ?? absent].map(secondsIn);
    if (short === undefined || long === undefined || long === 0) return undefined;
    const limit = second === undefined ? `${longer}, which is ${long} seconds where it is not given` : longer;
    if (isUnlimited && short === 0) return `is 0, which is unlimited, and so longer than ${limit}`;
    if (short <= long) return undefined;
    const given = first === undefined ? `is ${short} seconds where it is not given, and ` : "";
    return `${given}must not be longer than ${limit}`;
  };
  return rule([shorter, longer], told, `must not be longer than \`${longer}\`${zero}${unset}`);
}
