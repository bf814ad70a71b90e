import { isObject } from "../../json";
import { invalid } from "./errors";
import { type Endpoint, type Operation, type Outcome, readBody } from "./operation";
import { admit, register, requireSubmission } from "./registration";
import { flag, integer, optional, struct } from "./shape/field";
import { type GivenJob, job } from "./shape/job";
import { admitSubmission, submissionShape } from "./submission";

/** The table of "Create job". */
const body = struct({
  Job: optional(job),
  Submission: optional(submissionShape),
  EnforceIndex: flag(),
  JobModifyIndex: integer(),
  EvalPriority: integer(),
  PolicyOverride: flag(),
  PreserveCounts: flag(),
});

/** "PUT creates a job", and so does POST; the path of one job takes the same body. */
export const createJobEndpoints: readonly Endpoint[] = (["POST", "PUT"] as const).flatMap((method) => [
  { method, path: "/jobs", section: "Create job", regionOf: regionOfBody, handle: create },
  { method, path: "/job/:job_id", section: "Create job", regionOf: regionOfBody, handle: create },
]);

function create(operation: Operation): Outcome {
  const given = readBody(operation, "JobRegisterRequest", body);
  const sent = theSentJob(given.Job, operation, "Job ID hasn't been provided", "Job ID does not match name");
  refuseScaledSystemJob(sent);
  refuseEvaluationPriority(given.EvalPriority ?? 0);
  const namespace = namespaceOf(sent, operation);
  const admitted = admit(operation, sent, namespace);
  const { submission, warnings } = admitSubmission(given.Submission, operation.switches.largestSubmission);
  requireSubmission(operation, namespace, given.PolicyOverride ?? false);
  const registered = register(operation, {
    job: admitted,
    submission,
    enforcedIndex: given.EnforceIndex === true ? (given.JobModifyIndex ?? 0) : undefined,
    evaluationPriority: given.EvalPriority ?? 0,
    preservesCounts: given.PreserveCounts ?? false,
  });
  return {
    body: { ...registered, Warnings: warningsText(warnings), ...QUERY_META },
    index: registered.Index,
  };
}

/** The job of a body; 400 where there is none, or where it is not the one that the path names. */
export function theSentJob(
  sent: GivenJob | undefined,
  { request }: Operation,
  withoutId: string,
  mismatch: string,
): GivenJob {
  if (sent === undefined) throw invalid("Job must be specified");
  if (sent.ID === undefined) throw invalid(withoutId);
  const named = request.params.job_id;
  if (named !== undefined && named !== sent.ID) throw invalid(mismatch);
  return sent;
}

/** "The query's `namespace` overrides the job's own." */
export function namespaceOf(sent: GivenJob, { request }: Operation): string {
  return request.query.get("namespace") || sent.Namespace || "default";
}

/**
 * The region that a body's job goes to where the query names none: its own, but `global` is wherever the
 * agent is. A body that cannot be read says nothing; it is refused later.
 */
export function regionOfBody(request: Operation["request"]): string | undefined {
  const region = memberOf(memberOf(request.json(), "job"), "region");
  return typeof region === "string" && region !== "" && region !== "global" ? region : undefined;
}

/** The last member of that name, whatever its case. */
function memberOf(owner: unknown, name: string): unknown {
  return Object.entries(isObject(owner) ? owner : {}).findLast(([key]) => key.toLowerCase() === name)?.[1];
}

export function warningsText(warnings: readonly string[]): string {
  if (warnings.length === 0) return "";
  return `${warnings.length} warning(s):\n${warnings.map((warning) => `\n* ${warning}`).join("")}`;
}

/** A write's answer is the leader's own. */
export const QUERY_META = { LastContact: 0, KnownLeader: false, NextToken: "" } as const;

function refuseScaledSystemJob(sent: GivenJob): void {
  const scales = sent.TaskGroups?.some((group) => group.Scaling !== undefined) ?? false;
  if (sent.Type === "system" && scales) {
    throw invalid("Task groups with job type system do not support scaling blocks");
  }
}

export function refuseEvaluationPriority(priority: number): void {
  if (priority !== 0 && (priority < 1 || priority > 100)) {
    throw invalid("Eval priority must be between 1 and 100 inclusively");
  }
}
