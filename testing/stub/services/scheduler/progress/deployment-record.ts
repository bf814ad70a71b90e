import { ownOf } from "../../../json";
import type { Writer } from "../job-store";
import type { Allocation, Deployment, DeploymentGroup } from "../records";
import type { World } from "../world";
import { NEVER } from "./task-states";

const NANOSECONDS = 1_000_000;

export function isActive({ Status }: Deployment): boolean {
  return Status === "running" || Status === "paused";
}

/** Changes a deployment at the current index. */
export function amend({ world, now }: Writer, { ID }: Deployment, change: Partial<Deployment>): void {
  const deployment = world.deployments.get(ID);
  if (deployment === undefined) return;
  world.touch("deployment");
  const moved = { ModifyIndex: world.index, ModifyTime: now * NANOSECONDS };
  world.deployments.set(ID, { ...deployment, ...change, ...moved });
}

export function amendGroup(
  world: World,
  id: string,
  group: string,
  change: (state: DeploymentGroup) => DeploymentGroup,
): void {
  const deployment = world.deployments.get(id);
  const state = deployment && ownOf(deployment.TaskGroups, group);
  if (deployment === undefined || state === undefined) return;
  world.deployments.set(id, {
    ...deployment,
    TaskGroups: { ...deployment.TaskGroups, [group]: change(state) },
    ModifyIndex: world.index,
  });
}

/** Counts an allocation that was placed for a deployment. */
export function notePlacement(
  { world, now }: Writer,
  id: string,
  allocation: Allocation,
  isCanary: boolean,
): void {
  const before = ownOf(world.deployments.get(id)?.TaskGroups ?? {}, allocation.TaskGroup);
  const isFirst = before !== undefined && before.ProgressDeadline > 0 && before.RequireProgressBy === NEVER;
  amendGroup(world, id, allocation.TaskGroup, (state) => ({
    ...state,
    // The deadline runs from the first placement: a group that cannot be placed on any node has none.
    ...(isFirst && { RequireProgressBy: progressBy(now, state.ProgressDeadline) }),
    PlacedAllocs: state.PlacedAllocs + 1,
    PlacedCanaries: isCanary ? [...(state.PlacedCanaries ?? []), allocation.ID] : state.PlacedCanaries,
  }));
  const deployment = isFirst ? world.deployments.get(id) : undefined;
  if (deployment !== undefined) watchDeadlines(world, deployment);
}

export function runningDescription(groups: readonly DeploymentGroup[]): string {
  const waiting = groups.filter((group) => group.DesiredCanaries > 0 && !group.Promoted);
  if (waiting.length === 0) return "Deployment is running";
  return waiting.every((group) => group.AutoPromote)
    ? "Deployment is running pending automatic promotion"
    : "Deployment is running but requires manual promotion";
}

export function isAwaitingPromotion(group: DeploymentGroup): boolean {
  return group.DesiredCanaries > 0 && !group.Promoted;
}

export function watchDeadlines(world: World, deployment: Deployment): void {
  for (const group of Object.values(deployment.TaskGroups)) {
    if (group.RequireProgressBy === NEVER) continue;
    world.due.push({
      kind: "deadline",
      at: Date.parse(group.RequireProgressBy),
      deployment: deployment.ID,
    });
  }
}

export function progressBy(now: number, deadline: number): string {
  return new Date(now + deadline / NANOSECONDS).toISOString();
}
