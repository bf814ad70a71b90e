import type { Values } from "../../core/language/object";
import { submissionOf } from "./jobSubmission";

/** What goes beside the job at a register. */
export function besideJob(inputs: Values) {
  const { evalPriority, policyOverride, preserveCounts } = inputs;
  const submission = submissionOf(inputs);
  return {
    body: {
      ...(submission !== undefined && { Submission: submission }),
      ...(evalPriority !== undefined && { EvalPriority: evalPriority }),
      ...(policyOverride !== undefined && { PolicyOverride: policyOverride }),
      ...(preserveCounts !== undefined && { PreserveCounts: preserveCounts }),
    },
  };
}
