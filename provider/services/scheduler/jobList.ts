import { z } from "zod";
import { blockingFields, blockingRules } from "../../core/functions/blocking";
import { listFunction } from "../../core/functions/list";
import { elementsIn } from "../../core/http/paging";
import { field } from "../../core/language/facts";
import type { Values } from "../../core/language/object";
import { exclusive } from "../../core/language/rules";
import { askBlocking, queryMetaOf, waitsForChange } from "../../core/requests/blocking";
import { errorFrom, isSuccess } from "../../core/requests/observe";
import { stubIndexes } from "./jobIndexes";
import { flags, jobQuestion, queryMetaFields, scopeFields } from "./jobScope";
import { inScope } from "./service";

const route = { method: "GET", path: "/jobs", query: inScope } as const;

/** Lists jobs, as stubs. */
export const getJobs = listFunction({
  token: "scheduler:getJobs",
  doc: "Lists jobs, as the service's stubs of them, at once or when any of them has changed. The token needs `namespace:list-jobs`, and sees the jobs of the namespaces in which it has it.",
  section: "List jobs",
  ...jobQuestion,
  fields: {
    prefix: field(z.string().optional(), {
      doc: "What the ids begin with. Not together with filter.",
      role: "steering",
    }),
    filter: field(z.string().optional(), {
      doc: "A filter expression, evaluated by the service on each whole job: text, or as `filter` of this package writes it, with every value quoted right. Not together with prefix.",
      role: "steering",
      isFilter: true,
    }),
    meta: field(z.boolean().optional(), {
      doc: "Whether each job's `Meta` is answered too.",
      role: "steering",
    }),
    reverse: field(z.boolean().optional(), { doc: "Whether the order is turned round.", role: "steering" }),
    ...scopeFields,
    namespace: field(z.string().min(1).optional(), {
      doc: "The namespace; `*` for all that the token may see. Default: the connection's, else the token's.",
      location: "address",
    }),
    ...blockingFields,
  },
  rules: [
    exclusive("filter", "prefix", "the service takes no other filtering parameter beside a filter"),
    ...blockingRules,
  ],
  property: "jobs",
  each: "eachJob",
  indexes: stubIndexes,
  // Open: an answer, to which every version of the service adds.
  element: z.record(z.string(), z.unknown()),
  route,
  pages: ({ connection }) => ({ by: "token", header: connection.dialect.headers.nextToken ?? "" }),
  query: (args) => ({ ...narrowing(args), ...flags({ meta: args.meta, reverse: args.reverse }) }),
  says: { fields: queryMetaFields, of: (page, context) => queryMetaOf(context, page) },
  /** Waits for a change with one small question; the list itself is then asked page by page. */
  async before(context, args, address) {
    if (!waitsForChange(args)) return;
    const query = { ...narrowing(args), per_page: "1" };
    const answer = await askBlocking(context, { route, address, query }, args);
    if (!isSuccess(answer)) throw errorFrom(context, answer, route, address);
  },
  elements: ({ json }) => elementsIn(json),
});

/** Which jobs are asked for: what a wait is refused for as well as the list, before it waits. */
function narrowing({ prefix, filter, stale }: Values): Readonly<Record<string, string>> {
  return {
    ...(typeof prefix === "string" && prefix !== "" && { prefix }),
    ...(typeof filter === "string" && filter !== "" && { filter }),
    ...flags({ stale }),
  };
}
