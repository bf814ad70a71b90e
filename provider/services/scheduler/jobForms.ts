import {
  asKnown,
  canonicalValue,
  exactlyOne,
  type Inputs,
  isObject,
  type Json,
  type PlannedChange,
  parsedTextOf,
  type Rule,
  rule,
  type Spelling,
  UNKNOWN,
  type Value,
  type Values,
} from "../../core";
import { jobTyped, jobWritten } from "./jobDocument";
import { jobText } from "./jobText";
import { neutral } from "./service";

/**
 * The job that these inputs define, in any form; undefined if it is not known yet. Members have the server's names. To read
 * a member that only one dialect has, parse `json` with that dialect's spelling.
 */
export function jobOf(inputs: Inputs): { readonly [member: string]: Value } | undefined {
  if (isThere(inputs.spec)) return membersOfForm(jobTyped, inputs.spec);
  return membersOfForm(written, isThere(inputs.json) ? inputs.json : parsedTextOf(text, inputs));
}

const text = jobText(neutral);
const written: Spelling = { doc: "", canonical: jobWritten, takesUnknown: true };

/** The job that these inputs define; undefined unless it is completely known. */
export function knownJobOf(inputs: Values): Values | undefined {
  const job = jobOf(inputs);
  return job && asKnown(job);
}

/** The parts of the job's address that these inputs define. The connection or the server supplies the other parts. */
export function partsOfJob(inputs: Inputs): Readonly<Record<string, Value | undefined>> {
  const job = jobOf(inputs);
  const text = (value: Value | undefined) =>
    value === UNKNOWN || (typeof value === "string" && value !== "") ? value : undefined;
  return { jobId: text(job?.ID), namespace: text(job?.Namespace), region: text(job?.Region) };
}

const everywhere = (namespace: Json | undefined) =>
  namespace === "*" ? "must be one namespace: `*` is only valid for lists of jobs" : undefined;

/** A job belongs to one namespace, in every property that can name it. */
const ONE_NAMESPACE: readonly Rule[] = [
  rule(["namespace"], everywhere, "must be one namespace, not `*`"),
  rule(["spec.namespace"], everywhere, "must be one namespace, not `*`"),
  rule(
    ["json"],
    (json) => everywhere(memberOf(json, "Namespace")),
    "its `Namespace` must be one namespace, not `*`",
  ),
  rule(
    ["hcl", "hcl.Namespace"],
    (_, own) => everywhere(own),
    "its `namespace` must be one namespace, not `*`",
  ),
];

const JSON_OF_HCL =
  'must not be HCL in JSON syntax (`{"job": …}`), which Nomad\'s API rejects: use HCL text in `hcl`, or the output of `nomad job run -output` in `json`';

/** True for HCL in JSON syntax, `{"job": {"web": {…}}}`. Nomad rejects it as `json` and as `hcl`. */
function isJsonOfHcl(written: Json | undefined): boolean {
  const isJson = typeof written !== "string" || written.trimStart().startsWith("{");
  const value = isJson && written !== undefined ? jobWritten(written) : written;
  const isJob = isObject(value) && ("ID" in value || "Job" in value || "job_id" in value);
  return isObject(value) && !isJob && typeof value.job === "object" && value.job !== null;
}

const NEEDS_TEXT = "requires hcl: this setting controls how Nomad parses the HCL text";

