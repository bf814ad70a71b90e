import { evaluate } from "../evaluations";
import { amendVersion, refreshStatus, type Writer } from "../job-store";
import type { Allocation, Deployment, DeploymentGroup, Evaluation } from "../records";
import type { Job } from "../shape/job";
import { keyOf, type World } from "../world";
import { deploymentOf, type GroupPlan, strategyOf } from "./reconcile";
import { rollBack } from "./rollback";

const NANOSECONDS = 1_000_000;

/**
 * The deployment that an evaluation's placements belong to, made where the version needs one and has none.
 * Deployments of other versions end.
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
  const groups = Object.fromEntries(plans.map((plan) => [plan.name, groupState(plan, now)]));
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
  watchDeadlines(world, deployment);
  return deployment;
}

function groupState({ group, canaries }: GroupPlan, now: number): DeploymentGroup {
  const deadline = group?.Update?.ProgressDeadline ?? 0;
  return {
    AutoPromote: group?.Update?.AutoPromote ?? false,
    AutoRevert: group?.Update?.AutoRevert ?? false,
    DesiredCanaries: canaries.length,
    DesiredTotal: group?.Count ?? 0,
    PlacedAllocs: 0,
    PlacedCanaries: null,
    HealthyAllocs: 0,
    UnhealthyAllocs: 0,
    ProgressDeadline: deadline,
    Promoted: false,
    RequireProgressBy: deadline === 0 ? "0001-01-01T00:00:00Z" : progressBy(now, deadline),
  };
}

function runningDescription(groups: readonly DeploymentGroup[]): string {
  const waiting = groups.filter((group) => group.DesiredCanaries > 0 && !group.Promoted);
  if (waiting.length === 0) return "Deployment is running";
  return waiting.every((group) => group.AutoPromote)
    ? "Deployment is running pending automatic promotion"
    : "Deployment is running but requires manual promotion";
}

export function isActive({ Status }: Deployment): boolean {
  return Status === "running" || Status === "paused";
}

/** Counts an allocation that was placed for a deployment. */
export function notePlacement(world: World, id: string, allocation: Allocation, isCanary: boolean): void {
  amendGroup(world, id, allocation.TaskGroup, (state) => ({
    ...state,
    PlacedAllocs: state.PlacedAllocs + 1,
    PlacedCanaries: isCanary ? [...(state.PlacedCanaries ?? []), allocation.ID] : state.PlacedCanaries,
  }));
}

/** Counts a verdict on an allocation, and goes on from there: to more allocations, or to the end. */
export function noteHealth(writer: Writer, id: string, group: string, healthy: boolean): void {
  const { world, now } = writer;
  world.touch("deployment");
  amendGroup(world, id, group, (state) =>
    healthy
      ? {
          ...state,
          HealthyAllocs: state.HealthyAllocs + 1,
          RequireProgressBy:
            state.ProgressDeadline === 0 ? state.RequireProgressBy : progressBy(now, state.ProgressDeadline),
        }
      : { ...state, UnhealthyAllocs: state.UnhealthyAllocs + 1 },
  );
  const deployment = world.deployments.get(id);
  if (deployment === undefined || !isActive(deployment)) return;
  // Where there is a deadline, replacements could still make it; without one the first failure is the end.
  if (!healthy && deployment.TaskGroups[group]?.ProgressDeadline === 0) {
    failDeployment(writer, deployment, "Failed due to unhealthy allocations");
  } else if (healthy) {
    watchDeadlines(world, deployment);
    goOn(writer, deployment);
  }
}

/** No group may go longer than its deadline without another healthy allocation. */
export function checkDeadline(writer: Writer, id: string): void {
  const deployment = writer.world.deployments.get(id);
  if (deployment?.Status !== "running") return;
  const isLate = Object.values(deployment.TaskGroups).some(
    (group) =>
      group.ProgressDeadline > 0 &&
      group.HealthyAllocs < group.DesiredTotal &&
      !isAwaitingPromotion(group) &&
      Date.parse(group.RequireProgressBy) <= writer.now,
  );
  if (!isLate) return;
  writer.world.write("deployment");
  failDeployment(writer, deployment, "Failed due to progress deadline");
}

