import type { ListRequest, PageStyle } from "../http/paging";
import { addressOf, knownAddress } from "../language/address";
import { fieldsOf, type Specified } from "../language/fields";
import type { Listing } from "../language/listing";
import type { Address, Values } from "../language/object";
import type { AnyDefinition } from "../language/resource";
import { isAddress } from "../language/role";
import { partsInPath, type Route } from "../language/route";
import type { Site } from "../language/service";
import type { RequestContext } from "../language/stepInput";
import { listRequestOf } from "../requests/listRequest";
import { errorFrom } from "../requests/observe";
import { filledQuery } from "../requests/send";

/** What it takes to ask for a list: its request, its pages, and by what it is narrowed. */
export interface AskedList
  extends Pick<Listing, "route" | "pages" | "query" | "isNone">,
    Pick<Specified, "service" | "fields" | "rules" | "where"> {}

/**
 * How the objects of a definition are asked for: narrowed by the parts of their address that the request takes, and by
 * what else the service offers. A part that no id says is no such input, because the ids would lead elsewhere.
 */
export function askedAs(definition: AnyDefinition, listing: Listing): AskedList {
  const { service, where } = definition;
  const { route, pages, query, isNone, rules, narrowing } = listing;
  const placed = placesIn(definition, route);
  const own = fieldsOf(definition).filter(({ name, facts }) => isAddress(facts) && placed.has(name));
  return {
    service,
    fields: { ...Object.fromEntries(own.map(({ name, schema }) => [name, schema])), ...narrowing },
    where: { ...(where.defaults && { defaults: where.defaults }), needed: partsInPath(route) },
    route,
    pages,
    ...(query && { query }),
    ...(isNone && { isNone }),
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

/** A list, ready to be read page by page, and the parts of the address by which it is asked for. */
export function readingOf(
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
      asked.isNone?.(answer) ? new NothingToList() : errorFrom(context, answer, route, address),
  };
  return { request, address };
}

/** How a list is divided by the service of this connection; in pages of this size where one is wanted. */
export function pageStyle({ pages }: Pick<AskedList, "pages">, site: Site, size?: number): PageStyle {
  const style = typeof pages === "function" ? pages(site) : pages;
  return style.by === "whole" || size === undefined ? style : { ...style, size };
}

/** An answer that says, in the words of a refusal, that the list is empty. */
export class NothingToList extends Error {}
