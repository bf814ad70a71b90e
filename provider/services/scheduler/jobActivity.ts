import { z } from "zod";
import {
  blockingRules,
  convertToSchema,
  defineFunction,
  elementsIn,
  type FunctionDefinition,
  field,
  type RequestContext,
  type Values,
  watchFields,
  watchValue,
} from "../../core";
import { activityIndexes } from "./jobIndexes";
import { askJob, flags, indexIn, jobFields, jobQuestion, queryMetaFields } from "./jobScope";
import { allocation } from "./records/allocation";
import { deployment } from "./records/deployment";
import { evaluation } from "./records/evaluation";
import { scheduler } from "./service";

const RIGHT = "The token needs `namespace:read-job`.";

const { index: _, timeout: __, ...watchedFields } = jobFields;

/** A list of a job's activity, which Nomad serves at its own path. */
interface Activity {
  readonly property: "allocations" | "evaluations" | "deployments";
  /** A description of the records, for the docs. */
  readonly are: string;
  /** The schema of one record. */
  readonly record: z.ZodType;
  /** True if Nomad can also list the records of earlier registrations. */
  readonly takesAll: boolean;
}

const allocations: Activity = {
  property: "allocations",
  are: "the nodes and the status of its task groups",
  record: allocation,
  takesAll: true,
};

const evaluations: Activity = {
  property: "evaluations",
  are: "Nomad's scheduling decisions",
  record: evaluation,
  takesAll: false,
};

const deployments: Activity = {
  property: "deployments",
  are: "rollouts of its versions",
  record: deployment,
  takesAll: true,
};

/** Functions that list a job's activity: as Nomad returns it, typed, and as a watch. */
export default {
  getJobAllocations: asIs("getJobAllocations", "getAllocations", allocations),
  getAllocations: activityFunction("getAllocations", allocations),
  watchAllocations: watching("watchAllocations", allocations),
  getJobEvaluations: asIs("getJobEvaluations", "getEvaluations", evaluations),
  getEvaluations: activityFunction("getEvaluations", evaluations),
  watchEvaluations: watching("watchEvaluations", evaluations),
  getJobDeployments: asIs("getJobDeployments", "getDeployments", deployments),
  getDeployments: activityFunction("getDeployments", deployments),
  watchDeployments: watching("watchDeployments", deployments),
};

/** Defines a function that returns the complete records, in the server's own names. */
function asIs(name: string, twin: string, activity: Activity): FunctionDefinition {
  const { property, are } = activity;
  const definition: FunctionDefinition = defineFunction({
    ...once(name, activity),
    doc: `Lists the ${property} of a Nomad job (${are}) with the field names of Nomad's API, including fields of newer Nomad versions. \`${twin}\` returns them typed. ${RIGHT}`,
    result: {
      // Open: each version of Nomad can add members to the response.
      [property]: field(z.array(z.record(z.string(), z.unknown())), {
        doc: `List of ${property}, with the field names of Nomad's API (\`ID\`, \`JobID\`…).`,
        indexes: activityIndexes,
      }),
      ...queryMetaFields,
    },
    asks: { kind: "call", call: (context, args) => readActivity(definition, activity, context, args) },
  });
  return definition;
}

function activityFunction(name: string, activity: Activity): FunctionDefinition {
  const { property, are } = activity;
  const definition: FunctionDefinition = defineFunction({
    ...once(name, activity),
    doc: `Lists the ${property} of a Nomad job (${are}). Returns immediately or, with \`index\`, after the next change. ${RIGHT}`,
    result: typedResult(activity),
    asks: {
      kind: "call",
      call: async (context, args) =>
        asTyped(activity, await readActivity(definition, activity, context, args)),
    },
  });
  return definition;
}

function watching(name: string, activity: Activity): FunctionDefinition {
  const { property, are } = activity;
  const definition: FunctionDefinition = defineFunction({
    ...jobQuestion,
    token: `scheduler:${name}`,
    doc: `Yields the ${property} of a Nomad job (${are}) at the start and after every change; the list is empty while the job does not exist. The iteration continues after a server restart or an index reset, and ends when its signal is aborted. ${RIGHT}`,
    section: `List job ${property}; General conventions, blocking queries`,
    fields: { ...watchedFields, ...watchFields, ...ofAll(activity) },
    rules: blockingRules,
    result: typedResult(activity),
    asks: {
      kind: "watch",
      changes: (context, args) =>
        watchValue(context, async (index, now) => {
          const waiting = { ...args, ...(index !== undefined && { index }) };
          const value = asTyped(activity, await readActivity(definition, activity, now, waiting));
          return { value, shows: value[property] ?? [], index: indexIn(value) };
        }),
    },
  });
  return definition;
}

function once(name: string, activity: Activity) {
  return {
    ...jobQuestion,
    token: `scheduler:${name}`,
    section: `List job ${activity.property}`,
    fields: { ...jobFields, ...ofAll(activity) },
    rules: blockingRules,
  } as const;
}

function ofAll({ property, takesAll }: Activity) {
  const all = field(z.boolean().optional(), {
    doc: `Return the ${property} of earlier registrations with the same ID as well.`,
    role: "steering",
  });
  return takesAll ? { all } : {};
}

function typedResult({ property, record }: Activity) {
  return {
    [property]: field(z.array(record), { doc: `Current ${property} of the job.` }),
    ...queryMetaFields,
  };
}

async function readActivity(
  definition: FunctionDefinition,
  { property }: Activity,
  context: RequestContext,
  args: Values,
): Promise<Values> {
  const path = `/job/{jobId}/${property}`;
  const { answer, meta } = await askJob(definition, context, args, path, flags({ all: args.all }));
  return { [property]: elementsIn(answer.json), ...meta };
}

function asTyped({ property, record }: Activity, answer: Values): Values {
  return {
    ...answer,
    [property]: convertToSchema(z.array(record), answer[property], scheduler.naming) ?? [],
  };
}
