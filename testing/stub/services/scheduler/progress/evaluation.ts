import { evaluate } from "../evaluations";
import { refreshStatus, type Writer } from "../job-store";
import type { Deployment, Evaluation } from "../records";
import type { Job } from "../shape/job";
import { keyOf } from "../world";
import { place, stop, updateInPlace } from "./allocation";
import { deployFor } from "./deployment-start";
import { type GroupPlan, NOTHING, reconcile } from "./reconcile";

/** All nodes are alike, so there is only one class. */
const ONLY_CLASS = "v1:1";

/** Processes a pending evaluation: first writes the changes that it plans, then marks it complete. */
export function work(writer: Writer, id: string): void {
  const { world, now } = writer;
  const evaluation = world.evaluations.get(id);
  if (evaluation?.Status !== "pending") return;
  const job = world.jobs.get(keyOf(evaluation.Namespace, evaluation.JobID));
  const snapshot = world.index;
  const plans =
    job === undefined ? plansForNoJob(writer, evaluation) : reconcile(world, job, writer.switches);
  const deployment = carryOut(writer, evaluation, job, plans);
  world.write("evals");
  const failed = plans.filter((plan) => plan.unplaceable > 0);
  const blocked =
    job === undefined || failed.length === 0
      ? undefined
      : evaluate(writer, job, "queued-allocs", {
          Status: "blocked",
          PreviousEval: id,
          ClassEligibility: { [ONLY_CLASS]: false },
        });
  world.evaluations.set(id, {
    ...evaluation,
    Status: "complete",
    DeploymentID: deployment?.ID ?? evaluation.DeploymentID,
    BlockedEval: blocked?.ID ?? "",
    FailedTGAllocs: failed.length === 0 ? null : failedAllocations(failed, job, writer.switches.nodes),
    QueuedAllocations: Object.fromEntries(plans.map((plan) => [plan.name, plan.unplaceable])),
    SnapshotIndex: snapshot,
    ModifyIndex: world.index,
    ModifyTime: now * 1_000_000,
  });
  cancelBlocked(writer, evaluation, blocked?.ID);
  world.touch("job_summary");
  refreshStatus(world, evaluation.Namespace, evaluation.JobID);
}

/** Cancels blocked evaluations of the job, because this evaluation now places their allocations. */
function cancelBlocked({ world, now }: Writer, { Namespace, JobID }: Evaluation, except?: string): void {
  for (const other of world.evaluationsOf(Namespace, JobID)) {
    if (other.Status !== "blocked" || other.ID === except) continue;
    world.evaluations.set(other.ID, {
      ...other,
      Status: "canceled",
      StatusDescription: "cancelled after more recent eval was processed",
      ModifyIndex: world.index,
      ModifyTime: now * 1_000_000,
    });
  }
}

/** The metrics of allocations that could not be placed, by group. */
export function failedAllocations(
  plans: readonly GroupPlan[],
  job: Job | undefined,
  nodes: number,
): NonNullable<Evaluation["FailedTGAllocs"]> {
  return Object.fromEntries(
    plans.map((plan) => [
      plan.name,
      {
        NodesEvaluated: nodes,
        NodesFiltered: nodes,
        NodesInPool: nodes,
        NodePool: job?.NodePool ?? "default",
        NodesAvailable: { dc1: nodes },
        ClassFiltered: null,
        ConstraintFiltered: { [reason(job, plan)]: nodes },
        NodesExhausted: 0,
        ClassExhausted: null,
        DimensionExhausted: null,
        QuotaExhausted: null,
        ResourcesExhausted: null,
        Scores: null,
        ScoreMetaData: null,
        AllocationTime: 0,
        CoalescedFailures: plan.unplaceable - 1,
      },
    ]),
  );
}

/** The constraint that excluded every node: the first one of the job or group, else a missing driver. */
function reason(job: Job | undefined, { group }: GroupPlan): string {
  const [first] = [...(job?.Constraints ?? []), ...(group?.Constraints ?? [])];
  return first === undefined ? "missing drivers" : `${first.LTarget} ${first.Operand} ${first.RTarget}`;
}

/** A purged job leaves allocations behind; all of them stop. */
function plansForNoJob(writer: Writer, { Namespace, JobID }: Evaluation): readonly GroupPlan[] {
  const left = writer.world.allocationsOf(Namespace, JobID);
  return [...new Set(left.map((item) => item.TaskGroup))].map((name) => ({
    ...NOTHING,
    name,
    stopped: left.filter((item) => item.TaskGroup === name && item.DesiredStatus === "run"),
  }));
}

function carryOut(
  writer: Writer,
  evaluation: Evaluation,
  job: Job | undefined,
  plans: readonly GroupPlan[],
): Deployment | undefined {
  const { world } = writer;
  // One write for all changes of the plans; if the plans change nothing, the write touches no table.
  world.write(...(plans.some(changesAllocations) ? (["allocs"] as const) : []));
  const deployment = deployFor(writer, evaluation, job, plans);
  for (const plan of plans) {
    for (const allocation of plan.stopped) stop(writer, allocation, "alloc not needed due to job update");
    if (job === undefined || plan.group === undefined) continue;
    for (const allocation of plan.inPlace) updateInPlace(writer, allocation, job, plan.group, deployment);
    if (plan.unplaceable > 0) continue;
    for (const allocation of plan.destructive) {
      stop(writer, allocation, "alloc is being updated due to job update");
    }
    for (const [position, index] of plan.placed.entries()) {
      const previous = plan.destructive[position];
      place(writer, { evaluation, job, group: plan.group, index, deployment, previous, isCanary: false });
    }
    for (const index of plan.canaries) {
      place(writer, { evaluation, job, group: plan.group, index, deployment, isCanary: true });
    }
  }
  return deployment;
}

function changesAllocations(plan: GroupPlan): boolean {
  const placements = plan.unplaceable > 0 ? 0 : plan.placed.length + plan.canaries.length;
  return plan.stopped.length + plan.inPlace.length + placements > 0;
}
