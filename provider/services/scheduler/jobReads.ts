import { z } from "zod";
import { blockingRules, defineFunction, elementsIn, field, isObject } from "../../core";
import { secretsIn } from "./jobDocument";
import { jobIndexes } from "./jobIndexes";
import { inNamesOf } from "./jobNames";
import { askedJob, askJob, flags, jobFields, jobQuestion, queryMetaFields } from "./jobScope";
import { neutral, real } from "./service";

/** A job in the server's own names. Open: each version of Nomad can add members. */
export const wholeJob = () => z.record(z.string(), z.unknown());

/** The secret members, in the names of both dialects. */
const jobSecrets = [...new Set([neutral, real].flatMap(secretsIn))];

/** A result field that contains such a job. */
export const jobField = (doc: string) =>
  field(wholeJob(), { doc, document: { secret: jobSecrets }, indexes: jobIndexes });

/** Reads a job. */
export const getJob = defineFunction({
  ...jobQuestion,
  token: "scheduler:getJob",
  doc: "Reads a Nomad job, immediately or, with `index`, after the next change. The result is valid as the `json` of a `Job`. A missing job is an error. The token needs `namespace:read-job`.",
  section: "Read job",
  fields: jobFields,
  rules: blockingRules,
  result: {
    job: jobField("The job with the field names of Nomad's API (`ID`, `TaskGroups`…)."),
    ...queryMetaFields,
  },
  asks: {
    kind: "call",
    async call(context, args) {
      const { job, meta } = await askedJob(getJob, context, args);
      return { job, ...meta };
    },
  },
});

/** Lists a job's versions. */
export const getJobVersions = defineFunction({
  ...jobQuestion,
  token: "scheduler:getJobVersions",
  doc: "Lists the stored versions of a Nomad job, newest first. The token needs `namespace:read-job`.",
  section: "List job versions",
  fields: {
    ...jobFields,
    diffs: field(z.boolean().optional(), {
      doc: "Return the structured differences between versions as well.",
      role: "steering",
    }),
  },
  rules: blockingRules,
  result: {
    versions: field(z.array(wholeJob()), {
      doc: "Versions, each as a complete job.",
      document: { secret: jobSecrets.map((member) => `*.${member}`) },
      indexes: jobIndexes.map((member) => `*.${member}`),
    }),
    diffs: field(z.array(wholeJob()).optional(), {
      doc: "Difference between each version and the previous version, if requested.",
    }),
    ...queryMetaFields,
  },
  asks: {
    kind: "call",
    async call(context, args) {
      const { answer, meta } = await askJob(
        getJobVersions,
        context,
        args,
        "/job/{jobId}/versions",
        flags({ diffs: args.diffs }),
      );
      const { Versions: versions, Diffs: diffs } = isObject(answer.json) ? answer.json : {};
      const { dialect } = context.connection;
      const named = elementsIn(versions).map((version) => inNamesOf(dialect, version));
      return { versions: named, ...(Array.isArray(diffs) && { diffs }), ...meta };
    },
  },
});
