import type { Allocation } from "./records";
import type { Job } from "./shape/job";
import type { World } from "./world";

type Counter = "Queued" | "Complete" | "Failed" | "Running" | "Starting" | "Lost" | "Unknown";

/** The `JobSummary` of the section "Job stub": the states of the job's allocations, by group. */
export function summaryOf(world: World, job: Job): unknown {
  const allocations = world
    .allocationsOf(job.Namespace, job.ID)
    .filter((allocation) => allocation.JobCreateIndex === job.CreateIndex);
  const evaluated = world
    .evaluationsOf(job.Namespace, job.ID)
    .findLast((each) => each.QueuedAllocations !== null);
  const queued = evaluated?.QueuedAllocations ?? {};
  const groups = job.TaskGroups ?? [];
  const indexes = [job.ModifyIndex, ...allocations.map((allocation) => allocation.ModifyIndex)];
  return {
    JobID: job.ID,
    Namespace: job.Namespace,
    Summary: Object.fromEntries(
      groups.map(({ Name }) => [
        Name,
        countsOf(
          allocations.filter((allocation) => allocation.TaskGroup === Name),
          queued[Name] ?? 0,
        ),
      ]),
    ),
    Children: childrenOf(world, job),
    CreateIndex: job.CreateIndex,
    ModifyIndex: Math.max(...indexes),
  };
}

function countsOf(allocations: readonly Allocation[], queued: number): Record<Counter, number> {
  const counts = { Queued: queued, Complete: 0, Failed: 0, Running: 0, Starting: 0, Lost: 0, Unknown: 0 };
  for (const { ClientStatus } of allocations) counts[COUNTERS[ClientStatus]] += 1;
  return counts;
}

const COUNTERS: Readonly<Record<Allocation["ClientStatus"], Counter>> = {
  pending: "Starting",
  running: "Running",
  complete: "Complete",
  failed: "Failed",
};

function childrenOf(world: World, job: Job): unknown {
  const children = world.childrenOf(job);
  const count = (status: string) => children.filter((child) => child.Status === status).length;
  return { Pending: count("pending"), Running: count("running"), Dead: count("dead") };
}
