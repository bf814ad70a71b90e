import { isObject, type Json, type Observation, type Receipt, type Values, wholeIn } from "../../core";
import { jobCheck, registeredIndex } from "./jobCheck";
import { submissionOf } from "./jobSubmission";

/** The members of a register request other than the job. */
export function besideJob(inputs: Values) {
  const { evalPriority, policyOverride, preserveCounts, preserveResources } = inputs;
  const submission = submissionOf(inputs);
  return {
    body: {
      ...(submission !== undefined && { Submission: submission }),
      ...(evalPriority !== undefined && { EvalPriority: evalPriority }),
      ...(policyOverride !== undefined && { PolicyOverride: policyOverride }),
      ...(preserveCounts !== undefined && { PreserveCounts: preserveCounts }),
      ...(preserveResources !== undefined && { PreserveResources: preserveResources }),
    },
  };
}

/**
 * Metadata of a register: its evaluation, and the job version that it created unless someone else has registered the job
 * since.
 */
export function receiptOfRegister(answer: Json, { body }: Observation): Receipt {
  const { EvalID: evaluation } = isObject(answer) ? answer : {};
  const named = registeredIndex(answer);
  const version = wholeIn(body.Version);
  const isOwn = named !== undefined && jobCheck.isUnchangedSince(named, body);
  return {
    version: isOwn && version !== undefined ? Number(version) : undefined,
    evalId: typeof evaluation === "string" && evaluation !== "" ? evaluation : undefined,
  };
}
