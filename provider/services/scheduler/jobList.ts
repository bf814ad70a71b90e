import { z } from "zod";
import { blockingFields, blockingRules } from "../../core/functions/blocking";
import { listFunction } from "../../core/functions/list";
import { field } from "../../core/language/facts";
import type { Values } from "../../core/language/object";
import { askBlocking, queryMetaOf, waitsForChange } from "../../core/requests/blocking";
import { errorFrom, isSuccess } from "../../core/requests/observe";
import { stubIndexes } from "./jobIndexes";
import { jobListing } from "./jobListing";
import { flags, jobQuestion, queryMetaFields, scopeFields } from "./jobScope";

const { narrowing, route, items, pages, rules } = jobListing;

/** Lists jobs, as stubs. */
export const getJobs = listFunction({
  token: "scheduler:getJobs",
  doc: "Lists jobs, as the service's stubs of them, at once or when any of them has changed. The token needs `namespace:list-jobs`, and sees the jobs of the namespaces in which it has it.",
  section: "List jobs",
  ...jobQuestion,
  fields: {
    prefix: narrowing.prefix,
    filter: narrowing.filter,
    meta: field(z.boolean().optional(), {
      doc: "Whether each job's `Meta` is answered too.",
      role: "steering",
    }),
    reverse: field(z.boolean().optional(), { doc: "Whether the order is turned round.", role: "steering" }),
    ...scopeFields,
    namespace: narrowing.namespace,
    ...blockingFields,
  },
  rules: [...rules, ...blockingRules],
  property: "jobs",
  each: "eachJob",
  indexes: stubIndexes,
  // Open: an answer, to which every version of the service adds.
  element: z.record(z.string(), z.unknown()),
  route,
  pages,
  query: (args) => ({ ...narrowed(args), ...flags({ meta: args.meta, reverse: args.reverse }) }),
  says: { fields: queryMetaFields, of: (page, context) => queryMetaOf(context, page) },
  /** Waits for a change with one small question; the list itself is then asked page by page. */
  async before(context, args, address) {
    if (!waitsForChange(args)) return;
    const query = { ...narrowed(args), per_page: "1" };
    const answer = await askBlocking(context, { route, address, query }, args);
    if (!isSuccess(answer)) throw errorFrom(context, answer, route, address);
  },
  elements: items,
});

/** Which jobs are asked for: what a wait is refused for as well as the list, before it waits. */
function narrowed(args: Values): Readonly<Record<string, string | undefined>> {
  return { ...jobListing.query(args), ...flags({ stale: args.stale }) };
}
