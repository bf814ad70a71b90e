import { z } from "zod";
import { field } from "../../../core";
import {
  beside,
  count,
  createIndex,
  duration,
  flag,
  index,
  mapOf,
  modifyIndex,
  orNone,
  text,
} from "./members";

/** An evaluation (specification: Evaluation). Nomad omits members that are empty, 0 or false. */
export const evaluation = z.object({
  id: text("The id by which the service knows the evaluation.", "ID"),
  priority: count("How urgent it is among the evaluations; the higher, the sooner."),
  type: text("The kind of scheduler that works it off: the job's type."),
  triggeredBy: text("What it is for, such as `job-register` or `node-update`."),
  jobId: text("The id of the job that it belongs to.", "JobID"),
  jobModifyIndex: orNone(index("The job's index when it was made.")),
  nodeId: orNone(text("The node for which it was made; empty where it was made for none.", "NodeID")),
  nodeModifyIndex: orNone(index("The index of that node when it was made.")),
  status: text("How far it is: `pending`, `complete`, `failed`, `blocked` or `canceled`."),
  statusDescription: orNone(text("Why it is in this status.")),
  wait: orNone(duration("How long is waited before it is worked off.")),
  nextEval: orNone(text("The evaluation that follows it; none, or empty, where there is none.")),
  previousEval: orNone(text("The evaluation that it follows; none, or empty, where there is none.")),
  blockedEval: orNone(
    text(
      "The evaluation that waits for nodes, for what it could not place; none, or empty, where there is none.",
    ),
  ),
  // Open: each version of Nomad can add reasons that exclude a node.
  failedTgAllocs: field(z.record(z.string(), z.record(z.string(), z.unknown())), {
    doc: "What could not be placed, and which nodes were out of the question for what, by the task group's name, in the service's own names.",
    wire: "FailedTGAllocs",
  }),
  classEligibility: mapOf(z.boolean(), "Which classes of nodes can take it, by the class."),
  escapedComputedClass: orNone(flag("Whether it asks for what no class of nodes says.")),
  annotatePlan: orNone(flag("Whether its plan is explained.")),
  queuedAllocations: mapOf(z.int(), "How many allocations wait for a node, by the task group's name."),
  snapshotIndex: orNone(index("The index of the state that it was worked off from.")),
  createIndex,
  modifyIndex,
  namespace: beside(z.string(), "The namespace that holds the job."),
  deploymentId: beside(
    z.string(),
    "The deployment of which it is; empty where it is of none.",
    "DeploymentID",
  ),
});
