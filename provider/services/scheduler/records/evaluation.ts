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
  id: text("Evaluation ID in Nomad.", "ID"),
  priority: count("Priority of the evaluation. Higher values are processed first."),
  type: text("Scheduler type that processes the evaluation: the type of the job."),
  triggeredBy: text("Trigger of the evaluation, such as `job-register` or `node-update`."),
  jobId: text("ID of the job that the evaluation belongs to.", "JobID"),
  jobModifyIndex: orNone(index("Modify index of the job when the evaluation was created.")),
  nodeId: orNone(text("ID of the node that the evaluation was created for, or empty.", "NodeID")),
  nodeModifyIndex: orNone(index("Modify index of that node when the evaluation was created.")),
  status: text("Evaluation status: `pending`, `complete`, `failed`, `blocked` or `canceled`."),
  statusDescription: orNone(text("Reason for the status.")),
  wait: orNone(duration("Delay before the evaluation is processed.")),
  nextEval: orNone(text("ID of the next evaluation. Unset or empty if there is no next evaluation.")),
  previousEval: orNone(
    text("ID of the previous evaluation. Unset or empty if there is no previous evaluation."),
  ),
  blockedEval: orNone(
    text(
      "ID of the blocked evaluation that waits for nodes for the unplaced allocations. Unset or empty if everything was placed.",
    ),
  ),
  // Open: each version of Nomad can add reasons that exclude a node.
  failedTgAllocs: field(z.record(z.string(), z.record(z.string(), z.unknown())), {
    doc: "Placement failures by task group name, with the reasons that excluded nodes, with the field names of Nomad's API.",
    wire: "FailedTGAllocs",
  }),
  classEligibility: mapOf(z.boolean(), "Eligibility of each computed node class."),
  escapedComputedClass: orNone(
    flag("True if the job has constraints that computed node classes do not cover."),
  ),
  annotatePlan: orNone(flag("True if Nomad annotates the plan of the evaluation.")),
  queuedAllocations: mapOf(z.int(), "Number of allocations that wait for a node, by task group name."),
  snapshotIndex: orNone(index("Index of the state snapshot that the scheduler used.")),
  createIndex,
  modifyIndex,
  namespace: beside(z.string(), "Namespace that contains the job."),
  deploymentId: beside(z.string(), "ID of the evaluation's deployment, or empty.", "DeploymentID"),
});
