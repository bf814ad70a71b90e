import { z } from "zod";
import { field } from "../../../core";
import {
  beside,
  count,
  createIndex,
  flag,
  index,
  mapOf,
  modifyIndex,
  open,
  text,
  texts,
  time,
} from "./members";

const jobModifyIndex = index("Check-and-set index of the job, which changes with the job's specification.");

const groupCounts = z.object({
  queued: count("Number of allocations that wait for a node."),
  complete: count("Number of allocations that completed successfully."),
  failed: count("Number of failed allocations."),
  running: count("Number of running allocations."),
  starting: count("Number of placed allocations that do not run yet."),
  lost: count("Number of allocations whose node was lost."),
  unknown: beside(
    z.int(),
    "Number of allocations with an unknown status, because their node is disconnected.",
  ),
});

const jobSummary = z.object({
  jobId: text("ID of the job whose allocations are counted.", "JobID"),
  namespace: text("Namespace that contains that job."),
  summary: mapOf(groupCounts, "Number of allocations in each state, by task group name."),
  children: field(
    z
      .object({
        pending: count("Number of pending child jobs."),
        running: count("Number of running child jobs."),
        dead: count("Number of dead child jobs."),
      })
      .optional(),
    { doc: "Number of child jobs in each state, for a periodic or parameterized job." },
  ),
  createIndex,
  modifyIndex,
});

/** A job in a list (specification: Job stub). */
export const jobStub = z.object({
  id: text("Job ID in Nomad.", "ID"),
  parentId: text("ID of the periodic or parameterized parent job, or empty.", "ParentID"),
  name: text("Display name of the job."),
  type: text("Job type: `service`, `batch`, `sysbatch` or `system`."),
  priority: count("Priority of the job. Higher values are scheduled first."),
  status: text("Job status: `pending`, `running` or `dead`."),
  statusDescription: text("Reason for the status, or empty."),
  datacenters: texts("Datacenters where the job may run."),
  namespace: text("Namespace that contains the job."),
  multiregion: open("Deployment to several regions (Nomad Enterprise)."),
  parameterizedJob: flag("True if the job is parameterized."),
  periodic: flag("True if the job is periodic."),
  stop: flag("True if the job is stopped."),
  submitTime: time("Time of the last registration."),
  jobSummary: field(jobSummary.optional(), { doc: "Summary of the job's allocations." }),
  createIndex,
  modifyIndex,
  jobModifyIndex,
  nodePool: beside(z.string(), "Node pool where the job may run."),
  meta: field(z.record(z.string(), z.string()).optional(), { doc: "Metadata of the job, if requested." }),
});
