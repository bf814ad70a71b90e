import type { HttpAnswer } from "../../http/request";
import type { Listing } from "../../language/listing";
import type { Address } from "../../language/object";
import type { Reads } from "../../language/reads";
import type { ObjectContext } from "../../language/resource";
import { partsInPath, type Route } from "../../language/route";
import type { RequestContext } from "../../language/stepInput";
import type { Json } from "../../value/json";
import { isSuccess } from "../observe";
import { filledPath, filledQuery, realmHeaders, send } from "../send";
import { listRequestOf } from "../watch";
import { ListPages } from "./pageSource";
import { SharedList } from "./sharedList";
import { OLDEST_MS, waited, withinTime } from "./snapshots";

/** What a list that other reads ask for too shows of an object. */
export interface InList {
  /** What the object's own read would answer; or the members that prove that it is as it was. */
  readonly item: Json;
  readonly isProofOnly: boolean;
}

/** The list in which what a read answers is found, where there is one. */
export function carryingList({ list, within }: Reads): Listing | undefined {
  return [list, within].find((listing) => listing?.carries !== undefined);
}

/**
 * What a shared list shows of an object; undefined where the object itself is to be asked for. It fails for no reason of
 * the list's: one that is refused, left out or not offered shows nothing.
 */
export async function foundInList(context: ObjectContext, address: Address): Promise<InList | undefined> {
  const { shared, definition } = context;
  const listing = carryingList(definition.life.reads);
  const carries = listing?.carries;
  const key = carries?.key(address);
  if (shared === undefined || listing === undefined || carries === undefined || key === undefined)
    return undefined;
  if (partsInPath(listing.route).some((part) => address[part] === undefined)) return undefined;
  const list = shared.kept(keyOf(context, listing, address), () => listOf(context, listing, address));
  const item = await withinTime(context, (ended) => list.find(key, ended));
  return item === undefined ? undefined : { item, isProofOnly: carries.unmovedBy !== undefined };
}

/** One list is one for all types that are found in it, as they ask for it alike. */
export function keyOf(
  { connection }: Pick<RequestContext, "connection">,
  { route }: Listing,
  address: Address,
): string {
  const query = filledQuery(route.query ?? {}, address);
  const headers = realmHeaders(connection, address);
  return JSON.stringify([
    "list",
    connection.name,
    filledPath(route.path, address, connection),
    query,
    headers,
  ]);
}

/** The list has time of its own: who asks first waits for it as everybody does. */
function listOf(context: ObjectContext, listing: Listing, address: Address): SharedList {
  const { connection } = context;
  const { route, carries, pages } = listing;
  const divided = carries?.pages ?? pages;
  const style = typeof divided === "function" ? divided(connection) : divided;
  const query = filledQuery(route.query ?? {}, address);
  const asking = (signal: AbortSignal) =>
    listRequestOf(
      { ...context, signal, deadline: connection.runtime.now() + OLDEST_MS },
      route,
      address,
      query,
    );
  return new SharedList(new ListPages(asking, style, (page) => carries?.answers(page, connection) ?? []));
}

/**
 * Sends a read that others of the same refresh send too: once for all of them. Only a success is shared; who is refused,
 * or waits for one that was, asks for itself.
 */
export async function sendAlike(
  context: RequestContext,
  route: Route,
  address: Address,
): Promise<HttpAnswer> {
  const { shared, connection } = context;
  const own = () => send(context, route, address, { nature: "read" });
  if (shared === undefined) return own();
  const key = JSON.stringify([
    "alike",
    connection.name,
    filledPath(route.path, address, connection),
    realmHeaders(connection, address),
  ]);
  const kept = shared.kept(key, (): { answer?: Promise<HttpAnswer> } => ({}));
  if (kept.answer === undefined) {
    kept.answer = own();
    return kept.answer;
  }
  const { answer: begun } = kept;
  const answer = await withinTime(context, (ended) => waited(begun, ended));
  return answer !== undefined && isSuccess(answer) ? answer : own();
}
