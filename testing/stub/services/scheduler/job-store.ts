import { isDeepStrictEqual } from "node:util";
import type { Identifiers } from "./identifiers";
import type { Submission } from "./records";
import type { Switches } from "./settings";
import type { Job } from "./shape/job";
import { keyOf, type World } from "./world";

/** The dependencies of every change to a job. */
export interface Writer {
  readonly world: World;
  readonly identifiers: Identifiers;
  readonly switches: Switches;
  readonly now: number;
}

/** "Only the most recent 6 job source files are retained", and as many versions. */
const KEPT = 6;

/** A submission before the server assigns it to a version. */
export type SentSubmission = Pick<Submission, "Source" | "Format" | "VariableFlags" | "Variables">;

/**
 * Stores a job as a new version: increments `JobModifyIndex` and, unless the job is new, `Version`. The index of the write
 * becomes the current index. An `inherited` submission is copied from the version that `job` still carries, because a
 * stopped, scaled or reverted job has the same source.
 */
export function storeVersion(writer: Writer, job: Job, submission?: SentSubmission | "inherited"): Job {
  const { world, now } = writer;
  const key = keyOf(job.Namespace, job.ID);
  const before = world.jobs.get(key);
  const index = world.write("jobs", "job_version", "job_summary");
  const version = before === undefined ? 0 : before.Version + 1;
  const stored: Job = {
    ...job,
    Version: version,
    SubmitTime: now * NANOSECONDS,
    Status: before?.Status ?? "",
    StatusDescription: "",
    Stable: false,
    CreateIndex: before?.CreateIndex ?? index,
    ModifyIndex: index,
    JobModifyIndex: index,
  };
  world.jobs.set(key, stored);
  world.versions.set(key, keptVersions([stored, ...(world.versions.get(key) ?? [])]));
  const text =
    submission === "inherited"
      ? world.submissions.get(key)?.find(({ Version }) => Version === job.Version)
      : submission;
  if (text !== undefined) keepSubmission(world, key, text, stored);
  refreshStatus(world, stored.Namespace, stored.ID);
  return world.jobs.get(key) ?? stored;
}

const NANOSECONDS = 1_000_000;

/** Retains the latest stable version, however old it is. */
function keptVersions(versions: readonly Job[]): readonly Job[] {
  if (versions.length <= KEPT) return versions;
  const stable = versions.findIndex((version) => version.Stable);
  const last = stable >= KEPT ? stable : KEPT - 1;
  return versions.filter((_, index) => index < KEPT - 1 || index === last);
}

function keepSubmission(world: World, key: string, text: SentSubmission, job: Job): void {
  const submission: Submission = {
    Source: text.Source,
    Format: text.Format,
    VariableFlags: text.VariableFlags,
    Variables: text.Variables,
    Namespace: job.Namespace,
    JobID: job.ID,
    Version: job.Version,
    JobIndex: job.JobModifyIndex,
  };
  world.submissions.set(key, [submission, ...(world.submissions.get(key) ?? [])].slice(0, KEPT));
  world.touch("job_submission");
}

/** Changes fields outside the job's specification, in the job and in its version's record. */
export function amendJob(world: World, job: Job): void {
  const key = keyOf(job.Namespace, job.ID);
  world.jobs.set(key, job);
  amendVersion(world, job);
}

export function amendVersion(world: World, job: Job): void {
  const key = keyOf(job.Namespace, job.ID);
  const versions = world.versions.get(key) ?? [];
  world.versions.set(
    key,
    versions.map((version) => (version.Version === job.Version ? job : version)),
  );
  world.touch("job_version");
}

/** Deletes the versions, submissions and scaling events of a purged job; its evaluations and allocations stay. */
export function purge(world: World, job: Job): void {
  const key = keyOf(job.Namespace, job.ID);
  world.write("jobs", "job_version", "job_summary", "job_submission");
  world.jobs.delete(key);
  world.versions.delete(key);
  world.submissions.delete(key);
  world.scalingEvents.delete(key);
}

/** Derives a job's `Status` from its allocations and evaluations after a write; increments only `ModifyIndex`. */
export function refreshStatus(world: World, namespace: string, jobId: string): void {
  const job = world.jobs.get(keyOf(namespace, jobId));
  if (job === undefined) return;
  const status = statusOf(world, job);
  if (status === job.Status) return;
  world.touch("jobs", "job_summary");
  amendJob(world, { ...job, Status: status, ModifyIndex: world.index });
}

function statusOf(world: World, job: Job): string {
  if (job.Type === "system" || isPeriodic(job) || isParameterized(job)) return job.Stop ? "dead" : "running";
  const { Namespace: namespace, ID: id } = job;
  const deploys = world.deploymentsOf(namespace, id).some(({ Status }) => ACTIVE.has(Status));
  if (deploys || world.allocationsOf(namespace, id).some((allocation) => !isTerminal(allocation))) {
    return "running";
  }
  const evaluations = world.evaluationsOf(namespace, id);
  if (evaluations.some(({ Status }) => Status === "pending" || Status === "blocked")) return "pending";
  return evaluations.length > 0 || job.Stop ? "dead" : "pending";
}

const ACTIVE: ReadonlySet<string> = new Set(["running", "paused"]);

export function isTerminal({
  DesiredStatus,
  ClientStatus,
}: {
  readonly DesiredStatus: string;
  readonly ClientStatus: string;
}): boolean {
  return DesiredStatus === "stop" || ClientStatus === "complete" || ClientStatus === "failed";
}

/** Nomad never evaluates a periodic job itself, only its launches. */
export function isPeriodic(job: Job): boolean {
  return job.Periodic !== null;
}

/** A dispatched job is not parameterized, although it has its parent's block. */
export function isParameterized(job: Job): boolean {
  return job.ParameterizedJob !== null && !job.Dispatched;
}

/** True if registering `next` over `stored` creates a new version. */
export function specificationDiffers(stored: Job, next: Job): boolean {
  return !isDeepStrictEqual(specificationOf(stored), specificationOf(next));
}

function specificationOf(job: Job): Partial<Job> {
  const {
    Status: _status,
    StatusDescription: _description,
    Stable: _stable,
    Version: _version,
    SubmitTime: _submitted,
    CreateIndex: _created,
    ModifyIndex: _modified,
    JobModifyIndex: _jobModified,
    VersionTag: _tag,
    ...specification
  } = job;
  return specification;
}
