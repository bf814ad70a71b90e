import { type HttpResponse, isSuccess } from "../../http/request";
import type { Listing } from "../../language/listing";
import type { Address } from "../../language/object";
import type { Reads } from "../../language/reads";
import type { ObjectContext } from "../../language/resource";
import { partsInPath, type Route } from "../../language/route";
import type { RequestContext } from "../../language/stepInput";
import type { Json } from "../../value/json";
import { filledPath, filledQuery, realmHeaders, send } from "../send";
import { listRequestOf } from "../watch";
import { ListPages, SharedList } from "./sharedList";
import { OLDEST_MS, waitForShared, withinTime } from "./snapshots";

/** An object's entry in a list that several reads share. */
export interface InList {
  /** The response that the object's own read would return, or only the members that prove that the object is unchanged. */
  readonly item: Json;
  readonly isProofOnly: boolean;
}

/** The list that can answer an object's read, if the definition has one. */
export function carryingList({ list, within }: Reads): Listing | undefined {
  return [list, within].find((listing) => listing?.refreshData !== undefined);
}

/**
 * The entry of an object in a shared list; undefined if the object needs its own read. Problems of the list cause no error:
 * a list that is refused, left out or not offered has no entries.
 */
export async function foundInList(context: ObjectContext, address: Address): Promise<InList | undefined> {
  const { shared, definition } = context;
  const listing = carryingList(definition.life.reads);
  const carries = listing?.refreshData;
  const key = carries?.key(address);
  if (shared === undefined || listing === undefined || carries === undefined || key === undefined)
    return undefined;
  if (partsInPath(listing.route).some((part) => address[part] === undefined)) return undefined;
  const list = shared.kept(sharedKey("list", context, listing.route, address), () =>
    listOf(context, listing, address),
  );
  const item = await withinTime(context, (ended) => list.find(key, ended));
  return item === undefined ? undefined : { item, isProofOnly: carries.unchangedMembers !== undefined };
}

/** The key under which reads share a list or a response: all reads that request it in the same way. */
export function sharedKey(
  kind: "list" | "response",
  { connection }: Pick<RequestContext, "connection">,
  { path, query = {} }: Route,
  address: Address,
): string {
  const filled = [filledPath(path, address, connection), filledQuery(query, address)];
  return JSON.stringify([kind, connection.name, ...filled, realmHeaders(connection, address)]);
}

/** The list has its own deadline: the caller that requests it first waits like every other caller. */
function listOf(context: ObjectContext, listing: Listing, address: Address): SharedList {
  const { connection } = context;
  const { route, refreshData, pages } = listing;
  const divided = refreshData?.pages ?? pages;
  const style = typeof divided === "function" ? divided(connection) : divided;
  const query = filledQuery(route.query ?? {}, address);
  const asking = (signal: AbortSignal) =>
    listRequestOf(
      { ...context, signal, deadline: connection.runtime.now() + OLDEST_MS },
      route,
      address,
      query,
    );
  return new SharedList(
    new ListPages(asking, style, (page) => refreshData?.responses(page, connection) ?? []),
  );
}

/**
 * Sends a read that other steps of the same refresh send too, once for all of them. Only a success is shared: if the shared
 * request fails, each waiting caller sends its own.
 */
export async function sendAlike(
  context: RequestContext,
  route: Route,
  address: Address,
): Promise<HttpResponse> {
  const { shared } = context;
  const own = () => send(context, route, address, { nature: "read" });
  if (shared === undefined) return own();
  const key = sharedKey("response", context, route, address);
  const kept = shared.kept(key, (): { answer?: Promise<HttpResponse> } => ({}));
  if (kept.answer === undefined) {
    kept.answer = own();
    return kept.answer;
  }
  const { answer: begun } = kept;
  const answer = await withinTime(context, (ended) => waitForShared(begun, ended));
  return answer !== undefined && isSuccess(answer) ? answer : own();
}
