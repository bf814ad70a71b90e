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
  doc: "Reads a job, at once or when it has changed. What it answers may be given to a `Job` as its `json`. One that does not exist is an error. The token needs `namespace:read-job`.",
  section: "Read job",
  fields: jobFields,
  rules: blockingRules,
  result: { job: jobField("The job, in the service's own names (`ID`, `TaskGroups`…)."), ...queryMetaFields },
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
  doc: "Lists the versions of a job that the service has kept, the newest first. The token needs `namespace:read-job`.",
  section: "List job versions",
  fields: {
    ...jobFields,
    diffs: field(z.boolean().optional(), {
      doc: "Whether the structured differences between the versions are answered too.",
      role: "steering",
    }),
  },
  rules: blockingRules,
  result: {
    versions: field(z.array(wholeJob()), {
      doc: "The versions, each a whole job.",
      document: { secret: jobSecrets.map((member) => `*.${member}`) },
      indexes: jobIndexes.map((member) => `*.${member}`),
    }),
    diffs: field(z.array(wholeJob()).optional(), {
      doc: "From each version to the one before it, where asked for.",
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
