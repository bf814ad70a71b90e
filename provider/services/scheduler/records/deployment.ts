import { z } from "zod";
import { count, createIndex, duration, flag, index, mapOf, modifyIndex, text, texts } from "./members";

const group = z.object({
  autoPromote: flag("True if Nomad promotes healthy canaries automatically."),
  autoRevert: flag("True if a failed deployment reverts the job to its last stable version."),
  desiredCanaries: count("Desired number of canaries."),
  desiredTotal: count("Desired number of allocations."),
  placedAllocs: count("Number of placed allocations."),
  placedCanaries: texts("IDs of the placed canaries."),
  healthyAllocs: count("Number of healthy allocations."),
  unhealthyAllocs: count("Number of unhealthy allocations."),
  progressDeadline: duration(
    "Time without a newly healthy allocation after which the deployment fails; 0 means no limit.",
  ),
  promoted: flag("True if the canaries were promoted."),
  requireProgressBy: text(
    "Time by which the next allocation has to be healthy (RFC 3339). Year 1 means no limit.",
  ),
});

/** A deployment (specification: Deployment). */
export const deployment = z.object({
  id: text("Deployment ID in Nomad.", "ID"),
  jobId: text("ID of the job that the deployment belongs to.", "JobID"),
  jobVersion: count("Job version that the deployment rolls out."),
  jobModifyIndex: index("Modify index of that job version."),
  jobSpecModifyIndex: index("Check-and-set index of that job version."),
  jobCreateIndex: index("Index when the job was created."),
  evalPriority: count("Priority of the deployment's evaluations; 0 means the job's priority."),
  isMultiregion: flag("True if the deployment is part of a multiregion deployment."),
  namespace: text("Namespace that contains the job."),
  status: text(
    "Deployment status: `running`, `paused`, `successful`, `failed` or `cancelled`; multiregion deployments have more values.",
  ),
  statusDescription: text("Reason for the status."),
  taskGroups: mapOf(group, "Progress of each task group, by name."),
  createIndex,
  modifyIndex,
});
