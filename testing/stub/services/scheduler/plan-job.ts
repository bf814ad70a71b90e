import { namespaceOf, regionOfBody, theSentJob } from "./create-job";
import { nextLaunch } from "./cron";
import { toWire } from "./dialect";
import { permissionError } from "./errors";
import { annotate, type DesiredUpdates } from "./job-diff/annotate";
import { diffJobs } from "./job-diff/diff";
import { specificationDiffers } from "./job-store";
import { type Endpoint, type Operation, type Outcome, readBody } from "./operation";
import { failedAllocations } from "./progress/evaluation";
import { type GroupPlan, reconcile } from "./progress/reconcile";
import { admit } from "./registration";
import type { Capability } from "./settings";
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

/** Predicts the effects of registering the job; writes nothing. */
function plan(operation: Operation): Outcome {
  const { world, caller, switches, now } = operation;
  const given = readBody(operation, "JobPlanRequest", body);
  const sent = theSentJob(given.Job, operation, "Job must have a valid ID", "Job ID does not match");
  const namespace = namespaceOf(sent, operation);
  const job = admit(operation, sent, namespace);
  const may = (capability: Capability) => caller.may(capability, namespace, world.namespaces);
  if (!(may("submit-job") || may("plan-job")) || (given.PolicyOverride === true && !may("policy-override")))
    throw permissionError();
  const stored = world.jobs.get(keyOf(job.Namespace, job.ID));
  const plans = reconcile(world, asIfStored(job, stored), switches);
  const failed = plans.filter((each) => each.unplaceable > 0);
  const desired = Object.fromEntries(plans.map((each) => [each.name, desiredUpdates(each)]));
  const launch = nextLaunch(job, now);
  const index = stored?.JobModifyIndex ?? 0;
  return {
    body: {
      Annotations: {
        DesiredTGUpdates: desired,
        PreemptedAllocs: null,
      },
      FailedTGAllocs: failed.length === 0 ? null : failedAllocations(failed, job, switches.nodes),
      JobModifyIndex: index,
      CreatedEvals: null,
      Diff:
        given.Diff === true
          ? annotate(diffJobs(toWire(stored, switches.dialect), toWire(job, switches.dialect)), desired)
          : null,
      NextPeriodicLaunch: launch === undefined ? null : new Date(launch).toISOString().replace(".000", ""),
      Warnings: "",
      Index: index,
    },
    index,
  };
}

/** The job as the version that registering it would create. */
function asIfStored(job: Job, stored: Job | undefined): Job {
  if (stored === undefined) return job;
  if (!specificationDiffers(stored, job)) return stored;
  return { ...job, Version: stored.Version + 1, CreateIndex: stored.CreateIndex };
}

function desiredUpdates(plan: GroupPlan): DesiredUpdates {
  return {
    Ignore: plan.ignored.length,
    Place: plan.placed.length - plan.destructive.length,
    Migrate: 0,
    Stop: plan.stopped.length,
    InPlaceUpdate: plan.inPlace.length,
    DestructiveUpdate: plan.destructive.length,
    Canary: plan.canaries.length,
    Preemptions: 0,
    Disconnect: 0,
    Reconnect: 0,
    RescheduleNow: 0,
    RescheduleLater: 0,
  };
}
