import { ownOf } from "../../../json";
import { evaluate } from "../evaluations";
import { amendVersion, refreshStatus, type Writer } from "../job-store";
import type { Deployment, DeploymentGroup } from "../records";
import type { Job } from "../shape/job";
import { keyOf, type World } from "../world";
import {
  amend,
  amendGroup,
  isActive,
  isAwaitingPromotion,
  progressBy,
  runningDescription,
  watchDeadlines,
} from "./deployment-record";
import { rollBack } from "./rollback";
import { NEVER } from "./task-states";

/** Counts an allocation's health, then places more allocations or ends the deployment. */
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
  // With a deadline, replacements can still become healthy in time; without one the first failure fails the deployment.
  if (!healthy && ownOf(deployment.TaskGroups, group)?.ProgressDeadline === 0) {
    failDeployment(writer, deployment, "Failed due to unhealthy allocations");
  } else if (healthy) {
    watchDeadlines(world, deployment);
    goOn(writer, deployment);
  }
}

/** Fails the deployment if a group reaches its deadline without another healthy allocation. */
export function checkDeadline(writer: Writer, id: string): void {
  const deployment = writer.world.deployments.get(id);
  if (deployment?.Status !== "running") return;
  const isLate = Object.values(deployment.TaskGroups).some(
    (group) =>
      group.RequireProgressBy !== NEVER &&
      group.HealthyAllocs < group.DesiredTotal &&
      !isAwaitingPromotion(group) &&
      Date.parse(group.RequireProgressBy) <= writer.now,
  );
  if (!isLate) return;
  writer.world.write("deployment");
  failDeployment(writer, deployment, "Failed due to progress deadline");
}

/** Fails a deployment at the current index; if a group has `AutoRevert`, the job returns to its stable version. */
export function failDeployment(writer: Writer, deployment: Deployment, reason: string): void {
  const { world } = writer;
  world.touch("deployment");
  const reverts = Object.values(deployment.TaskGroups).some((group) => group.AutoRevert);
  const { description, apply } = reverts ? rollBack(writer, deployment, reason) : { description: reason };
  amend(writer, deployment, { Status: "failed", StatusDescription: description });
  refreshStatus(world, deployment.Namespace, deployment.JobID);
  apply?.();
}

/** Promotes the canaries of all groups, or of the named ones, and continues the deployment. */
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

export function hasHealthyCanaries(group: DeploymentGroup): boolean {
  return group.HealthyAllocs >= group.DesiredCanaries;
}

/** Sets `Stable`, which is not part of the specification: increments `ModifyIndex`, not `JobModifyIndex`. */
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
