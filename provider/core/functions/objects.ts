import { ServiceError } from "../http/errors";
import { LARGEST_PAGE, pageAt } from "../http/paging";
import { idOf } from "../language/address";
import { fieldsOf, type Specified } from "../language/fields";
import { idForms } from "../language/id";
import type { Listing } from "../language/listing";
import type { Address, Values } from "../language/object";
import { partsFromResponse } from "../language/place";
import { type AnyDefinition, type Definition, hasLifecycle } from "../language/resource";
import { isAddress, isSent } from "../language/role";
import { partsInPath } from "../language/route";
import { type RequestContext, withFullTimeout } from "../language/stepInput";
import { redactorOf } from "../state/redaction";
import { isObject, type Json } from "../value/json";
import { memoByObject } from "../value/memo";
import { type AskedList, listArguments, listRequest, NothingToList, pageStyle } from "./asked";
import { type Caller, contextFor, Lacking, withPlainErrors } from "./call";
import { functionFields } from "./define";

/** An object of a service, as a list describes it. */
export interface ListedObject {
  /** The ID for reading and importing the object. */
  readonly id: string;
  /** The display name; empty if the list does not contain it. */
  readonly name: string;
  /** Why a program cannot manage the object; undefined if it can. */
  readonly apart?: string;
}

/** The position in a list that was returned in part. */
export interface Onward {
  /** The server's name of the page; undefined for the first page. */
  readonly at?: string | undefined;
  /**
   * The last ID returned from this page, if the page had more objects than requested. The remaining ones follow in the order
   * of their IDs.
   */
  readonly after?: string | undefined;
  /** The size of the server's pages, which does not change. */
  readonly size: number;
  /** The number of objects still requested; undefined for all objects. */
  readonly left?: number | undefined;
}

/** The requested part of a list. */
export interface RequestedPart {
  /** The maximum number of objects per call. */
  readonly size: number;
  /** The maximum number of objects in total. */
  readonly limit?: number | undefined;
  readonly from?: Onward | undefined;
}

/** The arguments for listing a definition's objects, and how to read the list. */
interface Question extends Specified, AskedList {
  readonly listing: Listing;
  readonly definition: Definition;
}

/** The arguments for listing a definition's objects; undefined if the service cannot list them. */
export const questionOf = memoByObject((definition: AnyDefinition): Question | undefined => {
  if (!hasLifecycle(definition, "object")) return undefined;
  const { list: listing } = definition.life.reads;
  if (listing === undefined) return undefined;
  const { token, doc, section } = definition;
  const asked = listArguments(definition, listing);
  const fields = { ...asked.fields, connection: functionFields.connection };
  return { token, doc, section, ...asked, fields, listing, definition };
});

/** Why no list contains the resources of a definition. */
export function whyUnlisted({ life, where }: AnyDefinition): string {
  switch (life.kind) {
    case "action":
      return "an action leaves no object on the server";
    case "writeOnly":
      return "the server accepts the object and never returns it";
    case "procedure":
      return "the server has no list of these resources, and their progress is only in the state";
    default:
      return `the API does not list these objects: read an object by its ID, ${idForms(where.id).join(" or ")}`;
  }
}

/**
 * Yields the objects that a service lists. Requests its pages one after the other, and only as many as the caller needs.
 * @returns the next position; undefined at the end of the list
 * @throws Error with every problem of the arguments, before anything is sent; and with the server's rejection, in its own
 * words, with secrets masked
 */
