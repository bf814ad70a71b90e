import {
  type Dialect,
  type DocumentFacts,
  documentFactsOf,
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
const own = documentFactsOf(jobSpec, "pascal");

/** What is secret in a job, by the service's names and by those of a typed `spec`. */
export const secretMembers = own.secret;
/** What is secret in a job, in the model and in the names of a dialect. */
export const secretsIn = (dialect: Dialect): readonly string[] => {
  const tokens = { SecretsToken: "", MeshToken: "" };
  return [...new Set([...Object.keys(tokens), ...Object.keys(inNamesOf(dialect, tokens) ?? {})])];
};

/** What is known of a job's members (specification: Job (full)), beside what the typed `spec` says of them. */
export const jobDocument: DocumentFacts = {
  ...own,
  ...jobLeftOut,
  // The first three are its identity, compared as the object's address. An answer can be handed back with the others.
  serverOwned: ["ID", "Namespace", "Region", ...setByServer],
  secret: secretsIn(neutral),
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

/**
 * A job as JSON text or as an object, with or without `{"Job": …}` around it, in the names of the servers to which it
 * goes: all of them are one value.
 */
export const jobJson = memoByObject((dialect: Dialect): Spelling => {
  const said = (value: Json): Json => {
    const job = jobWritten(value);
    return isObject(job) ? inModel(dialect)(job) : job;
  };
  return {
    name: "job as JSON",
    canonical: (value) => completed(said(value)),
    takesUnknown: true,
    encode: (value) => asSent(said(value)),
    answered,
    restore: (job) => inNamesOf(dialect, job),
    restorePart: (part, path) => partInNamesOf(dialect, path, part).part,
    restorePath: (path) => partInNamesOf(dialect, path, null).path,
  };
});

/** Whatever a server answers is in the model's names already. */
const answered: Spelling = {
  name: "job as JSON",
  canonical: (value) => completed(value),
  takesUnknown: true,
};

/** The same where text is JSON, and an object is what a server read in text of its own language: in the model's names. */
export const jobRead = memoByObject((dialect: Dialect): Spelling => {
  const json = jobJson(dialect);
  return {
    ...json,
    canonical: (value) => (typeof value === "string" ? json.canonical(value) : completed(value)),
    encode: (value) => (typeof value === "string" ? (json.encode?.(value) ?? value) : asSent(value)),
  };
});

/** The job itself, its members in the case in which they are stored; what is no job stays as it is. */
export function jobWritten(value: Json): Json {
  const parsed = typeof value === "string" ? parsedOr(value) : value;
  if (!isObject(parsed)) return value;
  const [[name, inside] = ["", null], ...others] = Object.entries(parsed);
  if (others.length > 0 || !isObject(inside) || name.toLowerCase() !== "job") return withJobNames(parsed);
  const job = withJobNames(inside);
  // HCL's JSON form has the job's name there.
  return name === "Job" || typeof job.ID === "string" ? job : parsed;
}

/** A job with what the scheduler adds to every way of writing it. */
function completed(job: Json): Json {
  return isObject(job) ? withNames(job) : job;
}

const withNames = memoByObject((job: { [member: string]: Json }) => withLinks(withServiceNames(job)));

/** A link's address, which a job that was only parsed calls `URL`, and a registered one `Url`. */
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
  canonical: (value) => completed(typed.canonical(value)),
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
