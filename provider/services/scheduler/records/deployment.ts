import { z } from "zod";
import { count, createIndex, duration, flag, index, mapOf, modifyIndex, text, texts } from "./members";

const group = z.object({
  autoPromote: flag("Whether healthy canaries are promoted without an operator."),
  autoRevert: flag("Whether a failure takes the job back to its last stable version."),
  desiredCanaries: count("How many canaries there shall be."),
  desiredTotal: count("How many allocations there shall be."),
  placedAllocs: count("How many are placed."),
  placedCanaries: texts("The ids of the canaries that are placed."),
  healthyAllocs: count("How many are healthy."),
  unhealthyAllocs: count("How many are not."),
  progressDeadline: duration("How long it may go without another healthy allocation; 0 has no end."),
  promoted: flag("Whether its canaries were promoted."),
  requireProgressBy: text("When the next allocation must be healthy (RFC 3339); the year 1 is never."),
});

/** A deployment (specification: Deployment). */
export const deployment = z.object({
  id: text("The id by which the service knows the deployment.", "ID"),
  jobId: text("The id of the job that it belongs to.", "JobID"),
  jobVersion: count("The version of the job that it brings."),
  jobModifyIndex: index("The index of that version at which it changed last."),
  jobSpecModifyIndex: index("The check-and-set index of that version."),
  jobCreateIndex: index("The index at which the job was made."),
  evalPriority: count("The priority of its evaluations; 0 is the job's."),
  isMultiregion: flag("Whether it is part of one in several regions."),
  namespace: text("The namespace that holds the job."),
  status: text("`running`, `paused`, `successful`, `failed` or `cancelled`, and more in several regions."),
  statusDescription: text("Why it is in this status."),
  taskGroups: mapOf(group, "How far each task group is, by its name."),
  createIndex,
  modifyIndex,
});