/** Ends a deployment at the present index; a group with `AutoRevert` takes the job back to its stable version. */
export function failDeployment(writer: Writer, deployment: Deployment, reason: string): void {
  const { world } = writer;
  world.touch("deployment");
  const reverts = Object.values(deployment.TaskGroups).some((group) => group.AutoRevert);
  const { description, apply } = reverts ? rollBack(writer, deployment, reason) : { description: reason };
  amend(writer, deployment, { Status: "failed", StatusDescription: description });
  refreshStatus(world, deployment.Namespace, deployment.JobID);
  apply?.();
}

/** Promotes the canaries of all groups, or of those named, and goes on with the rest. */
export function promote(writer: Writer, deployment: Deployment, names?: readonly string[]): void {
  const groups = Object.fromEntries(
    Object.entries(deployment.TaskGroups).map(([name, group]) => [
      name,
      names === undefined || names.includes(name) ? { ...group, Promoted: true } : group,
    ]),
  );
  amend(writer, deployment, {
    TaskGroups: groups,
    StatusDescription: runningDescription(Object.values(groups)),
  });
  const promoted = writer.world.deployments.get(deployment.ID) ?? deployment;
  watchDeadlines(writer.world, promoted);
  goOn(writer, promoted);
}

function goOn(writer: Writer, deployment: Deployment): void {
  const { world } = writer;
  const groups = Object.values(deployment.TaskGroups);
  const canPromote = groups.filter(isAwaitingPromotion);
  if (canPromote.length > 0 && canPromote.every((group) => group.AutoPromote && hasHealthyCanaries(group))) {
    promote(writer, deployment);
    return;
  }
  const isDone = groups.every(
    (group) => group.HealthyAllocs >= group.DesiredTotal && !isAwaitingPromotion(group),
  );
  const job = world.jobs.get(keyOf(deployment.Namespace, deployment.JobID));
  if (isDone) {
    amend(writer, deployment, {
      Status: "successful",
      StatusDescription: "Deployment completed successfully",
    });
    markStable(world, deployment);
    refreshStatus(world, deployment.Namespace, deployment.JobID);
  } else if (job !== undefined) {
    evaluate(writer, job, "deployment-watcher", { DeploymentID: deployment.ID });
  }
}

function isAwaitingPromotion(group: DeploymentGroup): boolean {
  return group.DesiredCanaries > 0 && !group.Promoted;
}

export function hasHealthyCanaries(group: DeploymentGroup): boolean {
  return group.HealthyAllocs >= group.DesiredCanaries;
}

/** `Stable` is not of the specification: `ModifyIndex` moves, `JobModifyIndex` does not. */
function markStable(world: World, { Namespace, JobID, JobVersion, JobCreateIndex }: Deployment): void {
  const key = keyOf(Namespace, JobID);
  const version = world.versions.get(key)?.find((candidate) => candidate.Version === JobVersion);
  if (version === undefined || version.CreateIndex !== JobCreateIndex) return;
  setStable(world, version, true);
}

export function setStable(world: World, version: Job, stable: boolean): void {
  const key = keyOf(version.Namespace, version.ID);
  const marked = { ...version, Stable: stable, ModifyIndex: world.index };
  amendVersion(world, marked);
  if (world.jobs.get(key)?.Version === version.Version) {
    world.jobs.set(key, marked);
    world.touch("jobs");
  }
}

export function amend({ world, now }: Writer, { ID }: Deployment, change: Partial<Deployment>): void {
  const deployment = world.deployments.get(ID);
  if (deployment === undefined) return;
  world.touch("deployment");
  const moved = { ModifyIndex: world.index, ModifyTime: now * NANOSECONDS };
  world.deployments.set(ID, { ...deployment, ...change, ...moved });
}

function amendGroup(
  world: World,
  id: string,
  group: string,
  change: (state: DeploymentGroup) => DeploymentGroup,
): void {
  const deployment = world.deployments.get(id);
  const state = deployment?.TaskGroups[group];
  if (deployment === undefined || state === undefined) return;
  world.deployments.set(id, {
    ...deployment,
    TaskGroups: { ...deployment.TaskGroups, [group]: change(state) },
    ModifyIndex: world.index,
  });
}

function watchDeadlines(world: World, deployment: Deployment): void {
  for (const group of Object.values(deployment.TaskGroups)) {
    if (group.ProgressDeadline === 0) continue;
    world.due.push({
      kind: "deadline",
      at: Date.parse(group.RequireProgressBy),
      deployment: deployment.ID,
    });
  }
}

function progressBy(now: number, deadline: number): string {
  return new Date(now + deadline / NANOSECONDS).toISOString();
}
