import { z } from "zod";
import { durationInNanoseconds, field, isDurationWithUnits, parseDuration } from "../../../core";

/**
 * A duration that converts to integer nanoseconds, the only format that Nomad reads (specification: Resources and their
 * fields, `Interval`, `Delay`, `KillTimeout`…; wire facts: integer nanoseconds).
 */
const text = z
  .string()
  .refine(isDurationWithUnits, "must be a duration with units, such as 1m30s")
  .refine(isWhole, "must be a whole number of nanoseconds");

/** 104 days exceed the safe integers of a double, but are valid durations. */
const nanoseconds = z.number().refine(Number.isInteger, "must be a whole number of nanoseconds");

function isWhole(written: string): boolean {
  return Number.isInteger(parseDuration(written, 1) ?? 0);
}

/** A duration: integer nanoseconds, as in the API, or text with units. */
export const duration = (doc: string, wire?: string) =>
  field(z.union([nanoseconds, text]).optional(), {
    doc: `${doc} Nanoseconds, or a string with a unit such as \`"1m30s"\`.`,
    spelling: durationInNanoseconds,
    ...(wire !== undefined && { wire }),
  });
