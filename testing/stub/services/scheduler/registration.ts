import { withoutIgnored } from "./canonical/ignored";
import { canonicalJob } from "./canonical/job";
import { permissionError, Refusal, serverError } from "./errors";
import { evaluate } from "./evaluations";
import { inject } from "./injection";
import {
  isParameterized,
  isPeriodic,
  type SentSubmission,
  specificationDiffers,
  storeVersion,
  type Writer,
} from "./job-store";
import type { Operation } from "./operation";
import type { GivenJob, Job } from "./shape/job";
import { errorsText } from "./validation/errors";
import { jobErrors, transitionError } from "./validation/job";
import { keyOf } from "./world";

/** The options of a registration besides the job; the table of "Create job". */
export interface Registration {
  readonly job: Job;
  readonly submission?: SentSubmission | "inherited" | undefined;
  readonly enforcedIndex?: number | undefined;
  readonly evaluationPriority?: number;
  readonly preservesCounts?: boolean;
  readonly preservesResources?: boolean;
}

export interface Registered {
  readonly EvalID: string;
  readonly EvalCreateIndex: number;
  readonly JobModifyIndex: number;
  readonly Index: number;
}

/** The job as it would be stored: validated, with defaults and with the parts that Nomad adds. */
export function admit(operation: Operation, sent: GivenJob, namespace: string): Job {
  const { switches, world, caller, region } = operation;
  const own: GivenJob = {
    ...(switches.dialect === "real" ? withoutIgnored(sent) : sent),
    Namespace: namespace,
    Region: region,
    SchedTokenID: caller.accessor,
    ParentID: "",
    Dispatched: false,
    DispatchIdempotencyToken: "",
  };
  const job = canonicalJob(inject(own, switches), switches.defaultPriority);
  const errors = jobErrors(job, world);
  if (errors.length > 0) throw new Refusal(switches.validationStatus, errorsText(errors));
  return withScalingIds(job, world.jobs.get(keyOf(namespace, job.ID)), operation);
}

/** Throws a 403 unless the caller may submit jobs and, if requested, override policies. */
export function requireSubmission({ caller, world }: Operation, namespace: string, overrides: boolean): void {
  if (!caller.may("submit-job", namespace, world.namespaces)) throw permissionError();
  if (overrides && !caller.may("policy-override", namespace, world.namespaces)) throw permissionError();
}

/**
 * Registers an admitted job. An unchanged job gets no new version, and the response's `JobModifyIndex` is then the job's
 * `ModifyIndex`.
 */
export function register(writer: Writer, registration: Registration): Registered {
  const { world } = writer;
  const { job, submission, evaluationPriority = 0 } = registration;
  const stored = world.jobs.get(keyOf(job.Namespace, job.ID));
  if (registration.enforcedIndex !== undefined) {
    enforceIndex(stored, registration.enforcedIndex, writer.switches.rpcPrefix);
  }
  const transition = stored === undefined ? undefined : transitionError(stored, job);
  if (transition !== undefined) throw serverError(transition);
  const isNew = stored === undefined || specificationDiffers(stored, job);
  const evaluates = !isPeriodic(job) && !isParameterized(job);
  if (!isNew && evaluates) world.write("evals");
  const counted = registration.preservesCounts === true ? withCountsOf(job, stored) : job;
  const kept = registration.preservesResources === true ? withResourcesOf(counted, stored) : counted;
  const next = isNew ? storeVersion(writer, kept, submission) : stored;
  const priority = evaluationPriority > 0 ? evaluationPriority : next.Priority;
  const evaluation = evaluates
    ? evaluate(writer, next, "job-register", { Priority: priority, ...(isNew ? {} : { JobModifyIndex: 0 }) })
    : undefined;
  return {
    EvalID: evaluation?.ID ?? "",
    EvalCreateIndex: evaluation === undefined ? 0 : world.index,
    JobModifyIndex: isNew ? next.JobModifyIndex : next.ModifyIndex,
    Index: !isNew && !evaluates ? next.ModifyIndex : world.index,
  };
}

/** "Register only if `JobModifyIndex` matches the current job's index; index 0 means … new". */
export function enforceIndex(stored: Job | undefined, index: number, rpcPrefix: boolean): void {
  const problem = indexProblem(stored, index);
  if (problem === undefined) return;
  throw serverError(`${rpcPrefix ? "rpc error: " : ""}Enforcing job modify index ${index}: ${problem}`);
}

function indexProblem(stored: Job | undefined, index: number): string | undefined {
  if (stored === undefined) return index === 0 ? undefined : "job does not exist";
  if (index === 0) return "job already exists";
  if (index === stored.JobModifyIndex) return undefined;
  return `job exists with conflicting job modify index: ${stored.JobModifyIndex}`;
}

/** "Keep existing task group counts over those in the new spec." */
function withCountsOf(job: Job, stored: Job | undefined): Job {
  const counts = new Map(stored?.TaskGroups?.map((group) => [group.Name, group.Count]));
  const groups = job.TaskGroups?.map((group) => ({ ...group, Count: counts.get(group.Name) ?? group.Count }));
  return { ...job, TaskGroups: groups ?? null };
}

/** The job with the stored resources of the tasks that it already had. */
function withResourcesOf(job: Job, stored: Job | undefined): Job {
  const groups = job.TaskGroups?.map((group) => {
    const before = stored?.TaskGroups?.find(({ Name }) => Name === group.Name)?.Tasks;
    const Tasks = group.Tasks?.map((task) => {
      const found = before?.find(({ Name }) => Name === task.Name);
      return found === undefined ? task : { ...task, Resources: found.Resources };
    });
    return { ...group, Tasks: Tasks ?? null };
  });
  return { ...job, TaskGroups: groups ?? null };
}

/**
 * The server sets the IDs, targets and indexes of scaling policies. A policy has the same ID in every version. (Source: Nomad
 * 2.0.6, `command/agent/scaling_endpoint.go`.)
 */
function withScalingIds(job: Job, stored: Job | undefined, { identifiers }: Operation): Job {
  const keyIn = ({ Type, Target }: Scaling) => JSON.stringify([Type, Target]);
  const known = new Map(
    stored?.TaskGroups?.flatMap(({ Scaling, Tasks }) =>
      [
        ...(Scaling ? [Scaling] : []),
        ...(Tasks ?? []).flatMap(({ ScalingPolicies }) => ScalingPolicies ?? []),
      ].map((policy) => [keyIn(policy), policy.ID] as const),
    ),
  );
  const owned = (policy: Scaling, target: Readonly<Record<string, string>>): Scaling => {
    const Target = { Namespace: job.Namespace, Job: job.ID, ...target };
    const ID = known.get(keyIn({ ...policy, Target })) ?? identifiers.fresh();
    return { ...policy, ID, Target, CreateIndex: 0, ModifyIndex: 0 };
  };
  const groups = job.TaskGroups?.map((group) => {
    const Group = group.Name;
    const tasks = group.Tasks?.map((task) => ({
      ...task,
      ScalingPolicies:
        task.ScalingPolicies?.map((policy) => owned(policy, { Group, Task: task.Name })) ?? null,
    }));
    return { ...group, Scaling: group.Scaling && owned(group.Scaling, { Group }), Tasks: tasks ?? null };
  });
  return { ...job, TaskGroups: groups ?? null };
}

type Scaling = NonNullable<NonNullable<Job["TaskGroups"]>[number]["Scaling"]>;
