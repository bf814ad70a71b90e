import type { Writer } from "../job-store";
import type { Deployment, DeploymentGroup, Evaluation } from "../records";
import type { Job } from "../shape/job";
import { amend, isActive, runningDescription } from "./deployment-record";
import { deploymentOf, type GroupPlan, strategyOf } from "./reconcile";
import { NEVER } from "./task-states";

const NANOSECONDS = 1_000_000;

/**
 * The deployment of an evaluation's placements; creates one if the version needs one and lacks it. Ends deployments of other
 * versions.
 */
export function deployFor(
  writer: Writer,
  evaluation: Evaluation,
  job: Job | undefined,
  plans: readonly GroupPlan[],
): Deployment | undefined {
  const { world } = writer;
  const existing = job === undefined ? undefined : deploymentOf(world, job);
  const reason =
    job === undefined || job.Stop
      ? "Cancelled because job is stopped"
      : "Cancelled due to newer version of job";
  for (const other of world.deploymentsOf(evaluation.Namespace, evaluation.JobID)) {
    if (isActive(other) && (other.ID !== existing?.ID || job?.Stop === true)) {
      amend(writer, other, { Status: "cancelled", StatusDescription: reason });
    }
  }
  if (existing !== undefined || job === undefined || job.Stop) return existing;
  const paced = plans.filter(({ group }) => group !== undefined && strategyOf(job, group) !== undefined);
  const isNeeded = paced.some(
    (plan) => plan.placed.length + plan.canaries.length + plan.inPlace.length + plan.destructive.length > 0,
  );
  return isNeeded ? create(writer, evaluation, job, paced) : undefined;
}

function create(
  { world, identifiers, now }: Writer,
  evaluation: Evaluation,
  job: Job,
  plans: readonly GroupPlan[],
): Deployment {
  world.touch("deployment");
  const groups = Object.fromEntries(plans.map((plan) => [plan.name, groupState(plan)]));
  const deployment: Deployment = {
    ID: identifiers.fresh(),
    Namespace: job.Namespace,
    JobID: job.ID,
    JobVersion: job.Version,
    JobModifyIndex: job.ModifyIndex,
    JobSpecModifyIndex: job.JobModifyIndex,
    JobCreateIndex: job.CreateIndex,
    EvalPriority: evaluation.Priority,
    IsMultiregion: false,
    Status: "running",
    StatusDescription: runningDescription(Object.values(groups)),
    TaskGroups: groups,
    CreateIndex: world.index,
    ModifyIndex: world.index,
    CreateTime: now * NANOSECONDS,
    ModifyTime: now * NANOSECONDS,
  };
  world.deployments.set(deployment.ID, deployment);
  return deployment;
}

function groupState({ group, canaries }: GroupPlan): DeploymentGroup {
  return {
    AutoPromote: group?.Update?.AutoPromote ?? false,
    AutoRevert: group?.Update?.AutoRevert ?? false,
    DesiredCanaries: canaries.length,
    DesiredTotal: group?.Count ?? 0,
    PlacedAllocs: 0,
    PlacedCanaries: null,
    HealthyAllocs: 0,
    UnhealthyAllocs: 0,
    ProgressDeadline: group?.Update?.ProgressDeadline ?? 0,
    Promoted: false,
    RequireProgressBy: NEVER,
  };
}
