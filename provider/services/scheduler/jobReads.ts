import { z } from "zod";
import type { Values } from "../../core/define";
import { field } from "../../core/facts";
import { blockingRules } from "../../core/functions/blocking";
import { defineFunction, type FunctionDefinition, functionFields } from "../../core/functions/define";
import { isObject, type Json } from "../../core/json";
import { send } from "../../core/steps/context";
import { errorFrom, isSuccess } from "../../core/steps/observe";
import { jobDocument } from "./jobDocument";
import {
  askJob,
  flags,
  jobFields,
  scopeFallbacks,
  scopeFields,
  scopeOf,
  scopeQuery,
  standingFields,
} from "./jobScope";
import { scheduler } from "./service";

const document = z.record(z.string(), z.unknown());
const { secret = [] } = jobDocument;

/** A job as the service has it, in the service's own names. */
export const jobField = (doc: string) => field(document, { doc, document: { secret } });

const documents = (doc: string) => field(z.array(document), { doc });

const shared = { service: scheduler, fallsBack: scopeFallbacks } as const;

/** Reads a job. */
export const getJob = defineFunction({
  ...shared,
  token: "scheduler:getJob",
  doc: "Reads a job, at once or when it has changed. One that does not exist is an error.",
  section: "Read job",
  fields: jobFields,
  rules: blockingRules,
  result: { job: jobField("The job, in the service's own names (`ID`, `TaskGroups`…)."), ...standingFields },
  asks: {
    kind: "once",
    async call(context, args) {
      const { answer, standing } = await askJob(getJob, context, args, "/job/{jobId}");
      return { job: answer.json ?? {}, ...standing };
    },
  },
});

/** Lists a job's versions. */
export const getJobVersions = defineFunction({
  ...shared,
  token: "scheduler:getJobVersions",
  doc: "Lists the versions of a job that the service has kept, the newest first.",
  section: "List job versions",
  fields: {
    ...jobFields,
    diffs: field(z.boolean().optional(), {
      doc: "Whether the structured differences between the versions are answered too.",
      local: true,
    }),
  },
  rules: blockingRules,
  result: {
    versions: field(z.array(document), {
      doc: "The versions, each a whole job.",
      document: { secret: secret.map((pattern) => `*.${pattern}`) },
    }),
    diffs: field(z.array(document).optional(), {
      doc: "From each version to the one before it, where asked for.",
    }),
    ...standingFields,
  },
  asks: {
    kind: "once",
    async call(context, args) {
      const { answer, standing } = await askJob(
        getJobVersions,
        context,
        args,
        "/job/{jobId}/versions",
        flags({ diffs: args.diffs }),
      );
      const { Versions: versions, Diffs: diffs } = isObject(answer.json) ? answer.json : {};
      return { versions: listOf(versions), ...(Array.isArray(diffs) && { diffs }), ...standing };
    },
  },
});

/** What the service keeps of a job's activity: a list at a path of its own. */
function activity(own: {
  name: string;
  property: string;
  section: string;
  doc: string;
  takesAll: boolean;
}): FunctionDefinition {
  const { name, property, section, doc, takesAll } = own;
  const definition: FunctionDefinition = defineFunction({
    ...shared,
    token: `scheduler:${name}`,
    doc,
    section,
    fields: {
      ...jobFields,
      ...(takesAll && {
        all: field(z.boolean().optional(), {
          doc: `Whether the ${property} of an earlier registration with the same id are answered too.`,
          local: true,
        }),
      }),
    },
    rules: blockingRules,
    result: { [property]: documents(`The ${property}, in the service's own names.`), ...standingFields },
    asks: {
      kind: "once",
      async call(context, args) {
        const path = `/job/{jobId}/${property}`;
        const { answer, standing } = await askJob(definition, context, args, path, flags({ all: args.all }));
        return { [property]: listOf(answer.json), ...standing };
      },
    },
  });
  return definition;
}

export const getJobAllocations = activity({
  name: "getJobAllocations",
  property: "allocations",
  section: "List job allocations",
  doc: "Lists the allocations of a job: which of its groups runs where, and how it goes.",
  takesAll: true,
});

