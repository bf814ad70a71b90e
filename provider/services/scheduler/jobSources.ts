import { z } from "zod";
import {
  amountIn,
  defineFunction,
  errorOfRead,
  field,
  functionFields,
  isObject,
  isSuccess,
  type Json,
  send,
  type Values,
} from "../../core";
import { inNamesOf } from "./jobNames";
import { jobField } from "./jobReads";
import { askJob, jobFields, jobQuestion, scopeFields, scopeOf } from "./jobScope";
import { isJob, variablesText } from "./jobText";
import { inScope, scheduler } from "./service";

/** Reads the text that a version of a job was registered from. */
export const getJobSubmission = defineFunction({
  ...jobQuestion,
  token: "scheduler:getJobSubmission",
  doc: "Reads the source text of a job version (its submission). Nomad stores the 6 most recent submissions, and only if the registration included one.",
  section: "Read job submission",
  fields: {
    jobId: jobFields.jobId,
    version: field(z.int().min(0), { doc: "Number of the job version to read.", role: "steering" }),
    ...scopeFields,
    ...functionFields,
  },
  result: {
    format: field(z.string(), { doc: "Format of the text: `hcl2`, `hcl1` or `json`." }),
    source: field(z.string(), { doc: "Text of the job as it was submitted." }),
    variableFlags: field(z.record(z.string(), z.string()), {
      doc: "Variables that were set individually, as with `-var`.",
    }),
    variables: field(z.string(), { doc: "Variables that were submitted as a variables file." }),
    version: field(z.int(), { doc: "Number of the job version." }),
    jobIndex: field(z.string(), { doc: "Index of that registration, as a string." }),
    jobId: field(z.string(), { doc: "ID of the registered job.", wire: "JobID" }),
    namespace: field(z.string(), { doc: "Namespace that contains that job." }),
  },
  hidesSecret: ({ source }) => /(secrets|mesh|vault|consul)_?token/i.test(String(source)),
  asks: {
    kind: "call",
    async call(context, args) {
      const version = { version: String(args.version) };
      const { answer } = await askJob(getJobSubmission, context, args, "/job/{jobId}/submission", version);
      const said = isObject(answer.json) ? answer.json : {};
      if (said.Source === undefined) {
        const address = scopeOf(getJobSubmission, context, args);
        throw errorOfRead(context, answer, { method: "GET", path: "/job/{jobId}/submission" }, address);
      }
      const { Format, Source, VariableFlags, Variables, Version } = said;
      return {
        format: text(Format),
        source: text(Source),
        variableFlags: flagsIn(VariableFlags, context.connection.dialect !== scheduler.dialects.real),
        variables: text(Variables),
        version: amountIn(Version ?? args.version),
        // Nomad gives this member the same name as the job's own index.
        jobIndex: text(said.JobIndex ?? said.JobModifyIndex),
        jobId: text(said.JobID),
        namespace: text(said.Namespace),
      };
    },
  },
});

/** Parses HCL into a job. */
export const parseJob = defineFunction({
  ...jobQuestion,
  token: "scheduler:parseJob",
  doc: "Parses an HCL job specification with Nomad and returns the job, without registering it. The token needs `namespace:parse-job` and `namespace:submit-job`.",
  section: "Parse job",
  fields: {
    hcl: field(z.string().min(1), {
      doc: "Job specification in HCL.",
      role: "steering",
    }),
    // Open: the HCL declares the names and the types of the variables.
    variables: field(z.union([z.string(), z.record(z.string(), z.unknown())]).optional(), {
      doc: "Values of the HCL variables, as an object or as the content of a variables file.",
      role: "steering",
      document: {},
    }),
    canonicalize: field(z.boolean().optional(), {
      doc: "Fill omitted members with Nomad's defaults.",
      role: "steering",
    }),
    hclv1: field(z.boolean().optional(), {
      doc: "Parse the text as HCL1. Nomad 1.9 and later ignore this option and parse HCL2.",
      role: "steering",
    }),
    namespace: scopeFields.namespace,
    region: scopeFields.region,
    ...functionFields,
  },
  result: { job: jobField("The job with the field names of Nomad's API (`ID`, `TaskGroups`…).") },
  asks: {
    kind: "call",
    async call(context, args) {
      const route = { method: "POST", path: "/jobs/parse", query: inScope } as const;
      const address = scopeOf(parseJob, context, args);
      // Parsing changes nothing, so a retry is safe.
      const answer = await send(context, route, address, { nature: "read", body: parseBody(args) });
      const { json: job } = answer;
      if (!isSuccess(answer) || !isJob(job)) throw errorOfRead(context, answer, route, address);
      return { job: inNamesOf(context.connection.dialect, job) };
    },
  },
});

function parseBody({ hcl, variables, canonicalize, hclv1 }: Values): { [member: string]: Json } {
  return {
    JobHCL: hcl ?? "",
    ...(variables !== undefined && { Variables: variablesText(variables) }),
    ...(canonicalize !== undefined && { Canonicalize: canonicalize }),
    ...(hclv1 !== undefined && { HCLv1: hclv1 }),
  };
}

/** Servers of the specification return these values escaped as in a query (wire facts); Nomad unescapes them itself. */
function flagsIn(value: Json | undefined, areEscaped: boolean): { [name: string]: Json } {
  return Object.fromEntries(
    Object.entries(isObject(value) ? value : {}).map(([name, flag]) => [
      name,
      areEscaped ? unescapeText(String(flag)) : String(flag),
    ]),
  );
}

function unescapeText(escaped: string): string {
  try {
    return decodeURIComponent(escaped.replaceAll("+", " "));
  } catch {
    // A lone percent sign is not an escape.
    return escaped;
  }
}

function text(value: Json | undefined): string {
  return value === undefined || value === null ? "" : String(value);
}
