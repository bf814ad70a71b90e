import { z } from "zod";
import {
  commonFields,
  type Dialect,
  define,
  deletes,
  enumeration,
  field,
  get,
  memoByObject,
  object,
  place,
  post,
  replaces,
  setting,
} from "../../core";
import { jobCheck } from "./jobCheck";
import { afterDeregister, jobRemoval } from "./jobChildren";
import { withCountsRead } from "./jobCounts";
import { jobDocument, jobJson, jobRead, jobTyped, secretMembers, secretsIn } from "./jobDocument";
import { jobEnd } from "./jobEnd";
import { formRules, partsOfJob, secretsAreBlocks, textNotes } from "./jobForms";
import { jobIdNaming } from "./jobIds";
import { importedJob, withoutDefaults } from "./jobImport";
import { jobListing } from "./jobListing";
import { jobPlan } from "./jobPlan";
import { besideJob, receiptOfRegister } from "./jobRegister";
import { replacedNotes } from "./jobReplaced";
import { jobText, secretWords, tokensIn } from "./jobText";
import { submitTime } from "./jobTime";
import { transitionNotes } from "./jobTransitions";
import { afterRegister } from "./jobWait";
import { neutral, inScope as query, scheduler } from "./service";
import { jobSpec } from "./spec/job";

/** 0, the default in the table "Create job", means the job's own priority. Nomad accepts 1 to 100. */
const evalPriority = z.int().refine((value) => value >= 0 && value <= 100, "must be from 1 to 100, or 0");

/** A property of the last register: absent if its response was lost, or if the job was adopted without a write. */
const ofRegister = (schema: z.ZodType, doc: string) =>
  field(schema.nullish(), { doc, role: "server's", inReceipt: true });

/** The job as JSON and as HCL, with the field names of the server's dialect. */
function forms(dialect: Dialect) {
  return {
    // Open: a job in the server's own names, including members that newer versions add; `spec` is the closed form.
    json: field(z.union([z.string(), z.record(z.string(), z.unknown())]).optional(), {
      doc: "Job as JSON (string or object) with the field names of Nomad's API (`ID`, `TaskGroups`…). The output of `nomad job inspect` is a valid value (with the default `dialect`). Managed as one unit: members added outside this stack are removed. Formatting, key order, explicit defaults and omitted empty members are not changes. Members that only Nomad sets are not sent, so a result of `getJob` is valid here. A string is also sent as the job's submission. At most 500 levels deep; use a string for very deep or large jobs, because an object overflows in the Pulumi SDK first.",
      wire: ".",
      document: { ...jobDocument, secret: secretsIn(dialect) },
      spelling: jobJson(dialect),
    }),
    hcl: field(z.string().optional(), {
      doc: "Job specification in HCL, parsed by Nomad. A preview has Nomad parse a changed text; if Nomad is unreachable, the preview compares the text itself and reports that. Managed as one unit: members added outside this stack are removed. Formatting, comments and explicit defaults are not changes. The text is also sent as the job's submission. After an outside change, a refresh returns the job here as JSON, which is also a valid input.",
      formOf: "json",
      wire: ".",
      document: { secret: [...secretsIn(dialect), ...secretWords] },
      spelling: jobRead(dialect),
      secretsIn: tokensIn,
    }),
  };
}

/** An option of a register request, which is not a part of the job. */
const option = (doc: string) => field(z.boolean().optional(), { doc, role: "steering", default: false });

