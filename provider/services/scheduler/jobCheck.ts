import { isObject, type Json, returnedIndex, textIn, wholeIn } from "../../core";
import { scaledGroups } from "./jobDocument";
import { knownJobOf } from "./jobForms";
import { jobVersions } from "./jobVersions";

/** The index in the response to a register. */
export const registeredIndex = (answer: Json | undefined) =>
  isObject(answer) ? wholeIn(answer.JobModifyIndex)?.toString() : undefined;

const indexIn = (index: Json | undefined) => wholeIn(index) ?? 0n;

/** The check-and-set of a register (specification: Register job, EnforceIndex). */
export const jobCheck = returnedIndex({
  token: "JobModifyIndex",
  requestParts: (token) => ({ body: { EnforceIndex: true, JobModifyIndex: BigInt(token) } }),
  readsFirst: (inputs) => scaledGroups(knownJobOf(inputs)).length > 0,
  returnedToken: ({ json }) => registeredIndex(json),
  isOwn: (named, { CreateIndex: created, JobModifyIndex: latest }, planned = "0") =>
    [created, planned].every((index) => BigInt(named) >= indexIn(index)) && BigInt(named) <= indexIn(latest),
  // If a register changes nothing, Nomad returns the job's ModifyIndex (wire facts).
  isUnchangedSince: (named, body) => [body.JobModifyIndex, body.ModifyIndex].map(textIn).includes(named),
  versions: jobVersions,
});
