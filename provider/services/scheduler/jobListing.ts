import { z } from "zod";
import { elementsIn, exclusive, field, get, isObject, type Listing } from "../../core";
import { byToken, givenText, itemsBy } from "./lists";
import { inScope } from "./service";

const STOPPED =
  "it is stopped, and Nomad's garbage collection will remove it; pulumi up adopts and starts it if a program has a job with this ID";

/** Lists jobs as stubs, page by page (specification: List jobs). */
export const jobListing = {
  route: get("/jobs", { query: inScope }),
  itemContent: "stubs",
  pages: ({ dialect }) => byToken(dialect),
  filters: {
    prefix: field(z.string().optional(), {
      doc: "Prefix of the job IDs. Cannot be combined with `filter`.",
      role: "steering",
    }),
    filter: field(z.string().optional(), {
      doc: "Filter expression that Nomad evaluates on each complete job: a string, or the result of this package's `filter`, which quotes all values. Cannot be combined with `prefix`.",
      role: "steering",
      isFilter: true,
    }),
    namespace: field(z.string().min(1).optional(), {
      doc: "Namespace of the jobs, or `*` for all namespaces that the token may read. Default: the connection's, then the token's.",
      location: "address",
    }),
  },
  rules: [exclusive("filter", "prefix", "Nomad accepts no other filter parameter next to a filter")],
  query: ({ prefix, filter }) => ({ prefix: givenText(prefix), filter: givenText(filter) }),
  items: ({ json }) => elementsIn(json),
  refreshData: {
    pages: ({ dialect }) => byToken(dialect, 1000),
    hasBlockingQueries: true,
    permission: "`namespace:list-jobs`",
    key: ({ jobId }) => jobId,
    responses: itemsBy("ID"),
    // A different or rebuilt cluster at this address can reach the same index.
    unchangedMembers: ["CreateIndex", "SubmitTime"],
  },
  whyUnmanageable: (stub) => {
    if (!isObject(stub)) return undefined;
    const parent = givenText(stub.ParentID);
    if (parent) return `Nomad launched this job from ${parent}: manage ${parent} instead`;
    return stub.Stop === true ? STOPPED : undefined;
  },
  displayName: (stub) => (isObject(stub) ? givenText(stub.Name) : undefined),
} as const satisfies Listing;
