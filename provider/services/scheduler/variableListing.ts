import { z } from "zod";
import { elementsIn, field, get, isObject, type Listing } from "../../core";
import { byToken, givenText, itemsBy } from "./lists";
import { inScope as query } from "./service";

/** Lists the paths of variables, without their items (Nomad's API documentation, "List Variables"). */
export const variableListing = {
  route: get("/vars", { query }),
  itemContent: "stubs",
  pages: ({ dialect }) => byToken(dialect),
  filters: {
    prefix: field(z.string().optional(), { doc: "Prefix of the paths.", role: "steering" }),
    namespace: field(z.string().min(1).optional(), {
      doc: "Namespace of the variables, or `*` for all namespaces that the token may list. Default: the connection's, then `default`.",
      location: "address",
    }),
  },
  query: ({ prefix }) => ({ prefix: givenText(prefix) }),
  items: ({ json }) => elementsIn(json),
  refreshData: {
    pages: ({ dialect }) => byToken(dialect, 1000),
    hasBlockingQueries: true,
    permission: "`variables:list`",
    key: (address) => address.path,
    responses: itemsBy("Path"),
    // A different or rebuilt cluster at this address can reach the same index.
    unchangedMembers: ["CreateIndex", "CreateTime", "ModifyTime"],
  },
  displayName: (stub) => (isObject(stub) ? givenText(stub.Path) : undefined),
} as const satisfies Listing;
