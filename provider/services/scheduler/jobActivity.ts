import { z } from "zod";
import { blockingRules } from "../../core/functions/blocking";
import { defineFunction, type FunctionDefinition } from "../../core/functions/define";
import { elementsIn } from "../../core/http/paging";
import { field } from "../../core/language/facts";
import { activityIndexes } from "./jobIndexes";
import { askJob, flags, jobFields, jobQuestion, queryMetaFields } from "./jobScope";

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
    ...jobQuestion,
    token: `scheduler:${name}`,
    doc: `${doc} The token needs \`namespace:read-job\`.`,
    section,
    fields: {
      ...jobFields,
      ...(takesAll && {
        all: field(z.boolean().optional(), {
          doc: `Whether the ${property} of an earlier registration with the same id are answered too.`,
          role: "steering",
        }),
      }),
    },
    rules: blockingRules,
    result: {
      // Open: an answer, to which every version of the service adds.
      [property]: field(z.array(z.record(z.string(), z.unknown())), {
        doc: `The ${property}, in the service's own names.`,
        indexes: activityIndexes,
      }),
      ...queryMetaFields,
    },
    asks: {
      kind: "call",
      async call(context, args) {
        const path = `/job/{jobId}/${property}`;
        const { answer, meta } = await askJob(definition, context, args, path, flags({ all: args.all }));
        return { [property]: elementsIn(answer.json), ...meta };
      },
    },
  });
  return definition;
}
