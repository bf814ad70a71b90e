import { z } from "zod";
import { commonFields } from "../../core/language/commonFields";
import { field } from "../../core/language/facts";
import { idTemplate } from "../../core/language/id";
import type { Values } from "../../core/language/object";
import { define } from "../../core/language/resource";
import { isObject } from "../../core/value/json";
import { UNKNOWN, type Value } from "../../core/value/unknown";
import { withCountsRead } from "./jobCounts";
import { jobDocument, jobJson, jobSecrets, jobTyped, scaledGroups, secretMembers } from "./jobDocument";
import { formRules, jobOf, knownJobOf, submissionOf } from "./jobForms";
import { jobText, secretWords, tokensIn } from "./jobText";
import { transitionNotes } from "./jobTransitions";
import { exactVersion } from "./jobVersions";
import { waitForJob } from "./jobWait";
import { isLostCheck, scheduler } from "./service";
import { jobSpec } from "./spec/job";

/** A job (specification: Scheduler HTTP API, Jobs). */
export default define({
  token: "scheduler:Job",
  doc: "A job: the desired state of tasks to run. Every register, the first included, is checked against the job's index. The token needs `namespace:submit-job` and `namespace:read-job`, and `namespace:parse-job` for `hcl`.",
  section: "Scheduler HTTP API / Jobs",
  service: scheduler,
  fields: {
    ...commonFields,
    spec: field(jobSpec.optional(), {
      doc: "The job as a typed object. Managed whole: members that others add are put back. Durations in either way, the order of keys, defaults spelled out, and members left out that hold their empty value are no change. Exactly one of `spec`, `json` and `hcl` is given, and moving from one to an equal other is no change.",
      formOf: "json",
      wire: ".",
      document: { secret: secretMembers },
      spelling: jobTyped,
    }),
    // Open: a job in the service's own names, also with members that a newer service adds; `spec` is the closed one.
    json: field(z.union([z.string(), z.record(z.string(), z.unknown())]).optional(), {
      doc: "The job as JSON, text or object, in the service's own names (`ID`, `TaskGroups`…). Managed whole: members that others add are put back. Formatting, the order of keys, defaults spelled out, and members left out that hold their empty value are no change. What only the service sets is not sent, so that an answer of `getJob` can be handed back. Text goes along as the job's submission. Nested at most 500 levels deep; what is very deep or large is given as text, because an object overflows in the engine's own SDK first.",
      wire: ".",
      document: jobDocument,
      spelling: jobJson,
    }),
    hcl: field(z.string().optional(), {
      doc: "The job in the service's own language, which the service parses: in the preview already, where the text changed. Where it cannot be reached then, the text is compared, and the preview says so. Managed whole; formatting, comments and defaults spelled out are no change. The text goes along as the job's submission. After others changed the job, a refresh shows it here as JSON, which is taken in place of the text, too.",
      formOf: "json",
      wire: ".",
      document: { secret: [...jobSecrets, ...secretWords] },
      spelling: jobJson,
      secretsIn: tokensIn,
    }),
    // Open: the names and the values are those that the text declares.
    variables: field(z.union([z.string(), z.record(z.string(), z.unknown())]).optional(), {
      doc: "The variables of `hcl`: by name, or as the text of a file of variables. Marked secret, everything that is read with them is. A change is sent where the text reads differently with it. They go along with the job's submission, readable there for everybody who may read the job, secret ones too.",
      local: true,
      document: {},
    }),
    hclv1: field(z.boolean().optional(), {
      doc: "Parse `hcl` with the older parser, which knows no variables. A change is sent where the text reads differently with it. Default: false.",
      local: true,
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
      doc: "Keep the groups' existing counts at a register. `Count` is then not managed; turning this on or off is a change of the counts that differ.",
      local: true,
    }),
    wait: field(z.enum(["none", "evaluation", "deployment"]).optional(), {
      doc: "What a create and an update wait for: nothing (`none`, the default), the scheduler's decision (`evaluation`), or every group's health (`deployment`). A job without evaluation or deployment (periodic, parameterised, batch) is not waited for. What no node can take now is told at once, with the constraints that kept the nodes out: a warning with `evaluation`, while `deployment` goes on waiting for nodes. A deployment that fails or is cancelled fails the operation and keeps the job in the state. Bounded by `timeouts`.",
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
    jobId: field(z.string().optional(), {
      doc: "The id under which the service knows the job.",
      serverOwned: true,
      place: "address",
    }),
    jobModifyIndex: field(z.string().optional(), {
      doc: "The job's check-and-set index, as text.",
      serverOwned: true,
    }),
  },
  rules: formRules,
  serviceText: jobText,
  id: idTemplate("{namespace=default}/{jobId}"),
  addressFrom: (inputs) => {
    const job = jobOf(inputs);
    const text = (value: Value | undefined) =>
      value === UNKNOWN || (typeof value === "string" && value !== "") ? value : undefined;
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
  deletes:
    "It stops the job and leaves it to the service's garbage collection; with `purge` the job is gone at once. A job that is stopped already gets no request without `purge`, and with `deregisterOnDelete: false` nothing is sent.",
  isRemoved: (body, { purge }) => body.Stop === true && purge !== true,
  looksFirst: (inputs) => scaledGroups(knownJobOf(inputs)).length > 0,
  notes: transitionNotes,
  fills: (body, { applied, current }) => withCountsRead(body, applied, current),
  acts: { settled: waitForJob },
  shows: { named: { jobId: "ID" } },
  gone: {
    evidence: 'the service answers 404 "job not found"',
    proves: (answer) => answer.status === 404 && /job not found/i.test(answer.text),
  },
});

function steer(inputs: Values) {
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

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
