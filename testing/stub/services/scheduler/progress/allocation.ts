import { evaluate } from "../evaluations";
import { refreshStatus, type Writer } from "../job-store";
import { nodeOf } from "../nodes";
import type { Allocation, Deployment, Evaluation } from "../records";
import type { Job, TaskGroup } from "../shape/job";
import { keyOf } from "../world";
import { noteHealth } from "./deployment";
import { notePlacement } from "./deployment-record";
import { outcomeOf, strategyOf } from "./reconcile";
import { endedState, NEVER, startedState } from "./task-states";

const NANOSECONDS = 1_000_000;

export interface Placement {
  readonly evaluation: Evaluation;
  readonly job: Job;
  readonly group: TaskGroup;
  readonly index: number;
  readonly deployment: Deployment | undefined;
  readonly previous?: Allocation | undefined;
  readonly isCanary: boolean;
  /** True if it replaces a failed allocation. */
  readonly isRescheduled?: boolean;
}

/** Creates a pending allocation and schedules its start. */
export function place(writer: Writer, placement: Placement): void {
  const { world, identifiers, switches, now } = writer;
  const { evaluation, job, group, index, previous, isCanary, isRescheduled = false } = placement;
  const deployment = strategyOf(job, group) === undefined ? undefined : placement.deployment;
  const node = nodeOf((index % switches.nodes) + 1);
  const allocation: Allocation = {
    ID: identifiers.fresh(),
    EvalID: evaluation.ID,
    Name: `${job.ID}.${group.Name}[${index}]`,
    Namespace: job.Namespace,
    NodeID: node.ID,
    NodeName: node.Name,
    PreviousAllocation: previous?.ID ?? "",
    NextAllocation: "",
    RescheduleTracker: isRescheduled && previous !== undefined ? trackReschedule(previous, now) : null,
    JobID: job.ID,
    JobType: job.Type,
    JobVersion: job.Version,
    JobCreateIndex: job.CreateIndex,
    TaskGroup: group.Name,
    DesiredStatus: "run",
    DesiredDescription: "",
    ClientStatus: "pending",
    ClientDescription: "",
    TaskStates: null,
    DeploymentID: deployment?.ID ?? "",
    DeploymentStatus: isCanary ? { Healthy: null, Timestamp: NEVER, Canary: true, ModifyIndex: 0 } : null,
    CreateIndex: world.index,
    ModifyIndex: world.index,
    CreateTime: now * NANOSECONDS,
    ModifyTime: now * NANOSECONDS,
  };
  world.allocations.set(allocation.ID, allocation);
  if (previous !== undefined) {
    const replaced = world.allocations.get(previous.ID) ?? previous;
    world.allocations.set(previous.ID, { ...replaced, NextAllocation: allocation.ID });
  }
  if (deployment !== undefined) notePlacement(writer, deployment.ID, allocation, isCanary);
  world.due.push({ kind: "start", at: now + switches.startMilliseconds, allocation: allocation.ID });
}

/** Marks an allocation to stop and schedules its end. */
export function stop(writer: Writer, allocation: Allocation, description: string): void {
  const { world, switches, now } = writer;
  write(writer, allocation, { DesiredStatus: "stop", DesiredDescription: description });
  world.due.push({ kind: "finish", at: now + switches.startMilliseconds, allocation: allocation.ID });
}

/** Moves an allocation to the new version; its health is judged again. */
export function updateInPlace(
  writer: Writer,
  allocation: Allocation,
  job: Job,
  group: TaskGroup,
  deployment: Deployment | undefined,
): void {
  const paced = strategyOf(job, group) === undefined ? undefined : deployment;
  write(writer, allocation, {
    JobVersion: job.Version,
    JobCreateIndex: job.CreateIndex,
    DeploymentID: paced?.ID ?? "",
    DeploymentStatus: null,
  });
  if (paced === undefined) return;
  notePlacement(writer, paced.ID, allocation, false);
  if (allocation.ClientStatus === "running") judgeLater(writer, allocation.ID, job, group);
}

/** Starts a pending allocation, with the seeded outcome. */
export function start(writer: Writer, id: string): void {
  const { world, switches, now } = writer;
  const allocation = world.allocations.get(id);
  if (allocation === undefined || allocation.DesiredStatus === "stop") return;
  const job = versionOf(writer, allocation);
  const group = job?.TaskGroups?.find((candidate) => candidate.Name === allocation.TaskGroup);
  if (job === undefined || group === undefined) return;
  world.write("allocs", "job_summary");
  write(writer, allocation, {
    ClientStatus: "running",
    ClientDescription: "Tasks are running",
    TaskStates: Object.fromEntries((group.Tasks ?? []).map((task) => [task.Name, startedState(now)])),
  });
  refreshStatus(world, allocation.Namespace, allocation.JobID);
  if (failsHere(outcomeOf(world, job, group.Name), allocation)) {
    world.due.push({ kind: "fail", at: now + switches.startMilliseconds, allocation: id });
  } else if (job.Type === "batch" || job.Type === "sysbatch") {
    world.due.push({ kind: "finish", at: now + switches.batchMilliseconds, allocation: id });
  }
  judgeLater(writer, id, job, group);
}

