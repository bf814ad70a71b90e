import { z } from "zod";
import { field } from "../../../core/language/facts";
import { beside, count, createIndex, duration, flag, index, mapOf, modifyIndex, text } from "./members";

/** An evaluation (specification: Evaluation). */
export const evaluation = z.object({
  id: text("The evaluation's id.", "ID"),
  priority: count("Its priority."),
  type: text("The kind of scheduler that works it off: the job's type."),
  triggeredBy: text("What it is for, such as `job-register` or `node-update`."),
  jobId: text("The job's id.", "JobID"),
  jobModifyIndex: index("The job's index when it was made."),
  nodeId: text("The node for which it was made; empty where it was made for none.", "NodeID"),
  nodeModifyIndex: index("That node's index."),
  status: text("`pending`, `complete`, `failed`, `blocked` or `canceled`."),
  statusDescription: text("Why it is in this status."),
  wait: duration("How long is waited before it is worked off."),
  nextEval: text("The evaluation that follows it; empty where there is none."),
  previousEval: text("The evaluation that it follows; empty where there is none."),
  blockedEval: text(
    "The evaluation that waits for nodes, for what it could not place; empty where there is none.",
  ),
  // Open: what a node was refused for, to which every version of the service adds.
  failedTgAllocs: field(z.record(z.string(), z.record(z.string(), z.unknown())), {
    doc: "What could not be placed, and which nodes were out of the question for what, by the task group's name, in the service's own names.",
    wire: "FailedTGAllocs",
  }),
  classEligibility: mapOf(z.boolean(), "Which classes of nodes can take it, by the class."),
  escapedComputedClass: flag("Whether it asks for what no class of nodes says."),
  annotatePlan: flag("Whether its plan is explained."),
  queuedAllocations: mapOf(z.int(), "How many allocations wait for a node, by the task group's name."),
  snapshotIndex: index("The index of the state that it was worked off from."),
  createIndex,
  modifyIndex,
  namespace: beside(z.string(), "The job's namespace."),
  deploymentId: beside(
    z.string(),
    "The deployment of which it is; empty where it is of none.",
    "DeploymentID",
  ),
});
