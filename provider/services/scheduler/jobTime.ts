import { type Json, NANOSECONDS_PER_MS } from "../../core";

/** The time of the job's last register, from its `SubmitTime` in nanoseconds; undefined if that is missing or zero. */
export function submitTime(time: Json | undefined): Date | undefined {
  const isTold = (typeof time === "number" || typeof time === "bigint") && time > 0;
  return isTold ? new Date(Number(time) / NANOSECONDS_PER_MS) : undefined;
}
