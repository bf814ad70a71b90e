import type { Ends } from "../../core";

const BATCH: ReadonlySet<unknown> = new Set(["batch", "sysbatch"]);

/**
 * A batch job ends by itself: Nomad sets its status to `dead`, and the garbage collection removes it later. A job that someone
 * stopped has not ended, and a periodic or parameterized one never does. A list shows these two as booleans.
 */
export const jobEnd: Ends = {
  hasEnded: ({ Type, Status, Stop, Periodic, ParameterizedJob }) =>
    BATCH.has(Type) && Status === "dead" && Stop !== true && !Periodic && !ParameterizedJob,
  isMadeAgain: ({ rerunAfterGarbageCollection }) => rerunAfterGarbageCollection === true,
  note:
    "the job has finished, and Nomad's garbage collection has removed it: it is registered again only if its inputs " +
    "change, or with rerunAfterGarbageCollection: true",
};
