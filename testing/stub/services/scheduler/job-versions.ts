import { QUERY_META } from "./create-job";
import { toWire } from "./dialect";
import { invalid, notFound, Refusal, serverError } from "./errors";
import { diffJobs } from "./job-diff/diff";
import {
  type Endpoint,
  jobAt,
  type Operation,
  type Outcome,
  pathJobId,
  queryFlag,
  readBody,
  requireAny,
} from "./operation";
import { setStable } from "./progress/deployment";
import { register } from "./registration";
import { flag, integer, struct, text } from "./shape/field";
import type { Job } from "./shape/job";
import { keyOf } from "./world";

export const jobVersionEndpoints: readonly Endpoint[] = [
  { method: "GET", path: "/job/:job_id/versions", section: "List job versions", handle: list },
  ...(["POST", "PUT"] as const).flatMap((method): readonly Endpoint[] => [
    { method, path: "/job/:job_id/revert", section: "The other jobs endpoints", handle: revert },
    { method, path: "/job/:job_id/stable", section: "The other jobs endpoints", handle: mark },
  ]),
];

/** "`Diffs` (null or array) … `Versions` (array of Job, newest first)." */
function list(operation: Operation): Outcome {
  const { request, world, namespace, switches } = operation;
  const withDiffs = queryFlag(request, "diffs", serverError);
  requireAny(operation, ["read-job"]);
  const versions = world.versions.get(keyOf(namespace, pathJobId(request))) ?? [];
  if (versions.length === 0) throw notFound("job versions not found", world.indexOf("job_version"));
  const index = Math.max(...versions.map((version) => version.ModifyIndex));
  const wire = versions.map((version) => toWire(version, switches.dialect));
  const diffs = wire.slice(0, -1).map((version, position) => diffJobs(wire[position + 1], version));
  return {
    body: {
      Versions: versions,
      Diffs: withDiffs && diffs.length > 0 ? diffs : null,
      Index: index,
      LastContact: switches.lastContactMilliseconds,
      KnownLeader: switches.knownLeader,
      NextToken: "",
    },
    index,
  };
}

const revertBody = struct({ JobID: text(), JobVersion: integer(), EnforcePriorVersion: integer() });

/** Registers an earlier version again, as a new one. */
function revert(operation: Operation): Outcome {
  const given = readBody(operation, "JobRevertRequest", revertBody);
  requireSameJob(given.JobID, operation);
  requireAny(operation, ["submit-job"]);
  const current = jobAt(operation);
  if (current === undefined) throw serverError(`job "${pathJobId(operation.request)}" not found`);
  const version = given.JobVersion ?? 0;
  if (version === current.Version) throw serverError("can't revert to current version");
  const target = theVersion(operation, version);
  const prior = given.EnforcePriorVersion;
  if (prior !== undefined && prior !== current.Version) {
    throw serverError(`Current job has version ${current.Version}; enforcing version ${prior}`);
  }
  const job = { ...target, SchedTokenID: operation.caller.accessor };
  const registered = register(operation, { job, submission: "inherited" });
  return { body: { ...registered, Warnings: "", ...QUERY_META }, index: registered.Index };
}

const stabilityBody = struct({ JobID: text(), JobVersion: integer(), Stable: flag() });

function mark(operation: Operation): Outcome {
  const given = readBody(operation, "JobStabilityRequest", stabilityBody);
  requireSameJob(given.JobID, operation);
  requireAny(operation, ["submit-job"]);
  const version = theVersion(operation, given.JobVersion ?? 0);
  const index = operation.world.write("job_version");
  setStable(operation.world, version, given.Stable ?? false);
  return { body: { Index: index }, index };
}

function theVersion({ world, namespace, request }: Operation, version: number): Job {
  const id = pathJobId(request);
  const found = world.versions.get(keyOf(namespace, id))?.find((candidate) => candidate.Version === version);
  if (found === undefined) {
    throw serverError(`job "${id}" in namespace "${namespace}" at version ${version} not found`);
  }
  return found;
}

function requireSameJob(sent: string | undefined, { request }: Operation): void {
  if (sent === undefined || sent === "") throw invalid("JobID must be specified");
  if (sent !== pathJobId(request)) throw new Refusal(400, "Job ID does not match");
}