/** Rules between the forms of a job, and between them and the properties of its address. */
export const formRules: readonly Rule[] = [
  exactlyOne(["spec", "json", "hcl"], "the job"),
  rule(
    ["json"],
    (json) => {
      if (json === undefined || json === null) return undefined;
      const job = jobWritten(json);
      if (!isObject(job)) return 'must be a JSON object, such as {"ID": "web", "TaskGroups": […]}';
      return typeof job.ID === "string" && job.ID !== "" ? undefined : "ID is missing: set the job ID";
    },
    "must be a JSON object with the job ID as `ID`",
  ),
  ...(["json", "hcl"] as const).map((form) => rule([form], isJsonOfHcl, JSON_OF_HCL)),
  rule(["variables", "hcl"], (variables, hcl) => needsText(variables, hcl), NEEDS_TEXT),
  rule(["hclv1", "hcl"], (hclv1, hcl) => needsText(hclv1, hcl), NEEDS_TEXT),
  rule(
    ["variables"],
    (variables) => {
      const wrong = isObject(variables)
        ? Object.keys(variables).find((name) => !VARIABLE.test(name))
        : undefined;
      return wrong === undefined
        ? undefined
        : `${JSON.stringify(wrong)} is not a valid variable name: use letters, digits, _ and -, starting with a letter or _`;
    },
    "names must consist of letters, digits, _ and -, and start with a letter or _",
  ),
  ...ONE_NAMESPACE,
  ...(["namespace", "region"] as const).flatMap((name) => {
    const member = name === "namespace" ? "Namespace" : "Region";
    const same = "must equal the job's own value if the job sets one";
    return [
      rule([name, "json"], (written, json) => differing(member, written, memberOf(json, member)), same),
      rule([name, `spec.${name}`], (written, own) => differing(member, written, own), same),
      rule([name, `hcl.${member}`], (written, own) => differing(member, written, own), same),
    ];
  }),
];

/** For servers with Nomad's names: `Secrets` is a list there, so an object in it is meant as the `Vault` block. */
export const secretsAreBlocks = rule(
  ["json"],
  (json) => {
    const job = json === undefined || json === null ? undefined : jobWritten(json);
    const tasks = membersIn(job, "TaskGroups").flatMap((group) => membersIn(group, "Tasks"));
    const task = tasks.find(({ Secrets: secrets }) => isObject(secrets));
    return task === undefined
      ? undefined
      : `Secrets of task ${JSON.stringify(task.Name)} must be a list of its secret blocks: the vault block is called Vault`;
  },
  "`Secrets` of its tasks must be lists of `secret` blocks: the `vault` block is called `Vault`",
);

function membersIn(owner: Json | undefined, name: string): { [member: string]: Json }[] {
  const list = isObject(owner) ? owner[name] : undefined;
  return Array.isArray(list) ? list.filter(isObject) : [];
}

/** A variable name in HCL. Any other name would break the variables file that the provider writes. */
const VARIABLE = /^[\p{ID_Start}_][\p{ID_Continue}-]*$/u;

/** Preview notes about inputs that Nomad reads but ignores. */
export function textNotes({ inputs: { variables, hclv1 } }: PlannedChange): string[] {
  return hclv1 === true && isThere(variables) && variables !== ""
    ? ["variables have no effect with hclv1: HCL1 has no variables"]
    : [];
}

function membersOfForm(
  spelling: Spelling,
  value: Value | undefined,
): { readonly [member: string]: Value } | undefined {
  if (value === undefined || value === null || value === UNKNOWN) return undefined;
  const job = canonicalValue(spelling, value);
  return isObject(job) ? job : undefined;
}

function isThere(value: Value | undefined): boolean {
  return value !== undefined && value !== null;
}

function needsText(written: Json | undefined, hcl: Json | undefined): boolean {
  return written !== undefined && written !== null && (hcl === undefined || hcl === null);
}

function memberOf(json: Json | undefined, member: string): Json | undefined {
  const job = json === undefined || json === null ? undefined : jobWritten(json);
  return isObject(job) ? job[member] : undefined;
}

/** Rejects a property that differs from the job's own member; both may be given if they are equal. */
function differing(member: string, written: Json | undefined, own: Json | undefined): string | undefined {
  if (written === undefined || written === null || typeof own !== "string" || own === "" || own === written)
    return undefined;
  return `differs from the job's own ${member}: set only one of them, or the same value`;
}
