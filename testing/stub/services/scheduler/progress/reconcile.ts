import { isDeepStrictEqual } from "node:util";
import { ownOf } from "../../../json";
import { isTerminal } from "../job-store";
import type { Allocation, Deployment } from "../records";
import type { Outcome, Switches } from "../settings";
import type { Job, TaskGroup } from "../shape/job";
import { keyOf, type World } from "../world";
import { whatRuns } from "./running";

/** The steps for one group that make its allocations match the job. */
export interface GroupPlan {
  readonly name: string;
  /** Undefined if the job no longer has the group. */
  readonly group: TaskGroup | undefined;
  readonly ignored: readonly Allocation[];
  readonly stopped: readonly Allocation[];
  /** Updated in place: nothing in their tasks has changed. */
  readonly inPlace: readonly Allocation[];
  /** Stopped and replaced. */
  readonly destructive: readonly Allocation[];
  /** The indexes in the names of new allocations. */
  readonly placed: readonly number[];
  readonly canaries: readonly number[];
  /** The number of the above that cannot be placed on any node. */
  readonly unplaceable: number;
  /** The number left for a later evaluation by the update strategy. */
  readonly postponed: number;
}

/** Plans every group of the job, and every removed group that still has running allocations. */
export function reconcile(world: World, job: Job, switches: Switches): readonly GroupPlan[] {
  const allocations = world.allocationsOf(job.Namespace, job.ID);
  const groups = job.Stop ? [] : (job.TaskGroups ?? []);
  const names = new Set(groups.map((group) => group.Name));
  const orphans = new Set(
    allocations.filter((allocation) => !isTerminal(allocation)).map((allocation) => allocation.TaskGroup),
  );
  return [
    ...[...orphans].filter((name) => !names.has(name)).map((name) => stopAll(name, allocations)),
    ...groups.map((group) => planGroup(world, job, group, allocations, switches)),
  ];
}

/** The deployment of exactly this version. */
export function deploymentOf(world: World, job: Job): Deployment | undefined {
  return world
    .deploymentsOf(job.Namespace, job.ID)
    .find(
      (deployment) => deployment.JobVersion === job.Version && deployment.JobCreateIndex === job.CreateIndex,
    );
}

/** The update strategy of a group; undefined if the group's allocations are all updated at once. */
export function strategyOf(job: Job, group: TaskGroup): NonNullable<TaskGroup["Update"]> | undefined {
  if (job.Type !== "service" || group.Update === null || group.Update.MaxParallel === 0) return undefined;
  return group.Update;
}

/** The seeded outcome of this group's allocations. */
export function outcomeOf(world: World, job: Job, group: string): Outcome["outcome"] {
  const fitting = world.outcomes.findLast(
    (outcome) =>
      outcome.namespace === job.Namespace &&
      outcome.job === job.ID &&
      (outcome.group === null || outcome.group === group) &&
      (outcome.version === null || outcome.version === job.Version),
  );
  return fitting?.outcome ?? "lives";
}

function stopAll(name: string, allocations: readonly Allocation[]): GroupPlan {
  return {
    ...NOTHING,
    name,
    stopped: allocations.filter((item) => item.TaskGroup === name && !isTerminal(item)),
  };
}

