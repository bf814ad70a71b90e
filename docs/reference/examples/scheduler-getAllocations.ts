import * as pulumi from "@pulumi/pulumi";
import * as quarterdeck from "pulumi-quarterdeck";

const config = new pulumi.Config();

/** Where the job runs, and how it goes there. */
export const web = quarterdeck.scheduler.getAllocationsOutput({ jobId: config.require("jobId") });
