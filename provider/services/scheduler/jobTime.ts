import { type Json, NANOSECONDS_PER_MS } from "../../core";

/** When a job was registered last, by its `SubmitTime` in nanoseconds; undefined where it does not tell. */
export function submittedAt(time: Json | undefined): Date | undefined {
  const isTold = (typeof time === "number" || typeof time === "bigint") && time > 0;
  return isTold ? new Date(Number(time) / NANOSECONDS_PER_MS) : undefined;
}
