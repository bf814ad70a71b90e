import { z } from "zod";
import { commonFields } from "../../core/commonFields";
import { define, type Values } from "../../core/define";
import { field } from "../../core/facts";
import { idTemplate } from "../../core/id";
import { isObject, type Json } from "../../core/json";
import { rule } from "../../core/rules";
import { jobDocument, jobJson, jobOf, scaledGroups } from "./jobDocument";
import { exactVersion } from "./jobVersions";
import { isLostCheck, scheduler } from "./service";

const output = (doc: string) => field(z.string().optional(), { doc, serverOwned: true });

/** A job (specification: Scheduler HTTP API, Jobs). */
export default define({
  token: "scheduler:Job",
  doc: "A job: the desired state of tasks to run. Every register, the first included, is checked against the job's index.",
  section: "Scheduler HTTP API / Jobs",
  service: scheduler,
  fields: {
    ...commonFields,
    json: field(z.union([z.string(), z.record(z.string(), z.unknown())]), {
      doc: "The job as JSON, text or object, in the service's own names (`ID`, `TaskGroups`…). Managed whole: members that others add are put back. Formatting, the order of keys and defaults spelled out are no change.",
      wire: ".",
      document: jobDocument,
      spelling: jobJson,
    }),
    namespace: field(z.string().min(1).optional(), {
      doc: "The job's namespace. Default: the job's own `Namespace`, else the connection's; where none is given, the token's applies.",
      identity: true,
      place: "address",
    }),
    region: field(z.string().min(1).optional(), {
      doc: "The region that runs the job. Default: the job's own `Region`, else the connection's, else the agent's.",
      place: "address",
    }),
    evalPriority: field(z.int().min(1).max(100).optional(), {
      doc: "The priority of the evaluation that a register starts. Default: the job's priority.",
      local: true,
    }),
    policyOverride: field(z.boolean().optional(), {
      doc: "Override soft mandatory policies at a register. Needs the right `namespace:policy-override`.",
      local: true,
    }),
    preserveCounts: field(z.boolean().optional(), {
      doc: "Keep the groups' existing counts at a register. `Count` is then not managed.",
      local: true,
    }),
    purge: field(z.boolean().optional(), {
      doc: "Remove the job wholly on delete, instead of stopping it and leaving it to the garbage collection.",
      local: true,
    }),
    deregisterOnDelete: field(z.boolean().optional(), {
      doc: "Set to false to leave the job running when the resource is deleted. Default: true.",
      local: true,
    }),
    jobId: output("The job's id."),
    jobModifyIndex: output("The job's check-and-set index, as text."),
  },
  rules: [
    rule(["json"], (json) => {
      const job = jobOf(json);
      if (job === undefined) return 'must be a JSON object, such as {"ID": "web", "TaskGroups": […]}';
      return typeof job.ID === "string" && job.ID !== "" ? undefined : "ID is missing: the job's id";
    }),
    rule(["namespace", "json"], (namespace, json) => differing("Namespace", namespace, json)),
    rule(["region", "json"], (region, json) => differing("Region", region, json)),
  ],
  id: idTemplate("{namespace}/{jobId}"),
  addressFrom: (inputs) => {
    const job = jobOf(inputs.json);
    const text = (value: Json | undefined) => (typeof value === "string" && value !== "" ? value : undefined);
    return { jobId: text(job?.ID), namespace: text(job?.Namespace), region: text(job?.Region) };
  },
  fallsBack: {
    jobId: () => undefined,
    namespace: ({ settings }) => textOf(settings.namespace),
    region: ({ settings }) => textOf(settings.region),
  },
  unsetMeans: { namespace: "default" },
  addressOf: (body) => ({
    jobId: String(body.ID),
    namespace: textOf(body.Namespace),
    region: textOf(body.Region),
  }),
  read: { method: "GET", path: "/job/{jobId}", query: { namespace: "{namespace}", region: "{region}" } },
  create: { method: "POST", path: "/jobs", query: { namespace: "{namespace}", region: "{region}" }, steer },
  update: { method: "POST", path: "/jobs", query: { namespace: "{namespace}", region: "{region}" }, steer },
  remove: {
    method: "DELETE",
    path: "/job/{jobId}",
    query: { namespace: "{namespace}", region: "{region}" },
    steer: ({ purge }) => ({ query: { purge: String(purge === true) } }),
  },
  updates: "replace",
  wrap: (body, { address }) => ({
    Job: {
      ...body,
      ...(address.namespace !== undefined && { Namespace: address.namespace }),
      ...(address.region !== undefined && { Region: address.region }),
    },
  }),
  checkAndSet: {
    token: "JobModifyIndex",
    carry: (token) => ({ body: { EnforceIndex: true, JobModifyIndex: BigInt(token) } }),
    lost: isLostCheck,
    // The service deregisters without a check: a delete reads and compares just before.
    onDelete: false,
    answered: (answer) => (isObject(answer.json) ? String(answer.json.JobModifyIndex) : undefined),
    // An unchanged register answers the job's ModifyIndex (wire facts).
    isAnswerOf: (answered, body) => [body.JobModifyIndex, body.ModifyIndex].map(String).includes(answered),
    exactAnswer: exactVersion,
  },
  warningsIn: (answer) => (isObject(answer) ? textOf(answer.Warnings) : undefined),
  takesOver: (body) => body.Stop === true,
  keepsOnDelete: ({ deregisterOnDelete }) => deregisterOnDelete === false,
  isRemoved: (body, { purge }) => body.Stop === true && purge !== true,
  looksFirst: ({ json }) => scaledGroups(jobOf(json)).length > 0,
  fills: (body, { applied, current }) => withCountsRead(body, applied, current),
  gone: {
    evidence: 'the service answers 404 "job not found"',
    proves: (answer) => answer.status === 404 && /job not found/i.test(answer.text),
  },
});