export async function* listObjects(
  question: Question,
  args: Values,
  { size, limit = Number.POSITIVE_INFINITY, from }: RequestedPart,
  caller: Caller,
): AsyncGenerator<ListedObject, Onward | undefined, void> {
  const redactor = redactorOf(question, args);
  const guard = <T>(run: () => Promise<T>) => withPlainErrors(redactor, run);
  const context = await guard(async () => contextFor(question, args, caller, redactor, "list"));
  const pageSize = from?.size ?? Math.min(size, limit, LARGEST_PAGE);
  let left = Math.min(from?.left ?? Number.POSITIVE_INFINITY, limit);
  let room = Math.min(size, left);
  let { at, after } = from ?? {};
  for (;;) {
    const page = await guard(() => pageOf(question, withFullTimeout(context), args, { at, size: pageSize }));
    const rest = after === undefined ? page.objects : inOrder(page.objects).filter(isAfter(after));
    const shown = rest.length > room ? inOrder(rest).slice(0, room) : rest;
    yield* shown;
    room -= shown.length;
    left -= shown.length;
    const isSplit = shown.length < rest.length;
    if (left <= 0 || (!isSplit && page.next === undefined)) return undefined;
    after = isSplit ? shown.at(-1)?.id : undefined;
    at = isSplit ? at : page.next;
    if (room <= 0) return { at, after, size: pageSize, ...(Number.isFinite(left) && { left }) };
  }
}

async function pageOf(
  question: Question,
  context: RequestContext,
  args: Values,
  { at, size }: { readonly at: string | undefined; readonly size: number },
): Promise<{ readonly objects: readonly ListedObject[]; readonly next?: string | undefined }> {
  const { listing, definition } = question;
  const { connection } = context;
  const { request, address } = listRequest(question, context, args);
  try {
    const { answer, next } = await pageAt(request, pageStyle(question, connection, size), at);
    for (const note of listing.notes?.(answer, connection, address) ?? []) context.log("warning", note);
    const objects = listing.items(answer).flatMap((item): ListedObject[] => {
      if (listing.isFolder?.(item)) return [];
      const own = addressIn(definition, listing, item, address);
      const [last = ""] = partsInPath(definition.life.reads.one).slice(-1);
      const name = listing.displayName?.(item, answer) ?? own.name ?? own[last] ?? "";
      const apart = listing.whyUnmanageable?.(item, answer, connection, address);
      return [
        { id: idOf(definition, connection, own, address), name, ...(apart !== undefined && { apart }) },
      ];
    });
    return { objects, next };
  } catch (error) {
    if (error instanceof NothingToList) return { objects: [] };
    if (!(error instanceof ServiceError)) throw error;
    const why = connection.service.whyMissing?.(error.words);
    throw why === undefined ? error : new Lacking(error.message, `${why} (${error.path})`);
  }
}

/**
 * The address of an item in a list: the item's own parts, and the request's parts for the rest.
 * @throws TypeError if a part of the address is missing
 */
function addressIn(
  definition: Definition,
  { itemContent, route }: Listing,
  item: Json,
  asked: Address,
): Address {
  const { one } = definition.life.reads;
  const own = itemContent === "keys" ? keyPart(one, route, item) : partsOf(definition, item);
  const address = { ...asked, ...own };
  const missing = partsInPath(one).filter((part) => address[part] === undefined);
  if (missing.length > 0) throw new TypeError(`an item of the list has no ${missing.join(", ")}`);
  return address;
}

/** A key is the part of the address that is in the path of a read but not of the list. */
function keyPart(one: Listing["route"], route: Listing["route"], key: Json): Address {
  const [part] = partsInPath(one).filter((name) => !partsInPath(route).includes(name));
  return part === undefined || typeof key !== "string" ? {} : { [part]: key };
}

function partsOf(definition: Definition, item: Json): Address {
  const body = isObject(item) ? item : {};
  const sent = fieldsOf(definition).filter(({ facts }) => isAddress(facts) && isSent(facts));
  const identity = sent.flatMap(({ name, wire }) => {
    const value = body[wire];
    return typeof value === "string" && value !== "" ? [[name, value] as const] : [];
  });
  return { ...Object.fromEntries(identity), ...partsFromResponse(definition.where, body) };
}

function inOrder(objects: readonly ListedObject[]): ListedObject[] {
  return [...objects].sort((one, other) => (one.id < other.id ? -1 : one.id > other.id ? 1 : 0));
}

const isAfter =
  (id: string) =>
  (object: ListedObject): boolean =>
    object.id > id;