const job = define({
  token: "scheduler:Job",
  product: {
    noun: "Nomad job",
    terraform: "`nomad_job`",
    docs: "https://developer.hashicorp.com/nomad/docs/job-specification",
  },
  doc: "A Nomad job: the desired state of tasks to run. Every registration, including the first, is checked against the job's modify index. The token needs `namespace:submit-job` and `namespace:read-job`, and `namespace:parse-job` for `hcl`.",
  section: "Scheduler HTTP API / Jobs",
  service: scheduler,
  fields: {
    ...commonFields,
    spec: field(jobSpec.optional(), {
      doc: "Job as a typed object. Managed as one unit: members added outside this stack are removed. The format of durations, key order, explicit defaults and omitted empty members are not changes. Set exactly one of `spec`, `json` and `hcl`; switching to an equal job in another form is not a change.",
      formOf: "json",
      wire: ".",
      document: { secret: secretMembers },
      spelling: jobTyped,
    }),
    ...forms(neutral),
    // Open: the HCL declares the names and the types of the variables.
    variables: field(z.union([z.string(), z.record(z.string(), z.unknown())]).optional(), {
      doc: "Variables for `hcl`, as an object or as the content of a variables file. If the variables are marked secret, everything parsed with them is secret. A change is sent only if the parsed job differs. The variables are sent with the job's submission, without secret variables, because anyone who may read the job may read its submission. A job that is registered again from its submission, for example in the Nomad UI, lacks the secret variables.",
      role: "steering",
      document: {},
    }),
    hclv1: field(z.boolean().optional(), {
      doc: "Parse `hcl` as HCL1, which has no variables. A change is sent only if the parsed job differs. Nomad 1.9 and later ignore this option and parse HCL2.",
      role: "steering",
      default: false,
    }),
    namespace: field(z.string().min(1).optional(), {
      doc: "Namespace of the job. Default: the job's own `Namespace`, then the connection's, then the token's.",
      role: "identity",
      location: "address",
    }),
    region: field(z.string().min(1).optional(), {
      doc: "Region that runs the job. Default: the job's own `Region`, then the connection's, then the agent's.",
      location: "address",
    }),
    submission: field(z.boolean().optional(), {
      doc: "Send the text of `hcl` or `json` as the job's submission, which Nomad shows to anyone who may read the job. The text is sent unchanged even if it is marked secret; secret variables are omitted. If false, Nomad has no source text to show or to register again. Earlier versions of the job keep their submission, and a change of this option alone sends no request.",
      role: "steering",
      default: true,
    }),
    evalPriority: field(evalPriority.optional(), {
      doc: "Priority of the evaluation that a registration creates; 0 means the job's priority.",
      role: "steering",
      default: 0,
    }),
    policyOverride: option("Override soft-mandatory Sentinel policies when the job is registered."),
    preserveCounts: option(
      "Keep the existing counts of the task groups when the job is registered. `Count` is then not managed; switching this option changes the counts that differ.",
    ),
    preserveResources: option(
      "Keep the existing resources of the tasks when the job is registered. `Resources` is then not managed; switching this option changes the resources that differ. Nomad 1.11 or later; earlier servers ignore it.",
    ),
    wait: field(
      enumeration({
        none: "Do not wait.",
        evaluation: "Wait until Nomad has processed the evaluation.",
        deployment: "Wait until every task group is healthy.",
      }).optional(),
      {
        doc: "Wait after a create or an update: not at all (`none`), until Nomad has processed the evaluation (`evaluation`), or until every task group is healthy (`deployment`). Jobs without an evaluation or a deployment (periodic, parameterized, batch) need no wait. Allocations that no node can take are reported immediately, with the constraints that excluded the nodes: `evaluation` prints a warning, `deployment` keeps waiting. A failed or canceled deployment fails the operation and keeps the job in the state. `timeouts` limits the wait.",
        role: "steering",
        default: "none",
      },
    ),
    plan: field(z.boolean().optional(), {
      doc: "Show Nomad's plan for a new or changed job in the preview (one request): the actions on each task group, allocations that no node can take, and the next launch. Default: the connection's `plan` setting, or true if that is not set.",
      role: "steering",
    }),
    purge: field(z.boolean().optional(), {
      doc: "Purge the job when it is deleted. By default it is stopped and left to Nomad's garbage collection.",
      role: "steering",
      default: false,
    }),
    stopChildren: field(z.boolean().optional(), {
      doc: "Stop the child jobs that Nomad launched from a periodic or parameterized job when the job is deleted. By default they keep running and the delete prints their IDs; both need `namespace:list-jobs`.",
      role: "steering",
      default: false,
    }),
    global: field(z.boolean().optional(), {
      doc: "Stop a multiregion job in all of its regions when it is deleted. By default it stops in its own region only.",
      role: "steering",
      default: false,
    }),
    rerunAfterGarbageCollection: field(z.boolean().optional(), {
      doc: "Register a finished batch job again once Nomad's garbage collection has removed it. By default a job that was `dead` at the last refresh stays finished until its inputs change.",
      role: "steering",
      default: false,
    }),
    deregisterOnDelete: field(z.boolean().optional(), {
      doc: "Stop the job when the resource is deleted. If false, the job keeps running.",
      role: "steering",
      default: true,
    }),
    jobId: field(z.string().optional(), {
      doc: "Job ID in Nomad.",
      role: "server's",
      location: "address",
    }),
    jobModifyIndex: field(z.string().optional(), {
      doc: "Modify index of the job for check-and-set, as a string.",
      role: "server's",
    }),
    version: ofRegister(
      z.int(),
      "Job version that the last registration by this resource created. Registrations by others do not change it; `getJob` returns the current version.",
    ),
    evalId: ofRegister(
      z.string(),
      "ID of the evaluation that the last registration by this resource created. Unset for periodic and parameterized jobs.",
    ),
    deploymentId: ofRegister(
      z.string(),
      "ID of the deployment of the last registration by this resource. Set only if `wait` waited for the deployment or its evaluation.",
    ),
  },
  rules: formRules,
  serviceText: jobText(neutral),
  where: place("[{region}@]{namespace=default}/{jobId}", {
    defaults: { namespace: setting("namespace", { unset: "default" }), region: setting("region") },
    fromInputs: partsOfJob,
    fromResponse: { jobId: "ID", namespace: "Namespace", region: "Region" },
    names: { jobId: jobIdNaming },
  }),
  life: object({
    reads: {
      one: get("/job/{jobId}", { query }),
      expects: { named: { jobId: "ID" } },
      importedInputs: importedJob,
      withoutImportedDefaults: withoutDefaults,
      ends: jobEnd,
      lastWriteTime: ({ SubmitTime: time }) => submitTime(time),
      list: jobListing,
    },
    writes: replaces({
      create: post("/jobs", { query, steer: besideJob }),
      envelope: (body, { address: { namespace, region } }) => ({
        Job: {
          ...body,
          ...(namespace !== undefined && { Namespace: namespace }),
          ...(region !== undefined && { Region: region }),
        },
      }),
      completeBody: withCountsRead,
      receipt: receiptOfRegister,
      forecast: jobPlan,
      after: afterRegister,
    }),
    check: jobCheck,
    creation: { adoptsImplicitly: (found) => found.Stop === true },
    // Nomad checks no index when it deregisters a job.
    deletion: deletes(jobRemoval, {
      doc: "A delete stops the job and leaves it to Nomad's garbage collection; with `purge`, Nomad removes the job immediately. Child jobs of a periodic or parameterized job keep running unless `stopChildren` is set; a warning lists them. Without `purge`, no request is sent if the job is already stopped. With `deregisterOnDelete: false`, no request is sent at all.",
      isSkipped: ({ deregisterOnDelete }) => deregisterOnDelete === false,
      after: afterDeregister,
      // Nomad returns an evaluation for unknown jobs, too.
      readsAfter: true,
      isDone: (body, { purge }) => body.Stop === true && purge !== true,
    }),
  }),
  notes: (change) => [...replacedNotes(change), ...transitionNotes(change), ...textNotes(change)],
});

/** A job (specification: Scheduler HTTP API, Jobs). */
export default {
  ...job,
  inDialect: memoByObject((dialect: Dialect) =>
    dialect === neutral
      ? job
      : define({
          ...job,
          fields: { ...job.fields, ...forms(dialect) },
          rules: [...formRules, secretsAreBlocks],
          serviceText: jobText(dialect),
        }),
  ),
};
