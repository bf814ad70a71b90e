import type { Writer } from "./job-store";
import type { Evaluation, EvaluationTrigger } from "./records";
import type { Job } from "./shape/job";

/**
 * Creates a pending evaluation at the current index. A scheduled step processes it a little later by the mock server's
 * clock.
 */
export function evaluate(
  { world, identifiers, switches, now }: Writer,
  job: Job,
  trigger: EvaluationTrigger,
  fields: Partial<Evaluation> = {},
): Evaluation {
  const evaluation: Evaluation = {
    ...BLANK,
    ID: identifiers.fresh(),
    Namespace: job.Namespace,
    Priority: job.Priority,
    Type: job.Type,
    TriggeredBy: trigger,
    JobID: job.ID,
    JobModifyIndex: job.JobModifyIndex,
    CreateIndex: world.index,
    ModifyIndex: world.index,
    CreateTime: now * 1_000_000,
    ModifyTime: now * 1_000_000,
    ...fields,
  };
  world.evaluations.set(evaluation.ID, evaluation);
  world.touch("evals");
  if (evaluation.Status === "pending") {
    world.due.push({
      kind: "evaluate",
      at: now + switches.evaluationMilliseconds,
      evaluation: evaluation.ID,
    });
  }
  return evaluation;
}

const BLANK = {
  NodeID: "",
  NodeModifyIndex: 0,
  DeploymentID: "",
  Status: "pending",
  StatusDescription: "",
  Wait: 0,
  NextEval: "",
  PreviousEval: "",
  BlockedEval: "",
  FailedTGAllocs: null,
  ClassEligibility: null,
  EscapedComputedClass: false,
  AnnotatePlan: false,
  QueuedAllocations: null,
  SnapshotIndex: 0,
} as const;
