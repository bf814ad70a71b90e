import { isObject, type Json, type Observation, type Receipt, type Values, wholeIn } from "../../core";
import { jobCheck, registeredIndex } from "./jobCheck";
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

/** What a register tells of itself: the version that it made, where nobody has made another since, and its evaluation. */
export function registered(answer: Json, { body }: Observation): Receipt {
  const { EvalID: evaluation } = isObject(answer) ? answer : {};
  const named = registeredIndex(answer);
  const version = wholeIn(body.Version);
  const isOwn = named !== undefined && jobCheck.isStill(named, body);
  return {
    version: isOwn && version !== undefined ? Number(version) : undefined,
    evalId: typeof evaluation === "string" && evaluation !== "" ? evaluation : undefined,
  };
}
