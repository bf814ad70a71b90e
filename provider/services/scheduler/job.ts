import { z } from "zod";
import {
  commonFields,
  type Dialect,
  define,
  deletes,
  field,
  get,
  memoByObject,
  object,
  place,
  post,
  replaces,
  setting,
  words,
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

/** The job as JSON and as HCL, in the member names of the server's dialect. */
function forms(dialect: Dialect) {
  return {
    // Open: a job in the server's own names, including members that newer versions add; `spec` is the closed form.
    json: field(z.union([z.string(), z.record(z.string(), z.unknown())]).optional(), {
      doc: "The job as JSON, text or object, in the names of its servers (`ID`, `TaskGroups`…): in Nomad's own spelling with the dialect `real`, as `nomad job inspect` prints it. Managed whole: members that others add are put back. Formatting, the order of keys, defaults spelled out, and members left out that hold their empty value are no change. What only the service sets is not sent, so that an answer of `getJob` can be handed back. Text goes along as the job's submission. Nested at most 500 levels deep; what is very deep or large is given as text, because an object overflows in the engine's own SDK first.",
      wire: ".",
      document: { ...jobDocument, secret: secretsIn(dialect) },
      spelling: jobJson(dialect),
    }),
    hcl: field(z.string().optional(), {
      doc: "The job in the service's own language, which the service parses: in the preview already, where the text changed. Where it cannot be reached then, the text is compared, and the preview says so. Managed whole; formatting, comments and defaults spelled out are no change. The text goes along as the job's submission. After others changed the job, a refresh shows it here as JSON, which is taken in place of the text, too.",
      formOf: "json",
      wire: ".",
      document: { secret: [...secretsIn(dialect), ...secretWords] },
      spelling: jobRead(dialect),
      secretsIn: tokensIn,
    }),
  };
}

const job = define({
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
    ...forms(neutral),
    // Open: the HCL declares the names and the types of the variables.
    variables: field(z.union([z.string(), z.record(z.string(), z.unknown())]).optional(), {
      doc: "The variables of `hcl`: by name, or as the text of a file of variables. Marked secret, everything that is read with them is. A change is sent where the text reads differently with it. They go along with the job's submission, without those that are marked secret: whoever may read the job may read that. What is registered again from there, as in the service's own interface, then lacks them.",
      role: "steering",
      document: {},
    }),
    hclv1: field(z.boolean().optional(), {
      doc: "Whether `hcl` is parsed with the older parser, which knows no variables. A change is sent where the text reads differently with it. Nomad 1.9 and later ignore it and read HCL2.",
      role: "steering",
      default: false,
    }),
    namespace: field(z.string().min(1).optional(), {
      doc: "The job's namespace. Default: the job's own `Namespace`, else the connection's; where none is given, the token's applies.",
      role: "identity",
      location: "address",
    }),
    region: field(z.string().min(1).optional(), {
      doc: "The region that runs the job. Default: the job's own `Region`, else the connection's, else the agent's.",
      location: "address",
    }),
    submission: field(z.boolean().optional(), {
      doc: "Whether the text of `hcl` or `json` goes along as the job's submission, which the service shows to whoever may read the job: the text as it is, marked secret or not, and the variables that are not. Set to false it is never sent: the service then shows the job alone, and nothing to register again from. What was sent with an earlier register stays with that version of the job. A change sends nothing by itself.",
      role: "steering",
      default: true,
    }),
    evalPriority: field(evalPriority.optional(), {
      doc: "The priority of the evaluation that a register starts; 0 is the job's priority.",
      role: "steering",
      default: 0,
    }),
    policyOverride: field(z.boolean().optional(), {
      doc: "Whether a register overrides soft mandatory policies.",
      role: "steering",
      default: false,
    }),
    preserveCounts: field(z.boolean().optional(), {
      doc: "Whether a register keeps the groups' existing counts. `Count` is then not managed; turning this on or off is a change of the counts that differ.",
      role: "steering",
      default: false,
    }),
    wait: field(
      words({
        none: "Nothing.",
        evaluation: "The scheduler's decision.",
        deployment: "The health of every group.",
      }).optional(),
      {
        doc: "What a create and an update wait for: nothing (`none`), the scheduler's decision (`evaluation`), or every group's health (`deployment`). A job without evaluation or deployment (periodic, parameterised, batch) is not waited for. What no node can take now is told at once, with the constraints that kept the nodes out: a warning with `evaluation`, while `deployment` goes on waiting for nodes. A deployment that fails or is cancelled fails the operation and keeps the job in the state. Bounded by `timeouts`.",
        role: "steering",
        default: "none",
      },
    ),
    plan: field(z.boolean().optional(), {
      doc: "Whether a preview asks the scheduler what it would do with the job (one request, where the job is new or changed): what becomes of each group, what no node can take, and when it would be launched. Default: the connection's `plan`, else true.",
      role: "steering",
    }),
    purge: field(z.boolean().optional(), {
      doc: "Whether a delete removes the job wholly, instead of stopping it and leaving it to the garbage collection.",
      role: "steering",
      default: false,
    }),
    stopChildren: field(z.boolean().optional(), {
      doc: "Stop the child jobs that Nomad launched from a periodic or parameterized job, too, when the job is deleted. By default they keep running, and a delete prints their ids; both need `namespace:list-jobs`.",
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
      doc: "Whether a delete stops the job; false leaves it running.",
      role: "steering",
      default: true,
    }),
    jobId: field(z.string().optional(), {
      doc: "The id under which the service knows the job.",
      role: "server's",
      location: "address",
    }),
    jobModifyIndex: field(z.string().optional(), {
      doc: "The job's check-and-set index, as text.",
      role: "server's",
    }),
    version: ofRegister(
      z.int(),
      "The job's version that the last register of this resource made. Registers of others move the job on, and not this: `getJob` tells where it is.",
    ),
    evalId: ofRegister(
      z.string(),
      "The evaluation that the last register of this resource started; none where it starts none (periodic, parameterised).",
    ),
    deploymentId: ofRegister(
      z.string(),
      "The deployment of the last register of this resource: where `wait` waited for it, or for the evaluation that made it.",
    ),
  },
  rules: formRules,
  serviceText: jobText(neutral),
  where: place("[{region}@]{namespace=default}/{jobId}", {
    defaults: { namespace: setting("namespace", { unset: "default" }), region: setting("region") },
    written: partsOfJob,
    answered: { jobId: "ID", namespace: "Namespace", region: "Region" },
    names: { jobId: jobIdNaming },
  }),
  life: object({
    reads: {
      one: get("/job/{jobId}", { query }),
      shows: { named: { jobId: "ID" } },
      imports: importedJob,
      leavesOut: withoutDefaults,
      ends: jobEnd,
      writtenAt: ({ SubmitTime: time }) => submitTime(time),
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
      completes: withCountsRead,
      receipt: receiptOfRegister,
      forecast: jobPlan,
      after: afterRegister,
    }),
    check: jobCheck,
    creation: { takesOver: (found) => found.Stop === true },
    // Nomad checks no index when it deregisters a job.
    deletion: deletes(jobRemoval, {
      doc: "It stops the job and leaves it to the service's garbage collection; with `purge` the job is gone at once. Child jobs of a periodic or parameterized job keep running unless `stopChildren` is set; a warning lists them. A job that is stopped already gets no request without `purge`, and with `deregisterOnDelete: false` nothing is sent.",
      isSkipped: ({ deregisterOnDelete }) => deregisterOnDelete === false,
      after: afterDeregister,
      // Nomad returns an evaluation for unknown jobs, too.
      looksAfter: true,
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
