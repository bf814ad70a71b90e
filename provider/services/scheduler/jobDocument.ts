import {
  collectDocumentFacts,
  type Dialect,
  type DocumentFacts,
  isNamed,
  isObject,
  type Json,
  KEY,
  lookUp,
  memoByObject,
  memoByText,
  type Path,
  parseJson,
  type Spelling,
  typedDocument,
} from "../../core";
import { jobLeftOut } from "./jobLeftOut";
import { inModel, inNamesOf, partInNamesOf, setByServer, withJobNames } from "./jobNames";
import { withServiceNames } from "./jobServiceNames";
import { neutral } from "./service";
import { jobSpec } from "./spec/job";

const GROUP = "TaskGroups.*";
const own = collectDocumentFacts(jobSpec, "pascal");

/** The secret members of a job, in the server's names and in those of a typed `spec`. */
export const secretMembers = own.secret;
/** The secret members of a job, in the specification's names and in those of the dialect. */
export const secretsIn = (dialect: Dialect): readonly string[] => {
  const tokens = { SecretsToken: "", MeshToken: "" };
  return [...new Set([...Object.keys(tokens), ...Object.keys(inNamesOf(dialect, tokens) ?? {})])];
};

/** Facts about the members of a job (specification: Job (full)), in addition to those of the typed `spec`. */
export const jobDocument: DocumentFacts = {
  ...own,
  ...jobLeftOut,
  // The first three identify the job and are compared as its address. The others let a program pass a response back as
  // `json`.
  serverOwned: ["ID", "Namespace", "Region", ...setByServer],
  secret: secretsIn(neutral),
  // An update restarts a job that someone stopped.
  implied: { Stop: false },
  deletedAs: { Stop: true },
  // A parsed job always has a name (wire facts: Name=ID).
  impliedBy: { Name: "ID" },
  // Nomad stores `Stagger` and `MaxParallel` in the job's own strategy, and the complete strategy in the groups.
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
  othersOwned: ({ preserveCounts, preserveResources }) => [
    ...(preserveCounts === true ? [`${GROUP}.Count`] : []),
    ...(preserveResources === true ? [`${GROUP}.Tasks.*.Resources`] : []),
  ],
  floats: (answer) => scaledGroups(answer).map((name) => `TaskGroups.${KEY}${name}.Count`),
};

/** The groups whose count an autoscaler owns: those with `Scaling`. */
export function scaledGroups(job: Json | undefined): string[] {
  const groups = isObject(job) && Array.isArray(job.TaskGroups) ? job.TaskGroups : [];
  return groups.flatMap((group) =>
    isObject(group) && isObject(group.Scaling) && typeof group.Name === "string" ? [group.Name] : [],
  );
}

/**
 * A job as JSON text or as an object in the names of the dialect, with or without an enclosing `{"Job": …}`. All forms
 * compare as one value.
 */
export const jobJson = memoByObject((dialect: Dialect): Spelling => {
  const modelOfJob = (value: Json): Json => {
    const job = jobWritten(value);
    return isObject(job) ? inModel(dialect)(job) : job;
  };
  return {
    doc: "",
    canonical: (value) => normalizeJob(modelOfJob(value)),
    takesUnknown: true,
    encode: (value) => asSent(modelOfJob(value)),
    answered,
    restore: (job) => inNamesOf(dialect, job),
    restorePart: (part, path) => partInNamesOf(dialect, path, part).part,
    restorePath: (path) => partInNamesOf(dialect, path, null).path,
  };
});

/** Server responses are already translated to the specification's names. */
const answered: Spelling = {
  doc: "",
  canonical: (value) => normalizeJob(value),
  takesUnknown: true,
};

/** Like `jobJson` for JSON text. An object is a job that the server parsed from HCL, already in the specification's names. */
export const jobRead = memoByObject((dialect: Dialect): Spelling => {
  const json = jobJson(dialect);
  return {
    ...json,
    canonical: (value) => (typeof value === "string" ? json.canonical(value) : normalizeJob(value)),
    encode: (value) => (typeof value === "string" ? (json.encode?.(value) ?? value) : asSent(value)),
  };
});

/** The job itself, with its members in Nomad's stored case. Returns a value that is not a job unchanged. */
export function jobWritten(value: Json): Json {
  const parsed = typeof value === "string" ? parsedOr(value) : value;
  if (!isObject(parsed)) return value;
  const [[name, inside] = ["", null], ...others] = Object.entries(parsed);
  if (others.length > 0 || !isObject(inside) || name.toLowerCase() !== "job") return withJobNames(parsed);
  const job = withJobNames(inside);
  // In HCL's JSON form, the inner key is the job's name.
  return name === "Job" || typeof job.ID === "string" ? job : parsed;
}

/** Normalizes service names and UI links as Nomad does, for every form of a job. */
function normalizeJob(job: Json): Json {
  return isObject(job) ? withNames(job) : job;
}

const withNames = memoByObject((job: { [member: string]: Json }) => withLinks(withServiceNames(job)));

/** Renames the address of a UI link: a parsed job has `URL`, a registered job `Url`. */
function withLinks(job: Json): Json {
  if (!isObject(job) || !isObject(job.UI) || !Array.isArray(job.UI.Links)) return job;
  const links = job.UI.Links.map((link) => {
    if (!isObject(link) || link.URL === undefined || link.Url !== undefined) return link;
    const { URL: address, ...own } = link;
    return { ...own, Url: address };
  });
  return { ...job, UI: { ...job.UI, Links: links } };
}

const typed = typedDocument(jobSpec, "pascal");

/** A job as a typed object. */
export const jobTyped: Spelling = {
  ...typed,
  canonical: (value) => normalizeJob(typed.canonical(value)),
  encode: (value) => asSent(typed.canonical(value)),
};

/** Parses a job's text once per step, for all callers. */
const parsedOr = memoByText((text: string): Json => {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
});

/**
 * Encodes a job for a request: durations as integer nanoseconds, signals in upper case, without the members that only Nomad
 * sets.
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
