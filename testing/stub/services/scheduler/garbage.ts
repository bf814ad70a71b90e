import { permissionError } from "./errors";
import { isParameterized, isPeriodic, purge } from "./job-store";
import type { Endpoint, Operation, Outcome } from "./operation";
import type { Job } from "./shape/job";

/** "Force garbage collection": deletes the jobs that Nomad itself deletes once they have been dead for some hours. */
export const garbageEndpoints: readonly Endpoint[] = (["POST", "PUT"] as const).map(
  (method): Endpoint => ({ method, path: "/system/gc", section: "System", handle: collect }),
);

function collect({ world, caller }: Operation): Outcome {
  if (!caller.isManagement) throw permissionError();
  for (const job of [...world.jobs.values()].filter(isCollectable)) {
    const { Namespace: namespace, ID: id } = job;
    for (const { ID } of world.evaluationsOf(namespace, id)) world.evaluations.delete(ID);
    for (const { ID } of world.allocationsOf(namespace, id)) world.allocations.delete(ID);
    purge(world, job);
  }
  return { body: null, index: world.index };
}

/** Batch jobs end on their own; any other job is collected only if it was stopped. A job with a tagged version never is. */
function isCollectable(job: Job): boolean {
  if (job.VersionTag !== null) return false;
  if (isPeriodic(job) || isParameterized(job)) return job.Stop;
  if (job.Status !== "dead") return false;
  return job.Stop || job.Type === "batch" || job.Type === "sysbatch";
}
