import { documentFactsOf } from "../../core/language/documentFacts";
import type { DocumentFacts } from "../../core/language/facts";
import type { Values } from "../../core/language/object";
import type { Dialect } from "../../core/language/service";
import { typedDocument } from "../../core/language/typedDocument";
import { renameMembers } from "../../core/requests/dialect";
import { isObject, type Json, parseJson } from "../../core/value/json";
import { memoByObject, memoByText } from "../../core/value/memo";
import { isNamed, KEY, lookUp, type Path } from "../../core/value/path";
import type { Spelling } from "../../core/value/spelling";
import { jobLeftOut } from "./jobLeftOut";
import { withServiceNames } from "./jobServiceNames";
import { productMembers } from "./service";
import { jobSpec } from "./spec/job";

const GROUP = "TaskGroups.*";
const own = documentFactsOf(jobSpec, "pascal");

/** What is secret in a job, by the service's names and by those of a typed `spec`. */
export const secretMembers = own.secret;
/** What is secret in a job, by the service's names. */
export const jobSecrets = ["SecretsToken", "MeshToken"];

/** What only the service sets (wire facts: Server-owned): neither compared nor sent, so that an answer can be handed back. */
const setByServer = [
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
  "DispatchIdempotencyToken",
  "ParentID",
  "VersionTag",
  ...[`${GROUP}.Scaling`, `${GROUP}.Tasks.*.ScalingPolicies.*`].flatMap((policy) =>
    ["ID", "Namespace", "CreateIndex", "ModifyIndex"].map((name) => `${policy}.${name}`),
  ),
];

/** The settings of Envoy that a job hands on: their names and values are Envoy's. */
const proxySettings = [`${GROUP}.Services`, `${GROUP}.Tasks.*.Services`].flatMap((services) => [
  `${services}.*.Connect.SidecarService.Proxy.Config.*`,
  `${services}.*.Connect.SidecarService.Proxy.Upstreams.*.Config.*`,
  `${services}.*.Connect.Gateway.Proxy.Config.*`,
]);

/** What is known of a job's members (specification: Job (full)), beside what the typed `spec` says of them. */
export const jobDocument: DocumentFacts = {
  ...own,
  ...jobLeftOut,
  freeEntries: [...own.freeEntries, ...proxySettings],
  // The first three are its identity, compared as the object's address.
  serverOwned: ["ID", "Namespace", "Region", ...setByServer],
  secret: jobSecrets,
  // A job that somebody stopped is to run again.
  implied: { Stop: false },
  deletedAs: { Stop: true },
  // A job's text, once parsed, always has a name (wire facts: Name=ID).
  impliedBy: { Name: "ID" },
  // The service keeps `Stagger` and `MaxParallel` of a job's own strategy, and the whole of it in the groups.
  handedDown: [
    ...["HealthCheck", "MinHealthyTime", "HealthyDeadline", "ProgressDeadline"].map(
      (name) => `Update.${name}`,
    ),
    ...["AutoRevert", "AutoPromote", "Canary"].map((name) => `Update.${name}`),
    "Reschedule",
    "Migrate",
    `${GROUP}.Services.*.CheckRestart`,
    `${GROUP}.Tasks.*.Services.*.CheckRestart`,
  ],
  dropped: [`${GROUP}.Tasks.*.Lifecycle`],
  othersOwned: (inputs) => (inputs.preserveCounts === true ? [`${GROUP}.Count`] : []),
  floats: (answer) => scaledGroups(answer).map((name) => `TaskGroups.${KEY}${name}.Count`),
};

/** The groups whose count an autoscaler owns: those with `Scaling`. */
export function scaledGroups(job: Json | undefined): string[] {
  const groups = isObject(job) && Array.isArray(job.TaskGroups) ? job.TaskGroups : [];
  return groups.flatMap((group) =>
    isObject(group) && isObject(group.Scaling) && typeof group.Name === "string" ? [group.Name] : [],
  );
}

/** A program may write the product's names. */
const product: Dialect = { headers: {}, members: productMembers };

/**
 * A job as JSON text or as an object, with or without `{"Job": …}` around it, in the specification's names or
 * in the product's: all of them are one value.
 */
export const jobJson: Spelling = {
  name: "job as JSON",
  canonical(value) {
    const job = jobSaid(value);
    return isObject(job) ? named(job) : job;
  },
  takesUnknown: true,
  encode: (value) => asSent(jobSaid(value)),
};

/** The job itself, in the specification's names; what is no job stays as it is. */
function jobSaid(value: Json): Json {
  const parsed = typeof value === "string" ? parsedOr(value) : value;
  return isObject(parsed) ? specified(parsed) : value;
}

const named = memoByObject((job: { [member: string]: Json }) => withServiceNames(job));

const specified = memoByObject((parsed: { [member: string]: Json }): Json => {
  const job = isObject(parsed.Job) && Object.keys(parsed).length === 1 ? parsed.Job : parsed;
  return renameMembers(job, product, "specification");
});

const typed = typedDocument(jobSpec, "pascal");

/** A job as a typed object. */
export const jobTyped: Spelling = {
  ...typed,
  canonical: (value) => withServiceNames(typed.canonical(value)),
  encode: (value) => asSent(typed.canonical(value)),
};

/** A job's text is read once a step, however many ask what it says. */
const parsedOr = memoByText((text: string): Json => {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
});

/**
 * A job as it travels: durations as whole nanoseconds and signals in upper case, whatever way a program writes them,
 * and nothing that only the service sets.
 */
function asSent(value: Json, path: Path = []): Json {
  if (Array.isArray(value)) return value.map((element, index) => asSent(element, [...path, index]));
  if (isObject(value)) {
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, member]) => {
        const at = [...path, name];
        return isNamed(setByServer, at) ? [] : [[name, asSent(member, at)] as const];
      }),
    );
  }
  return typeof value === "string" ? (lookUp(own.spellings, path)?.canonical(value) ?? value) : value;
}

/** The job that a value says in one of its spellings; undefined where it is unknown or no job. */
export function jobIn(spelling: Spelling, value: Json | undefined): Values | undefined {
  const job = value === undefined || value === null ? undefined : spelling.canonical(value);
  return isObject(job) ? job : undefined;
}
