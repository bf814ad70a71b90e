import { z } from "zod";
import { field } from "../../../core/facts";
import { durationInNanoseconds } from "../../../core/spelling";

const TEXT = /^-?(\d+(\.\d+)?(ns|us|µs|ms|s|m|h|d))+$/;

/** A duration: whole nanoseconds, as they travel, or text with units. */
export const duration = (doc: string, wire?: string) =>
  field(
    z.union([z.int(), z.string().regex(TEXT, "must be a duration with units, such as 1m30s")]).optional(),
    {
      doc: `${doc} In nanoseconds, or text with units, such as \`"1m30s"\`.`,
      spelling: durationInNanoseconds,
      ...(wire !== undefined && { wire }),
    },
  );
