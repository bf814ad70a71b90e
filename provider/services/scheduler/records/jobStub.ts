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

const jobModifyIndex = index("The job's check-and-set index: it moves with what the job says.");

const groupCounts = z.object({
  queued: count("Allocations that wait for a node."),
  complete: count("Allocations that ended with success."),
  failed: count("Allocations that failed."),
  running: count("Allocations that run."),
  starting: count("Allocations that are placed, and do not run yet."),
  lost: count("Allocations whose node was lost."),
  unknown: beside(z.int(), "Allocations of which the service does not know, because their node is cut off."),
});

const jobSummary = z.object({
  jobId: text("The id of the job whose allocations are counted.", "JobID"),
  namespace: text("The namespace that holds that job."),
  summary: mapOf(groupCounts, "How many allocations stand how, by the task group's name."),
  children: field(
    z
      .object({
        pending: count("Jobs that wait."),
        running: count("Jobs that run."),
        dead: count("Jobs that have ended."),
      })
      .optional(),
    { doc: "How many jobs were made of it stand how: of a periodic or a parameterised job." },
  ),
  createIndex,
  modifyIndex,
});

/** A job in a list (specification: Job stub). */
export const jobStub = z.object({
  id: text("The id by which the service knows the job.", "ID"),
  parentId: text(
    "The periodic or parameterised job that it was made of; empty where there is none.",
    "ParentID",
  ),
  name: text("What people call the job."),
  type: text("The kind of job: `service`, `batch`, `sysbatch` or `system`."),
  priority: count("How urgent the job is among others; the higher, the sooner."),
  status: text("How the job stands: `pending`, `running` or `dead`."),
  statusDescription: text("Why it is in this status; empty where there is nothing to say."),
  datacenters: texts("The datacenters in which it may run."),
  namespace: text("The namespace that holds the job."),
  multiregion: open("How it runs in several regions (enterprise edition)."),
  parameterizedJob: flag("Whether it is one of which jobs are made with parameters."),
  periodic: flag("Whether it is one of which jobs are made at times."),
  stop: flag("Whether it was stopped."),
  submitTime: time("When it was registered last."),
  jobSummary: field(jobSummary.optional(), { doc: "How its allocations stand." }),
  createIndex,
  modifyIndex,
  jobModifyIndex,
  nodePool: beside(z.string(), "The pool of nodes on which it may run."),
  meta: field(z.record(z.string(), z.string()).optional(), { doc: "Its metadata, where asked for." }),
});
