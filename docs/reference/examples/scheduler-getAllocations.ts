import * as quarterdeck from "pulumi-quarterdeck";

/** Where the job runs, and how it goes there. */
const web = quarterdeck.scheduler.getAllocationsOutput({ jobId: "web" });

export const allocations = web.allocations;
