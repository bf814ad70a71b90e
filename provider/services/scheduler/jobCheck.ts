import { isObject, type Json, namedIndex, textIn, wholeIn } from "../../core";
import { scaledGroups } from "./jobDocument";
import { knownJobOf } from "./jobForms";
import { jobVersions } from "./jobVersions";

/** The index in the response to a register. */
export const registeredIndex = (answer: Json | undefined) =>
  isObject(answer) ? wholeIn(answer.JobModifyIndex)?.toString() : undefined;

const indexIn = (index: Json | undefined) => wholeIn(index) ?? 0n;

/** The check-and-set of a register (specification: Register job, EnforceIndex). */
export const jobCheck = namedIndex({
  token: "JobModifyIndex",
  carry: (token) => ({ body: { EnforceIndex: true, JobModifyIndex: BigInt(token) } }),
  looksFirst: (inputs) => scaledGroups(knownJobOf(inputs)).length > 0,
  named: ({ json }) => registeredIndex(json),
  isOwn: (named, { CreateIndex: created, JobModifyIndex: latest }, planned = "0") =>
    [created, planned].every((index) => BigInt(named) >= indexIn(index)) && BigInt(named) <= indexIn(latest),
  // If a register changes nothing, Nomad returns the job's ModifyIndex (wire facts).
  isStill: (named, body) => [body.JobModifyIndex, body.ModifyIndex].map(textIn).includes(named),
  versions: jobVersions,
});
