import type { DocumentFacts } from "../../core/facts";
import { isObject, type Json, parseJson } from "../../core/json";
import { KEY } from "../../core/path";
import { renameMembers } from "../../core/service";
import { durationInNanoseconds, type Spelling } from "../../core/spelling";
import { scheduler } from "./service";

const GROUP = "TaskGroups.*";
const TASK = `${GROUP}.Tasks.*`;

/** Duration members of a job, in integer nanoseconds (wire facts: durations in JSON). */
const durations = [
  "Update.Stagger",
  "Update.MinHealthyTime",
  "Update.HealthyDeadline",
  "Update.ProgressDeadline",
  `${GROUP}.RestartPolicy.Interval`,
  `${GROUP}.RestartPolicy.Delay`,
  `${GROUP}.ReschedulePolicy.Interval`,
  `${GROUP}.ReschedulePolicy.Delay`,
  `${GROUP}.ReschedulePolicy.MaxDelay`,
  `${GROUP}.Update.Stagger`,
  `${GROUP}.Update.MinHealthyTime`,
  `${GROUP}.Update.HealthyDeadline`,
  `${GROUP}.Update.ProgressDeadline`,
  `${GROUP}.MaxClientDisconnect`,
  `${GROUP}.ShutdownDelay`,
  `${GROUP}.StopAfterClientDisconnect`,
  `${TASK}.KillTimeout`,
  `${TASK}.RestartPolicy.Interval`,
  `${TASK}.RestartPolicy.Delay`,
  `${TASK}.Templates.*.Splay`,
  `${TASK}.Services.*.Checks.*.Interval`,
  `${TASK}.Services.*.Checks.*.Timeout`,
  `${GROUP}.Services.*.Checks.*.Interval`,
  `${GROUP}.Services.*.Checks.*.Timeout`,
];

/** What is known of a job's members (specification: Job (full)). */
export const jobDocument: DocumentFacts = {
  keyedBy: {
    TaskGroups: ["Name"],
    [`${GROUP}.Tasks`]: ["Name"],
    [`${GROUP}.Services`]: ["Name", "PortLabel"],
    [`${TASK}.Services`]: ["Name", "PortLabel"],
  },
  unordered: ["Datacenters"],
  spellings: Object.fromEntries(durations.map((pattern) => [pattern, durationInNanoseconds])),
  serverOwned: [
    // Identity, compared as the object's address.
    "ID",
    "Namespace",
    "Region",
    "Status",
    "StatusDescription",
    "Stable",
    "Version",
    "SubmitTime",
    "CreateIndex",
    "ModifyIndex",
    "JobModifyIndex",
    "SchedTokenID",
    "Dispatched",
    "ParentID",
    "VersionTag",
  ],
  secret: ["SecretsToken", "MeshToken"],
  // A job that somebody stopped is to run again.
  implied: { Stop: false },
  leaves: (inputs) => (inputs.preserveCounts === true ? [`${GROUP}.Count`] : []),
  floats: (answer) => scaledGroups(answer).map((name) => `TaskGroups.${KEY}${name}.Count`),
};

/** The groups whose count an autoscaler owns: those with `Scaling`. */
export function scaledGroups(job: Json | undefined): string[] {
  const groups = isObject(job) && Array.isArray(job.TaskGroups) ? job.TaskGroups : [];
  return groups.flatMap((group) =>
    isObject(group) && isObject(group.Scaling) && typeof group.Name === "string" ? [group.Name] : [],
  );
}

const realDialect = scheduler.dialects.real;

/**
 * A job as JSON text or as an object, with or without `{"Job": …}` around it, in the specification's names or
 * in the product's: all of them are one value.
 */
export const jobJson: Spelling = {
  name: "job as JSON",
  canonical(value) {
    const parsed = typeof value === "string" ? parsedOr(value) : value;
    if (!isObject(parsed)) return value;
    const job = isObject(parsed.Job) && Object.keys(parsed).length === 1 ? parsed.Job : parsed;
    return realDialect ? renameMembers(job, realDialect, "specification") : job;
  },
  encode: (value) => jobJson.canonical(value),
};

function parsedOr(text: string): Json {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

/** The job that a program's `json` holds; undefined where it is unknown or no job. */
export function jobOf(json: Json | undefined): { readonly [member: string]: Json } | undefined {
  const job = json === undefined || json === null ? undefined : jobJson.canonical(json);
  return isObject(job) ? job : undefined;
}
