import { z } from "zod";
import {
  type Dialect,
  elementsIn,
  exclusive,
  field,
  get,
  isObject,
  type Listing,
  type PageStyle,
  wordIn,
} from "../../core";
import { inScope } from "./service";

const text = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);

const byToken = ({ headers }: Dialect, size?: number): PageStyle => ({
  by: "token",
  header: headers.nextToken ?? "",
  ...(size !== undefined && { size }),
});

/** Lists jobs as stubs, page by page (specification: List jobs). */
export const jobListing = {
  route: get("/jobs", { query: inScope }),
  holds: "stubs",
  pages: ({ dialect }) => byToken(dialect),
  narrowing: {
    prefix: field(z.string().optional(), {
      doc: "What the ids begin with. Not together with filter.",
      role: "steering",
    }),
    filter: field(z.string().optional(), {
      doc: "A filter expression, evaluated by the service on each whole job: text, or as `filter` of this package writes it, with every value quoted right. Not together with prefix.",
      role: "steering",
      isFilter: true,
    }),
    namespace: field(z.string().min(1).optional(), {
      doc: "The namespace; `*` for all that the token may see. Default: the connection's, else the token's.",
      location: "address",
    }),
  },
  rules: [exclusive("filter", "prefix", "the service takes no other filtering parameter beside a filter")],
  query: ({ prefix, filter }) => ({ prefix: text(prefix), filter: text(filter) }),
  items: ({ json }) => elementsIn(json),
  carries: {
    pages: ({ dialect }) => byToken(dialect, 1000),
    waits: true,
    right: "`namespace:list-jobs`",
    key: ({ jobId }) => jobId,
    answers: ({ json }) =>
      elementsIn(json)
        .filter(isObject)
        .map((stub) => [wordIn(stub.ID), stub] as const),
    // A different or rebuilt cluster at this address can reach the same index.
    unmovedBy: ["CreateIndex", "SubmitTime"],
  },
  apart: (stub) => {
    const parent = isObject(stub) ? text(stub.ParentID) : undefined;
    return parent && `the service made it of ${parent}, which is what a program has`;
  },
  called: (stub) => (isObject(stub) ? text(stub.Name) : undefined),
} as const satisfies Listing;
