import { isObject, type Json, numberIn, type PlannedChange, parseRecords } from "../../core";
import { knownJobOf } from "./jobForms";

/** Preview notes about a job that another job replaces: how it ends, and how many allocations it has according to the state. */
export function replacedNotes({ replaces = [], outputs }: PlannedChange): string[] {
  const records = replaces.length > 0 ? parseRecords(outputs) : undefined;
  if (records === undefined) return [];
  const { address, lastApplied, observed } = records;
  const { json } = observed;
  const counts = countsIn(isObject(json) ? json : (knownJobOf(lastApplied) ?? {}));
  const { namespace = "default", jobId, region } = address;
  const where = replaces.includes("region") && region !== undefined ? ` in region ${region}` : "";
  const name = JSON.stringify(`${namespace}/${jobId}`) + where;
  const because = `a different job replaces it (${replaces.join(", ")})`;
  if (lastApplied.deregisterOnDelete === false)
    return [`job ${name} keeps running and is no longer managed (deregisterOnDelete: false): ${because}`];
  const ends = lastApplied.purge === true ? "stopped and purged" : "stopped";
  return [`job ${name} will be ${ends}${counts === "" ? "" : ` with ${counts}`}: ${because}`];
}

/** The number of allocations that a job's groups request. Periodic and parameterized jobs request none themselves. */
function countsIn({
  TaskGroups: groups,
  Periodic,
  ParameterizedJob,
  Type,
  Stop,
}: Readonly<Record<string, Json>>): string {
  if ((Periodic ?? ParameterizedJob ?? null) !== null || Stop === true) return "";
  // The observed job stores its groups by name.
  const counted = Object.values(isObject(groups) || Array.isArray(groups) ? groups : {}).filter(isObject);
  if (Type === "system" || Type === "sysbatch") return "its allocations on every node";
  const all = counted.reduce((sum, { Count: count }) => sum + (numberIn(count) ?? 1), 0);
  return all === 1 ? "the 1 allocation that it requests" : `the ${all} allocations that it requests`;
}
