import { z } from "zod";
import { listElements } from "../http/paging";
import type { HttpRequest, HttpResponse } from "../http/request";
import { field } from "../language/facts";
import type { Listing } from "../language/listing";
import type { Address, Observation, Values } from "../language/object";
import type { Definition } from "../language/resource";
import { partsInPath } from "../language/route";
import { type RequestContext, withFullTimeout } from "../language/stepInput";
import { isObject, type Json } from "../value/json";
import type { Pattern } from "../value/path";
import { type AskedList, listArguments, listRequest, NothingToList, pageStyle } from "./asked";
import { defineFunction, type FunctionDefinition, functionFields, limitField } from "./define";
import { functionResult, type ReadOptions, shownFields } from "./read";

/** A list of a service, as its page in the specification describes it. */
export interface ListDefinition extends AskedList, Pick<FunctionDefinition, "token" | "doc" | "section"> {
  /** The result property that contains the elements, and the schema of one element. */
  readonly property: string;
  readonly element: z.ZodType;
  /** The members of the elements that are indexes; the pattern starts with `*` for each element. */
  readonly indexes?: readonly Pattern[];
  /** The function that yields the elements one by one. */
  readonly each: string;
  /** The information in the first page about the complete list: its fields, and how to read these. */
  readonly says?: {
    readonly fields: Readonly<Record<string, z.ZodType>>;
    of(page: HttpResponse, context: RequestContext): Values;
  };
  /** Runs before the first page: a wait for a change. */
  before?(context: RequestContext, args: Values, address: Address): Promise<void>;
  /** Extracts the elements from a page. */
  elements(page: HttpResponse, context: RequestContext, args: Values): readonly Json[];
}

/** The function that lists, either completely or one element after the other. */
export function listFunction(listing: ListDefinition): FunctionDefinition {
  const { token, doc, section, service, fields, rules, where, property, element, each, indexes } = listing;
  return defineFunction({
    token,
    doc,
    section,
    service,
    ...(rules && { rules }),
    where: { ...where, needed: partsInPath(listing.route) },
    fields: { ...fields, limit: limitField, ...functionFields },
    result: {
      [property]: field(z.array(element), {
        doc: "All elements of the list, at most `limit`.",
        ...(indexes && { indexes }),
      }),
      ...listing.says?.fields,
    },
    asks: {
      kind: "list",
      property,
      each,
      items: (context, args) => elementsOf(listing, context, args),
      collect: (context, args) => collect(listing, context, args),
    },
  });
}

/** The complete list, and the information about it from its first page. */
export async function collect(
  listing: ListDefinition,
  context: RequestContext,
  args: Values,
): Promise<Values> {
  const found: Json[] = [];
  let said: Values = {};
  const onFirstPage = (page: HttpResponse) => {
    said = listing.says?.of(page, context) ?? {};
  };
  for await (const item of elementsOf(listing, context, args, onFirstPage)) found.push(item);
  return { [listing.property]: found, ...said };
}

/**
 * Yields the elements of a list. Each page is requested when its first element is needed. If the elements are yielded one by
 * one, each page has the time limit of a call: a slow reader is not the server's fault.
 * @param onFirstPage for a list that is read completely, within the time of one call
 */
async function* elementsOf(
  listing: ListDefinition,
  context: RequestContext,
  args: Values,
  onFirstPage?: (page: HttpResponse) => void,
): AsyncGenerator<Json, void, void> {
  const { request, address } = listRequest(listing, context, args);
  await listing.before?.(context, args, address);
  const { deadline } = withFullTimeout(context);
  const { send } = context.connection;
  const reading = {
    ...request,
    send: (asked: HttpRequest) =>
      send({ ...asked, deadline: onFirstPage ? deadline : withFullTimeout(context).deadline }),
  };
  let left = typeof args.limit === "number" ? args.limit : Number.POSITIVE_INFINITY;
  const style = pageStyle(listing, context.connection);
  let isFirst = true;
  const elements = (page: HttpResponse) => {
    if (isFirst) onFirstPage?.(page);
    isFirst = false;
    return listing.elements(page, context, args);
  };
  try {
    for await (const item of listElements(reading, style, elements)) {
      yield item;
      left -= 1;
      if (left <= 0) return;
    }
  } catch (error) {
    if (!(error instanceof NothingToList)) throw error;
  }
}

/** The differences between two functions that list complete objects. */
interface ListedObjects extends Pick<ListDefinition, "doc" | "property">, Pick<ReadOptions, "more"> {
  /** Default: the definition's own section. */
  readonly section?: string;
  /** The objects on a page. Default: the items of the listing. */
  objects?(page: HttpResponse): readonly Observation["body"][];
  /** The address of an object in the list. */
  addressOf(body: Observation["body"]): Address;
}

/** The function that lists the objects of a definition, each with everything that the server returns. */
export function objectsFunction(
  definition: Definition,
  listing: Listing,
  { section = definition.section, objects, addressOf, more = {}, ...named }: ListedObjects,
): FunctionDefinition {
  const [service = "", type = ""] = definition.token.split(":");
  return listFunction({
    ...listArguments(definition, listing),
    ...named,
    token: `${service}:get${type}s`,
    section,
    each: `each${type}`,
    element: z.object({ ...shownFields(definition), ...more }),
    elements: (page) =>
      (objects?.(page) ?? listing.items(page).filter(isObject)).map((body) =>
        functionResult(definition, body, addressOf(body), more),
      ),
  });
}
