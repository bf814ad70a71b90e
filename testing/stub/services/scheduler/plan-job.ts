import { namespaceOf, regionOfBody, theSentJob } from "./create-job";
import { toWire } from "./dialect";
import { denied } from "./errors";
import { diffJobs } from "./job-diff/diff";
import type { GroupDiff, JobDiff } from "./job-diff/records";
import { specificationDiffers } from "./job-store";
import { type Endpoint, type Operation, type Outcome, readBody } from "./operation";
import { failedAllocations } from "./progress/evaluation";
import { type GroupPlan, reconcile } from "./progress/reconcile";
import { admit } from "./registration";
import { flag, optional, struct } from "./shape/field";
import { type Job, job as jobShape } from "./shape/job";
import { keyOf } from "./world";

export const planJobEndpoints: readonly Endpoint[] = (["POST", "PUT"] as const).map((method) => ({
  method,
  path: "/job/:job_id/plan",
  section: "The other jobs endpoints",
  regionOf: regionOfBody,
  handle: plan,
}));

const body = struct({ Job: optional(jobShape), Diff: flag(), PolicyOverride: flag() });

/** What registering the job would do; nothing is written. */
function plan(operation: Operation): Outcome {
  const { world, caller, switches } = operation;
  const given = readBody(operation, "JobPlanRequest", body);
  const sent = theSentJob(given.Job, operation, "Job must have a valid ID", "Job ID does not match");
  const namespace = namespaceOf(sent, operation);
  const job = admit(operation, sent, namespace);
  const may = (capability: "submit-job" | "policy-override") =>
    caller.may(capability, namespace, world.namespaces);
  if (!may("submit-job") || (given.PolicyOverride === true && !may("policy-override"))) throw denied();
  const stored = world.jobs.get(keyOf(job.Namespace, job.ID));
  const plans = reconcile(world, asIfStored(job, stored), switches);
  const failed = plans.filter((each) => each.unplaceable > 0);
  const index = stored?.JobModifyIndex ?? 0;
  return {
    body: {
      Annotations: {
        DesiredTGUpdates: Object.fromEntries(plans.map((each) => [each.name, desiredUpdates(each)])),
        PreemptedAllocs: null,
      },
      FailedTGAllocs: failed.length === 0 ? null : failedAllocations(failed, job, switches.nodes),
      JobModifyIndex: index,
      CreatedEvals: null,
      Diff:
        given.Diff === true
          ? annotated(diffJobs(toWire(stored, switches.dialect), toWire(job, switches.dialect)), plans)
          : null,
      NextPeriodicLaunch: "0001-01-01T00:00:00Z",
      Warnings: "",
      Index: index,
    },
    index,
  };
}

/** The version that the job would be. */
function asIfStored(job: Job, stored: Job | undefined): Job {
  if (stored === undefined) return job;
  if (!specificationDiffers(stored, job)) return stored;
  return { ...job, Version: stored.Version + 1, CreateIndex: stored.CreateIndex };
}

function desiredUpdates(plan: GroupPlan): Readonly<Record<string, number>> {
  return {
    Ignore: plan.ignored.length,
    Place: plan.placed.length - plan.destructive.length,
    Migrate: 0,
    Stop: plan.stopped.length,
    InPlaceUpdate: plan.inPlace.length,
    DestructiveUpdate: plan.destructive.length,
    Canary: plan.canaries.length,
    Preemptions: 0,
  };
}

/** A plan's diff says what each difference leads to. */
function annotated(diff: JobDiff, plans: readonly GroupPlan[]): JobDiff {
  const byName = new Map(plans.map((plan) => [plan.name, plan]));
  const groups = diff.TaskGroups?.map((group) => {
    const plan = byName.get(group.Name);
    return plan === undefined ? group : annotatedGroup(group, plan);
  });
  return { ...diff, TaskGroups: groups ?? null };
}

function annotatedGroup(group: GroupDiff, plan: GroupPlan): GroupDiff {
  const counts: Readonly<Record<string, number>> = {
    ignore: plan.ignored.length,
    create: plan.placed.length - plan.destructive.length,
    destroy: plan.stopped.length,
    "in-place update": plan.inPlace.length,
    "create/destroy update": plan.destructive.length,
    canary: plan.canaries.length,
  };
  const updates = Object.entries(counts).filter(([, count]) => count > 0);
  return {
    ...group,
    Updates: updates.length === 0 ? null : Object.fromEntries(updates),
    Fields: group.Fields?.map((field) => ({ ...field, Annotations: countAnnotation(field) })) ?? null,
    Tasks: group.Tasks?.map((task) => ({ ...task, Annotations: [taskAnnotation(group, plan)] })) ?? null,
  };
}

function countAnnotation({
  Name,
  Old,
  New,
}: {
  Name: string;
  Old: string;
  New: string;
}): readonly string[] | null {
  if (Name !== "Count") return null;
  return [Number(New) > Number(Old) ? "forces create" : "forces destroy"];
}

function taskAnnotation({ Type: type }: GroupDiff, { destructive, canaries }: GroupPlan): string {
  if (type === "Added") return "forces create";
  if (type === "Deleted") return "forces destroy";
  return destructive.length + canaries.length > 0 ? "forces create/destroy update" : "forces in-place update";
}
