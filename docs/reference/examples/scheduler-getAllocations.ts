import * as quarterdeck from "pulumi-quarterdeck";

/** The allocations of the job: their nodes and their status. */
const web = quarterdeck.scheduler.getAllocationsOutput({ jobId: "web" });

export const allocations = web.allocations;
