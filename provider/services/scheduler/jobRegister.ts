import type { Observation, Values } from "../../core/language/object";
import type { Receipt } from "../../core/language/writes";
import { isObject, type Json } from "../../core/value/json";
import { wholeIn } from "../../core/value/scalar";
import { jobText, variablesText } from "./jobText";

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
  const { EvalID: evaluation, JobModifyIndex: named } = isObject(answer) ? answer : {};
  const version = wholeIn(body.Version);
  // An unchanged register answers the job's ModifyIndex (wire facts).
  const isOwn = [body.JobModifyIndex, body.ModifyIndex].map(String).includes(String(named));
  return {
    version: isOwn && version !== undefined ? Number(version) : undefined,
    evalId: typeof evaluation === "string" && evaluation !== "" ? evaluation : undefined,
  };
}

/** The program's own text, for people who look at the job later (specification: Job submission). */
function submissionOf({ json, hcl, variables, hclv1 }: Values): Json | undefined {
  if (typeof json === "string") return { Source: json, Format: "json" };
  if (typeof hcl !== "string") return undefined;
  if (jobText.plain(hcl) !== undefined) return { Source: hcl, Format: "json" };
  return {
    Source: hcl,
    Format: hclv1 === true ? "hcl1" : "hcl2",
    ...(variables !== undefined && { Variables: variablesText(variables) }),
  };
}
