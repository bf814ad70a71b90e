import { invalid, notFound, serverError } from "./errors";
import { page } from "./listing";
import {
  type Endpoint,
  type Operation,
  type Outcome,
  pathJobId,
  queryFlag,
  requireAny,
  theReadableJob,
} from "./operation";
import type { Submission } from "./records";
import type { Job } from "./shape/job";
import { unescapeQuery } from "./submission";
import { summaryOf } from "./summary";
import { keyOf, type World } from "./world";

export const readJobEndpoints: readonly Endpoint[] = [
  { method: "GET", path: "/jobs", section: "List jobs", handle: list },
  { method: "GET", path: "/job/:job_id", section: "Read job", handle: read },
  { method: "GET", path: "/job/:job_id/submission", section: "Read job submission", handle: readSubmission },
  {
    method: "GET",
    path: "/job/:job_id/summary",
    section: "The other jobs endpoints",
    handle: readSummary,
  },
];

function list(operation: Operation): Outcome {
  const { request, world } = operation;
  const withMeta = queryFlag(request, "meta", serverError);
  const prefix = request.query.get("prefix") ?? "";
  const records = [...world.jobs.values()]
    .filter((job) => job.ID.startsWith(prefix))
    .map((job) => ({ namespace: job.Namespace, key: job.ID, item: job }));
  const { items, nextToken } = page(operation, records, "list-jobs", ["prefix"]);
  return {
    body: items.map((job) => stub(world, job, withMeta)),
    index: world.indexOf("jobs", "job_summary"),
    nextToken,
  };
}

function read(operation: Operation): Outcome {
  const job = theReadableJob(operation);
  return { body: job, index: job.ModifyIndex };
}

/** "Only available if the submission was supplied at registration." */
function readSubmission(operation: Operation): Outcome {
  const { request, world, namespace, switches } = operation;
  const version = request.query.get("version") ?? "";
  if (!/^\d+$/.test(version)) throw invalid("Unable to parse job submission version parameter");
  requireAny(operation, ["read-job"]);
  const submission = world.submissions
    .get(keyOf(namespace, pathJobId(request)))
    ?.find((candidate) => candidate.Version === Number(version));
  if (submission === undefined) throw notFound("job source not found", 0);
  const body = switches.dialect === "real" ? asTheProductAnswers(submission) : submission;
  return { body, index: submission.JobIndex };
}

/** Nomad unescapes the flags itself and names the index `JobModifyIndex`. */
function asTheProductAnswers({ JobIndex, VariableFlags, ...rest }: Submission): unknown {
  const flags = VariableFlags && Object.entries(VariableFlags);
  return {
    ...rest,
    VariableFlags: flags && Object.fromEntries(flags.map(([name, value]) => [name, unescapeQuery(value)])),
    JobModifyIndex: JobIndex,
  };
}

function readSummary(operation: Operation): Outcome {
  const job = theReadableJob(operation);
  return { body: summaryOf(operation.world, job), index: operation.world.indexOf("job_summary") };
}

/** The section "Job stub". */
function stub(world: World, job: Job, withMeta: boolean): unknown {
  return {
    ID: job.ID,
    ParentID: job.ParentID,
    Name: job.Name,
    Namespace: job.Namespace,
    Datacenters: job.Datacenters,
    NodePool: job.NodePool,
    Multiregion: job.Multiregion,
    Type: job.Type,
    Priority: job.Priority,
    Periodic: job.Periodic !== null,
    ParameterizedJob: job.ParameterizedJob !== null,
    Stop: job.Stop,
    Status: job.Status,
    StatusDescription: job.StatusDescription,
    JobSummary: summaryOf(world, job),
    CreateIndex: job.CreateIndex,
    ModifyIndex: job.ModifyIndex,
    JobModifyIndex: job.JobModifyIndex,
    SubmitTime: job.SubmitTime,
    ...(withMeta ? { Meta: job.Meta } : {}),
  };
}
