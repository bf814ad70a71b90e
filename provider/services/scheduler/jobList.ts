import { z } from "zod";
import {
  askBlocking,
  blockingFields,
  blockingRules,
  collect,
  convertToSchema,
  defineFunction,
  errorFrom,
  field,
  functionFields,
  isSuccess,
  type ListDefinition,
  listFunction,
  queryMetaOf,
  type Values,
  waitsForChange,
  watchFields,
  watchValue,
} from "../../core";
import { stubIndexes } from "./jobIndexes";
import { jobListing } from "./jobListing";
import { flags, indexIn, jobQuestion, queryMetaFields, scopeFields } from "./jobScope";
import { jobStub } from "./records/jobStub";
import { scheduler } from "./service";

const { filters, route, items, pages, rules } = jobListing;

const permissions =
  "The token needs `namespace:list-jobs`; only jobs in namespaces with this permission are visible.";

const narrowedBy = {
  prefix: filters.prefix,
  filter: filters.filter,
  meta: field(z.boolean().optional(), {
    doc: "Return the metadata of each job as well.",
    role: "steering",
  }),
} as const;

const scope = { ...scopeFields, namespace: filters.namespace };

const list = {
  section: "List jobs",
  ...jobQuestion,
  fields: {
    ...narrowedBy,
    reverse: field(z.boolean().optional(), { doc: "Reverse the order.", role: "steering" }),
    ...scope,
    ...blockingFields,
  },
  rules: [...rules, ...blockingRules],
  property: "jobs",
  route,
  pages,
  query: (args) => ({ ...listQuery(args), ...flags({ meta: args.meta, reverse: args.reverse }) }),
  says: { fields: queryMetaFields, of: (page, context) => queryMetaOf(context, page) },
  /** Waits for a change with one small request. The list itself is then read page by page. */
  async before(context, args, address) {
    if (!waitsForChange(args)) return;
    const query = { ...listQuery(args), per_page: "1" };
    const answer = await askBlocking(context, { route, address, query }, args);
    if (!isSuccess(answer)) throw errorFrom(context, answer, route, address);
  },
} as const satisfies Partial<ListDefinition>;

/** Lists jobs, as Nomad returns them. */
export const getJobs = listFunction({
  ...list,
  token: "scheduler:getJobs",
  doc: `Lists Nomad jobs as stubs with the field names of Nomad's API, including fields of newer Nomad versions; \`getJobStubs\` returns them typed. Returns immediately or, with \`index\`, after the next change. ${permissions}`,
  each: "eachJob",
  indexes: stubIndexes,
  // Open: each version of Nomad can add members to the response.
  element: z.record(z.string(), z.unknown()),
  elements: items,
});

const stubs: ListDefinition = {
  ...list,
  token: "scheduler:getJobStubs",
  doc: `Lists Nomad jobs, each with a summary of its allocations. Returns immediately or, with \`index\`, after the next change. ${permissions}`,
  each: "eachJobStub",
  element: jobStub,
  elements: (page) => items(page).map((stub) => convertToSchema(jobStub, stub, scheduler.naming) ?? {}),
};

/** Lists jobs, typed. */
export const getJobStubs = listFunction(stubs);

/** Watches the jobs of a list. */
export const watchJobs = defineFunction({
  ...jobQuestion,
  token: "scheduler:watchJobs",
  doc: `Yields a list of Nomad jobs, each with a summary of its allocations, at the start and after every change. The iteration continues after a server restart or an index reset, and ends when its signal is aborted. ${permissions}`,
  section: "List jobs; General conventions, blocking queries",
  fields: { ...narrowedBy, ...scope, ...watchFields, connection: functionFields.connection },
  rules: [...rules, ...blockingRules],
  result: {
    jobs: field(z.array(jobStub), { doc: "Jobs in the order of their IDs." }),
    ...queryMetaFields,
  },
  asks: {
    kind: "watch",
    changes: (context, args) =>
      watchValue(context, async (index, now) => {
        const value = await collect(stubs, now, { ...args, ...(index !== undefined && { index }) });
        // The index of the first page. If a job changes while later pages are read, the next wait returns immediately.
        return { value, shows: value.jobs ?? [], index: indexIn(value) };
      }),
  },
});

/**
 * The query that selects the jobs. The waiting request sends it too, so that Nomad rejects an invalid query before it waits.
 */
function listQuery(args: Values): Readonly<Record<string, string | undefined>> {
  return { ...jobListing.query(args), ...flags({ stale: args.stale }) };
}