function planGroup(
  world: World,
  job: Job,
  group: TaskGroup,
  allocations: readonly Allocation[],
  switches: Switches,
): GroupPlan {
  const own = allocations.filter((allocation) => allocation.TaskGroup === group.Name);
  const live = own.filter((allocation) => !isTerminal(allocation));
  const desired =
    job.Type === "system" || job.Type === "sysbatch" ? group.Count * switches.nodes : group.Count;
  const deployment = deploymentOf(world, job);
  const state = deployment && ownOf(deployment.TaskGroups, group.Name);
  const strategy = strategyOf(job, group);
  const outdated = live.filter((item) => isOutdated(world, job, group, item));
  const current = live.filter((item) => !outdated.includes(item));
  const canaryIds = new Set(state?.PlacedCanaries);
  const isTrial =
    strategy !== undefined && strategy.Canary > 0 && state?.Promoted !== true && outdated.length > 0;
  if (isTrial) {
    const missing = Math.max(0, strategy.Canary - live.filter((item) => canaryIds.has(item.ID)).length);
    const isOpen = deployment === undefined || deployment.Status === "running";
    return {
      ...NOTHING,
      name: group.Name,
      group,
      ignored: live,
      canaries: isOpen ? freeIndexes(missing, []) : [],
      unplaceable: outcomeOf(world, job, group.Name) === "unplaceable" ? missing : 0,
      postponed: outdated.length,
    };
  }
  const excess = Math.max(0, live.length - desired);
  const stopped = [...outdated, ...[...current].reverse()].slice(0, excess);
  const replaceable = outdated.filter((item) => !stopped.includes(item));
  const destructive = replaceable.slice(0, parallelism(strategy, deployment, own));
  const done = isRunOnce(job)
    ? own.filter((item) => item.ClientStatus === "complete" && isFor(job, item))
    : [];
  const missing = Math.max(0, desired - live.length - done.length);
  const kept = [...live, ...done].filter((item) => !stopped.includes(item) && !destructive.includes(item));
  const placements = missing + destructive.length;
  return {
    name: group.Name,
    group,
    ignored: kept.filter((item) => isFor(job, item) || replaceable.includes(item)),
    stopped,
    inPlace: current.filter((item) => !isFor(job, item) && !stopped.includes(item)),
    destructive,
    placed: freeIndexes(placements, kept),
    canaries: [],
    unplaceable: outcomeOf(world, job, group.Name) === "unplaceable" ? placements : 0,
    postponed: replaceable.length - destructive.length,
  };
}

/** A plan without any steps. */
export const NOTHING = {
  group: undefined,
  ignored: [],
  stopped: [],
  inPlace: [],
  destructive: [],
  placed: [],
  canaries: [],
  unplaceable: 0,
  postponed: 0,
};

/**
 * The number of further parallel updates: `MaxParallel` minus the allocations that are not yet healthy; zero if the
 * deployment ended.
 */
function parallelism(
  strategy: ReturnType<typeof strategyOf>,
  deployment: Deployment | undefined,
  allocations: readonly Allocation[],
): number {
  if (strategy === undefined) return Number.POSITIVE_INFINITY;
  if (deployment === undefined) return strategy.MaxParallel;
  if (deployment.Status !== "running") return 0;
  const unsettled = allocations.filter(
    (item) =>
      item.DeploymentID === deployment.ID && !isTerminal(item) && item.DeploymentStatus?.Healthy !== true,
  );
  return Math.max(0, strategy.MaxParallel - unsettled.length);
}

function isFor(job: Job, allocation: Allocation): boolean {
  return allocation.JobVersion === job.Version && allocation.JobCreateIndex === job.CreateIndex;
}

function isRunOnce(job: Job): boolean {
  return job.Type === "batch" || job.Type === "sysbatch";
}

/** True if the allocation's tasks differ from the current job. */
function isOutdated(world: World, job: Job, group: TaskGroup, allocation: Allocation): boolean {
  if (isFor(job, allocation)) return false;
  const version = world.versions
    .get(keyOf(job.Namespace, job.ID))
    ?.find((candidate) => isFor(candidate, allocation));
  const before = version?.TaskGroups?.find((candidate) => candidate.Name === group.Name);
  if (version === undefined || before === undefined) return true;
  return !isDeepStrictEqual(whatRuns(version, before), whatRuns(job, group));
}

/** The lowest indexes that no retained allocation uses in its name. */
function freeIndexes(count: number, kept: readonly Allocation[]): readonly number[] {
  const taken = new Set(kept.map(({ Name }) => Number(/\[(\d+)\]$/.exec(Name)?.[1])));
  const free: number[] = [];
  for (let index = 0; free.length < count; index++) if (!taken.has(index)) free.push(index);
  return free;
}
