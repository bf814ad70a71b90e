import { z } from "zod";
import { field } from "../../../core/language/facts";
import { durationInNanoseconds, parseDuration } from "../../../core/value/spelling";

const TEXT = /^-?(\d+(\.\d+)?(ns|us|µs|ms|s|m|h|d))+$/;

const text = z
  .string()
  .regex(TEXT, "must be a duration with units, such as 1m30s")
  .refine(isWhole, "must be nothing, or a nanosecond at least");

function isWhole(written: string): boolean {
  return Number.isInteger(parseDuration(written, 1) ?? 0);
}

/** A duration: whole nanoseconds, as they travel, or text with units. */
export const duration = (doc: string, wire?: string) =>
  field(z.union([z.int(), text]).optional(), {
    doc: `${doc} In nanoseconds, or text with units, such as \`"1m30s"\`.`,
    spelling: durationInNanoseconds,
    ...(wire !== undefined && { wire }),
  });
