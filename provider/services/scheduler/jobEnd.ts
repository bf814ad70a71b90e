import type { Ends } from "../../core";

const BATCH: ReadonlySet<unknown> = new Set(["batch", "sysbatch"]);

/**
 * Nomad sets the status of a finished batch job to `dead`, and its garbage collection removes the job later. A job that
 * someone stopped has not ended. A periodic or parameterized job never ends; a list shows these two members as booleans.
 */
export const jobEnd: Ends = {
  hasEnded: ({ Type, Status, Stop, Periodic, ParameterizedJob }) =>
    BATCH.has(Type) && Status === "dead" && Stop !== true && !Periodic && !ParameterizedJob,
  isRecreated: ({ rerunAfterGarbageCollection }) => rerunAfterGarbageCollection === true,
  note:
    "the job has finished, and Nomad's garbage collection has removed the job: pulumi up registers the job again only if its inputs " +
    "change, or with rerunAfterGarbageCollection: true",
};
