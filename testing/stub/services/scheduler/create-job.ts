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
  PreserveResources: flag(),
});

/** "PUT creates a job", and so does POST; the path of one job accepts the same body. */
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
    preservesResources: given.PreserveResources ?? false,
  });
  return {
    body: { ...registered, Warnings: warningsText(warnings), ...QUERY_META },
    index: registered.Index,
  };
}

/** The job of a body; throws a 400 if it is missing or its ID differs from the path. */
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
 * The region of a body's job, used if the query names none. `global` means the agent's region. An unreadable body yields
 * undefined; a later step rejects it.
 */
export function regionOfBody(request: Operation["request"]): string | undefined {
  const region = memberOf(memberOf(request.json(), "job"), "region");
  return typeof region === "string" && region !== "" && region !== "global" ? region : undefined;
}

/** The last member of that name, matched case-insensitively. */
function memberOf(owner: unknown, name: string): unknown {
  return Object.entries(isObject(owner) ? owner : {}).findLast(([key]) => key.toLowerCase() === name)?.[1];
}

export function warningsText(warnings: readonly string[]): string {
  if (warnings.length === 0) return "";
  return `${warnings.length} warning(s):\n${warnings.map((warning) => `\n* ${warning}`).join("")}`;
}

/** The leader itself answers a write, so the contact is 0. */
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