/** Ends an allocation's tasks: they succeeded, or the scheduler stopped them. */
export function finish(writer: Writer, id: string): void {
  end(writer, id, "complete", "All tasks have completed", 0);
}

export function fail(writer: Writer, id: string): void {
  end(writer, id, "failed", "Failed tasks", 1);
  const allocation = writer.world.allocations.get(id);
  if (allocation === undefined) return;
  if (allocation.DeploymentID !== "") judge(writer, id, false);
  reschedule(writer, allocation);
}

function failsHere(outcome: ReturnType<typeof outcomeOf>, { RescheduleTracker }: Allocation): boolean {
  return outcome === "fails" || (outcome === "fails-once" && RescheduleTracker === null);
}

/** Replaces a failed allocation if its outcome is `fails-once`. */
function reschedule(writer: Writer, allocation: Allocation): void {
  const { world } = writer;
  const job = versionOf(writer, allocation);
  const group = job?.TaskGroups?.find((candidate) => candidate.Name === allocation.TaskGroup);
  if (job === undefined || group === undefined) return;
  if (outcomeOf(world, job, group.Name) !== "fails-once" || allocation.RescheduleTracker !== null) return;
  const index = Number(/\[(\d+)\]$/.exec(allocation.Name)?.[1] ?? 0);
  place(writer, {
    evaluation: evaluate(writer, job, "alloc-failure", { Status: "complete" }),
    job,
    group,
    index,
    deployment: world.deployments.get(allocation.DeploymentID),
    previous: allocation,
    isCanary: false,
    isRescheduled: true,
  });
}

function trackReschedule({ ID, NodeID, RescheduleTracker }: Allocation, now: number) {
  const event = { PrevAllocID: ID, PrevNodeID: NodeID, RescheduleTime: now * NANOSECONDS, Delay: 0 };
  return { Events: [...(RescheduleTracker?.Events ?? []), event] };
}

/** Records the health of a deployment's allocation. */
export function judge(writer: Writer, id: string, healthy: boolean): void {
  const { world, now } = writer;
  const allocation = world.allocations.get(id);
  if (allocation === undefined || allocation.DesiredStatus === "stop" || allocation.DeploymentID === "")
    return;
  if (healthy && allocation.ClientStatus !== "running") return;
  if (allocation.DeploymentStatus?.Healthy === healthy) return;
  world.write("allocs");
  write(writer, allocation, {
    DeploymentStatus: {
      Healthy: healthy,
      Timestamp: new Date(now).toISOString(),
      Canary: allocation.DeploymentStatus?.Canary ?? false,
      ModifyIndex: world.index,
    },
  });
  noteHealth(writer, allocation.DeploymentID, allocation.TaskGroup, healthy);
}

function judgeLater(writer: Writer, id: string, job: Job, group: TaskGroup): void {
  const { world, switches, now } = writer;
  const strategy = strategyOf(job, group);
  if (strategy === undefined || strategy.HealthCheck === "manual") return;
  const lives = outcomeOf(world, job, group.Name) !== "never-healthy";
  const wait = switches.healthyMilliseconds ?? strategy.MinHealthyTime / NANOSECONDS;
  const at = now + (lives ? wait : strategy.HealthyDeadline / NANOSECONDS);
  world.due.push({ kind: "judge", at, allocation: id, healthy: lives });
}

function end(
  writer: Writer,
  id: string,
  status: "complete" | "failed",
  description: string,
  exitCode: number,
): void {
  const { world, now } = writer;
  const allocation = world.allocations.get(id);
  if (
    allocation === undefined ||
    allocation.ClientStatus === "complete" ||
    allocation.ClientStatus === "failed"
  ) {
    return;
  }
  world.write("allocs", "job_summary");
  write(writer, allocation, {
    ClientStatus: status,
    ClientDescription: description,
    TaskStates: Object.fromEntries(
      Object.entries(allocation.TaskStates ?? {}).map(([name, state]) => [
        name,
        endedState(state, now, exitCode),
      ]),
    ),
  });
  refreshStatus(world, allocation.Namespace, allocation.JobID);
}

function write({ world, now }: Writer, { ID }: Allocation, change: Partial<Allocation>): void {
  const allocation = world.allocations.get(ID);
  if (allocation === undefined) return;
  const moved = { ModifyIndex: world.index, ModifyTime: now * NANOSECONDS };
  world.allocations.set(ID, { ...allocation, ...change, ...moved });
}

function versionOf({ world }: Writer, allocation: Allocation): Job | undefined {
  return world.versions
    .get(keyOf(allocation.Namespace, allocation.JobID))
    ?.find(
      (version) =>
        version.Version === allocation.JobVersion && version.CreateIndex === allocation.JobCreateIndex,
    );
}
