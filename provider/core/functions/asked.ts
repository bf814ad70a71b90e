import { z } from "zod";
import type { ListRequest, PageStyle } from "../http/paging";
import { addressOf, knownAddress } from "../language/address";
import { field } from "../language/facts";
import { fieldsOf, type Specified } from "../language/fields";
import type { Listing } from "../language/listing";
import type { Address, Values } from "../language/object";
import type { AnyDefinition } from "../language/resource";
import { isAddress } from "../language/role";
import { partsInPath, type Route } from "../language/route";
import { type Rule, rule } from "../language/rules";
import type { Site } from "../language/service";
import type { RequestContext } from "../language/stepInput";
import { waitOf } from "../requests/blocking";
import { errorFrom } from "../requests/observe";
import { filledQuery } from "../requests/send";
import { listRequestOf } from "../requests/watch";

/** The parts of a list request: its route, its pages, and the arguments that narrow it. */
export interface AskedList
  extends Pick<Listing, "route" | "pages" | "query" | "isEmptyList">,
    Pick<Specified, "service" | "fields" | "rules" | "where"> {}

/**
 * The arguments for listing a definition's objects: the parts of the address that the request accepts, and the other filters
 * that the API supports. A part that no ID contains is not an argument, because the IDs would then belong to a different
 * place.
 */
export function listArguments(definition: AnyDefinition, listing: Listing): AskedList {
  const { service, where } = definition;
  const { route, pages, query, isEmptyList, rules, filters } = listing;
  const placed = placesIn(definition, route);
  const own = fieldsOf(definition).filter(({ name, facts }) => isAddress(facts) && placed.has(name));
  return {
    service,
    fields: { ...Object.fromEntries(own.map(({ name, schema }) => [name, schema])), ...filters },
    where: { ...(where.defaults && { defaults: where.defaults }), needed: partsInPath(route) },
    route,
    pages,
    ...(query && { query }),
    ...(isEmptyList && { isEmptyList }),
    ...(rules && { rules }),
  };
}

function placesIn({ where }: AnyDefinition, { path, query = {} }: Route): ReadonlySet<string> {
  const { realm } = where.id;
  const inId = new Set(partsInPath({ path: where.id.template }));
  const asked = Object.values(query).flatMap((value) => partsInPath({ path: value }));
  return new Set([
    ...partsInPath({ path }),
    ...asked.filter((name) => inId.has(name)),
    ...(realm === undefined ? [] : [realm]),
  ]);
}

/** The request for a list, to be read page by page, and the parts of the address in it. */
export function listRequest(
  asked: AskedList & Pick<Specified, "token" | "doc" | "section">,
  context: RequestContext,
  args: Values,
): { readonly request: ListRequest; readonly address: Address } {
  const { route } = asked;
  const address = knownAddress(addressOf(asked, context.connection, args));
  const query = { ...filledQuery(route.query ?? {}, address), ...asked.query?.(args) };
  const request = {
    ...listRequestOf(context, route, address, query),
    refused: (answer: Parameters<ListRequest["refused"]>[0]) =>
      asked.isEmptyList?.(answer) ? new NothingToList() : errorFrom(context, answer, route, address),
  };
  return { request, address };
}

/** The page style of a list on this connection, with the given page size if there is one. */
export function pageStyle({ pages }: Pick<AskedList, "pages">, site: Site, size?: number): PageStyle {
  const style = typeof pages === "function" ? pages(site) : pages;
  return style.by === "whole" || size === undefined ? style : { ...style, size };
}

/** A response that reports an empty list as an error. */
export class NothingToList extends Error {}

/** The arguments of an endpoint with blocking queries. */
export const blockingFields = {
  index: field(z.string().regex(/^\d+$/).optional(), {
    doc: "Wait until the server's state has a higher index than this `index` of an earlier result. Without `index`, or with 0, the call returns immediately.",
    role: "steering",
  }),
  wait: field(z.string().optional(), {
    doc: "Maximum wait for a change, such as `10s` or `5m`; at most 10 minutes. The server adds up to a sixteenth. Default: 5 minutes. `timeout` does not include this wait. `wait` has no effect without `index`.",
    role: "steering",
  }),
} as const;

/** The arguments of a watch on such an endpoint. The watch tracks the index itself. */
export const watchFields = {
  wait: field(z.string().optional(), {
    doc: "Maximum wait of one request for a change, such as `10s` or `5m`; at most 10 minutes. The server adds up to a sixteenth. Changes are returned immediately; only a loss of the servers' data can stay unnoticed for this long. Default: 5 minutes.",
    role: "steering",
  }),
} as const;

/** The metadata in a response of such an endpoint. */
export const blockingResult = {
  index: field(z.string().optional(), {
    doc: "Index of the server's state, as a string. Pass it as `index` to wait for the next change.",
  }),
  lastContact: field(z.number().optional(), {
    doc: "Time since the leader last contacted the server that responded, in milliseconds.",
  }),
  knownLeader: field(z.boolean().optional(), { doc: "True if the server that responded knows a leader." }),
} as const;

/** The rule of a blocking query (specification: General conventions, `wait`: a duration such as `10s` or `5m`). */
export const blockingRules: readonly Rule[] = [
  rule(
    ["wait"],
    (wait) => typeof wait === "string" && waitOf(wait) === undefined,
    "must be a duration, such as 10s or 5m",
  ),
];
