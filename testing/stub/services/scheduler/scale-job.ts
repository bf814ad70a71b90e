import { ownOf } from "../../json";
import { QUERY_META } from "./create-job";
import { invalid, notFound } from "./errors";
import { evaluate } from "./evaluations";
import { isParameterized, isPeriodic, isTerminal, storeVersion } from "./job-store";
import {
  type Endpoint,
  jobAt,
  type Operation,
  type Outcome,
  pathJobId,
  readBody,
  requireAny,
  theReadableJob,
} from "./operation";
import { isActive } from "./progress/deployment-record";
import type { ScalingEvent } from "./records";
import { enforceIndex } from "./registration";
import { anything, flag, integer, map, struct, text } from "./shape/field";
import type { Job, TaskGroup } from "./shape/job";
import { keyOf } from "./world";

export const scaleJobEndpoints: readonly Endpoint[] = [
  { method: "GET", path: "/job/:job_id/scale", section: "The other jobs endpoints", handle: readStatus },
  ...(["POST", "PUT"] as const).map(
    (method): Endpoint => ({
      method,
      path: "/job/:job_id/scale",
      section: "The other jobs endpoints",
      handle: scale,
    }),
  ),
];

const body = struct({
  Target: map(text()),
  Count: integer(),
  Message: text(),
  Error: flag(),
  Meta: map(anything()),
  PolicyOverride: flag(),
  JobModifyIndex: integer(),
});

type Given = Exclude<ReturnType<typeof body.read>, undefined>;

/** Sets one group's count; without a count it only records the event. */
function scale(operation: Operation): Outcome {
  const given = readBody(operation, "ScalingRequest", body);
  const target = given.Target ?? {};
  if (target.Job !== undefined && target.Job !== "" && target.Job !== pathJobId(operation.request)) {
    throw invalid("job ID in payload did not match URL");
  }
  requireAny(operation, ["scale-job", "submit-job"]);
  refuseMistakes(given, operation);
  const job = jobAt(operation);
  if (job === undefined) throw notFound(`job "${pathJobId(operation.request)}" not found`);
  const name = target.Group ?? "";
  const group = job.TaskGroups?.find((candidate) => candidate.Name === name);
  if (job.Type === "system" && (given.Count ?? 0) > 1) {
    throw invalid('jobs of type "system" can only be scaled between 0 and 1');
  }
  if (group === undefined) throw invalid(`task group "${name}" specified for scaling does not exist in job`);
  const scaled = given.Count === undefined ? undefined : setCount(operation, job, group, given.Count, given);
  const index = recordEvent(operation, job, group, given, scaled?.EvalID);
  return {
    body: {
      EvalID: scaled?.EvalID ?? "",
      EvalCreateIndex: scaled?.EvalCreateIndex ?? 0,
      JobModifyIndex: scaled?.JobModifyIndex ?? job.ModifyIndex,
      Warnings: "",
      Index: index,
      ...QUERY_META,
    },
    index,
  };
}

function refuseMistakes(
  { Target: target, Count: count, Error: error }: Given,
  { namespace }: Operation,
): void {
  const wanted = target?.Namespace ?? "";
  if (wanted !== "" && wanted !== namespace) throw invalid("namespace in payload did not match header");
  if ((target?.Group ?? "") === "") throw invalid("missing task group name for scaling action");
  if (count === undefined) return;
  if (count < 0) throw invalid("scaling action count can't be negative");
  if (error === true) throw invalid("scaling action should not contain count if error is true");
}

function setCount(
  operation: Operation,
  job: Job,
  { Name: name, Scaling: policy }: TaskGroup,
  count: number,
  { JobModifyIndex: enforced = 0 }: Given,
) {
  const { world, switches } = operation;
  if (policy !== null && count < policy.Min) {
    throw invalid(`group count was less than scaling policy minimum: ${count} < ${policy.Min}`);
  }
  if (policy !== null && count > policy.Max) {
    throw invalid(`group count was greater than scaling policy maximum: ${count} > ${policy.Max}`);
  }
  const deployments = world.deploymentsOf(job.Namespace, job.ID);
  if (deployments.some((each) => isActive(each) && each.JobCreateIndex === job.CreateIndex)) {
    throw invalid("job scaling blocked due to active deployment");
  }
  if (enforced > 0) enforceIndex(job, enforced, switches.rpcPrefix);
  const groups = job.TaskGroups?.map((group) => (group.Name === name ? { ...group, Count: count } : group));
  const stored = storeVersion(operation, { ...job, TaskGroups: groups ?? null }, "inherited");
  const { JobModifyIndex } = stored;
  if (isPeriodic(job) || isParameterized(job)) return { EvalID: "", EvalCreateIndex: 0, JobModifyIndex };
  const EvalCreateIndex = world.write("evals");
  const evaluation = evaluate(operation, stored, "job-scaling");
  return { EvalID: evaluation.ID, EvalCreateIndex, JobModifyIndex };
}

function recordEvent(
  { world, now }: Operation,
  job: Job,
  group: TaskGroup,
  given: Given,
  evaluation: string | undefined,
): number {
  const index = world.write("scaling_event");
  const event: ScalingEvent = {
    Time: now * 1_000_000,
    Count: given.Count ?? null,
    PreviousCount: group.Count,
    Message: given.Message ?? "",
    Error: given.Error ?? false,
    Meta: given.Meta ?? null,
    EvalID: evaluation === undefined || evaluation === "" ? null : evaluation,
    CreateIndex: index,
  };
  const key = keyOf(job.Namespace, job.ID);
  const events = world.scalingEvents.get(key) ?? {};
  world.scalingEvents.set(key, {
    ...events,
    [group.Name]: [event, ...(ownOf(events, group.Name) ?? [])].slice(0, 20),
  });
  return index;
}

function readStatus(operation: Operation): Outcome {
  const { world } = operation;
  const job = theReadableJob(operation, "read-job-scaling");
  const events = world.scalingEvents.get(keyOf(job.Namespace, job.ID)) ?? {};
  const live = world
    .allocationsOf(job.Namespace, job.ID)
    .filter((allocation) => !isTerminal(allocation) && allocation.DeploymentStatus?.Canary !== true);
  const TaskGroups = Object.fromEntries(
    (job.TaskGroups ?? []).map(({ Name, Count }) => {
      const own = live.filter((allocation) => allocation.TaskGroup === Name);
      const countByHealth = (healthy: boolean) =>
        own.filter((allocation) => allocation.DeploymentStatus?.Healthy === healthy).length;
      return [
        Name,
        {
          Desired: Count,
          Placed: own.length,
          Running: own.filter((allocation) => allocation.ClientStatus === "running").length,
          Healthy: countByHealth(true),
          Unhealthy: countByHealth(false),
          Events: events[Name] ?? null,
        },
      ];
    }),
  );
  return {
    body: {
      JobID: job.ID,
      Namespace: job.Namespace,
      JobCreateIndex: job.CreateIndex,
      JobModifyIndex: job.ModifyIndex,
      JobStopped: job.Stop,
      TaskGroups,
    },
    index: Math.max(job.ModifyIndex, world.indexOf("scaling_event", "allocs")),
  };
}