function steer({ json, evalPriority, policyOverride, preserveCounts }: Values) {
  const source = typeof json === "string" ? json : undefined;
  return {
    body: {
      ...(source !== undefined && { Submission: { Source: source, Format: "json" } }),
      ...(evalPriority !== undefined && { EvalPriority: evalPriority }),
      ...(policyOverride !== undefined && { PolicyOverride: policyOverride }),
      ...(preserveCounts !== undefined && { PreserveCounts: preserveCounts }),
    },
  };
}

/** The property and the job's own member may both be given, if they say the same. */
function differing(member: string, written: Json | undefined, json: Json | undefined): string | undefined {
  const own = jobOf(json)?.[member];
  if (written === undefined || typeof own !== "string" || own === "" || own === written) return undefined;
  return `differs from the job's own ${member} ${JSON.stringify(own)}: give one, or the same`;
}

/** Groups that an autoscaler owns keep the count just read, unless the program itself changed its count. */
function withCountsRead(body: { [member: string]: Json }, applied: Values, current: Values | undefined) {
  const scaled = new Set(scaledGroups(body));
  const groups = Array.isArray(body.TaskGroups) ? body.TaskGroups : [];
  const countIn = (job: Values | undefined, name: Json | undefined): Json | undefined => {
    const list = Array.isArray(job?.TaskGroups) ? job.TaskGroups : [];
    const group = list.find((candidate) => isObject(candidate) && candidate.Name === name);
    return isObject(group) ? group.Count : undefined;
  };
  const before = jobOf(applied.json);
  const filled = groups.map((group) => {
    if (!isObject(group) || !scaled.has(String(group.Name))) return group;
    const isEdited = before !== undefined && countIn(before, group.Name) !== group.Count;
    const there = countIn(current, group.Name);
    return isEdited || there === undefined ? group : { ...group, Count: there };
  });
  return { ...body, TaskGroups: filled };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