export const getJobEvaluations = activity({
  name: "getJobEvaluations",
  property: "evaluations",
  section: "List job evaluations",
  doc: "Lists the evaluations of a job: the scheduler's decisions about it.",
  takesAll: false,
});

export const getJobDeployments = activity({
  name: "getJobDeployments",
  property: "deployments",
  section: "List job deployments",
  doc: "Lists the deployments of a job: the updates from one version to the next.",
  takesAll: true,
});

/** Reads the text that a version of a job was registered from. */
export const getJobSubmission = defineFunction({
  ...shared,
  token: "scheduler:getJobSubmission",
  doc: "Reads the text from which a version of a job was registered. The service keeps the 6 most recent ones, and only those that came with a register.",
  section: "Read job submission",
  fields: {
    jobId: jobFields.jobId,
    version: field(z.int().min(0), { doc: "The job's version.", local: true }),
    ...scopeFields,
    ...functionFields,
  },
  result: {
    format: field(z.string(), { doc: "`hcl2`, `hcl1` or `json`." }),
    source: field(z.string(), { doc: "The text, as it was written." }),
    variableFlags: field(z.record(z.string(), z.string()), { doc: "Variables given one by one." }),
    variables: field(z.string(), { doc: "Variables given as a file." }),
    version: field(z.int(), { doc: "The job's version." }),
    jobIndex: field(z.string(), { doc: "The index of that register, as text." }),
  },
  hidesSecret: ({ source }) => /(secrets|mesh|vault|consul)_?token/i.test(String(source)),
  asks: {
    kind: "once",
    async call(context, args) {
      const version = { version: String(args.version) };
      const { answer } = await askJob(getJobSubmission, context, args, "/job/{jobId}/submission", version);
      const { Format, Source, VariableFlags, Variables, Version, JobIndex } = isObject(answer.json)
        ? answer.json
        : {};
      return {
        format: text(Format),
        source: text(Source),
        variableFlags: unescaped(VariableFlags),
        variables: text(Variables),
        version: Number(Version ?? args.version),
        jobIndex: text(JobIndex),
      };
    },
  },
});

/** Turns HCL into the job that it stands for. */
export const parseJob = defineFunction({
  ...shared,
  token: "scheduler:parseJob",
  doc: "Turns HCL into the job that it stands for, as the service reads it. Nothing is registered.",
  section: "Parse job",
  fields: {
    hcl: field(z.string().min(1), { doc: "The job, as HCL.", local: true }),
    variables: field(z.string().optional(), {
      doc: "Values of its variables, as a file of them.",
      local: true,
    }),
    canonicalize: field(z.boolean().optional(), {
      doc: "Whether what is left out is filled with the service's defaults.",
      local: true,
    }),
    hclv1: field(z.boolean().optional(), {
      doc: "Whether it is read as the older version of HCL.",
      local: true,
    }),
    namespace: scopeFields.namespace,
    region: scopeFields.region,
    ...functionFields,
  },
  result: { job: jobField("The job, in the service's own names (`ID`, `TaskGroups`…).") },
  asks: {
    kind: "once",
    async call(context, args) {
      const route = { method: "POST", path: "/jobs/parse", query: scopeQuery } as const;
      const address = scopeOf(parseJob, context, args);
      // It changes nothing, so it may be asked again.
      const answer = await send(context, route, address, { nature: "read", body: parseBody(args) });
      if (!isSuccess(answer)) throw errorFrom(context, answer, route, address);
      return { job: answer.json ?? {} };
    },
  },
});

function parseBody({ hcl, variables, canonicalize, hclv1 }: Values): { [member: string]: Json } {
  return {
    JobHCL: hcl ?? "",
    ...(variables !== undefined && { Variables: variables }),
    ...(canonicalize !== undefined && { Canonicalize: canonicalize }),
    ...(hclv1 !== undefined && { HCLv1: hclv1 }),
  };
}

/** The service keeps these values escaped as in a query (wire facts). */
function unescaped(value: Json | undefined): { [name: string]: Json } {
  return Object.fromEntries(
    Object.entries(isObject(value) ? value : {}).map(([name, escaped]) => [
      name,
      decodeURIComponent(String(escaped).replaceAll("+", " ")),
    ]),
  );
}

function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

function text(value: Json | undefined): string {
  return value === undefined || value === null ? "" : String(value);
}
