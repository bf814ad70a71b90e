import { Call, type Host } from "../../../provider/core/bridge/call";
import { stateOf } from "../../../provider/core/bridge/records";
import { pages } from "../../../provider/core/http/paging";
import { type HttpResponse, isSuccess } from "../../../provider/core/http/request";
import type { Listing, RefreshData } from "../../../provider/core/language/listing";
import type { Address } from "../../../provider/core/language/object";
import { type AnyDefinition, type Definition, hasLifecycle } from "../../../provider/core/language/resource";
import { partsInPath } from "../../../provider/core/language/route";
import { type RequestContext, withFullTimeout } from "../../../provider/core/language/stepInput";
import { askBlocking, queryMetaOf } from "../../../provider/core/requests/blocking";
import { contextOf } from "../../../provider/core/requests/context";
import { bodyIn, errorFrom } from "../../../provider/core/requests/observe";
import { filledQuery } from "../../../provider/core/requests/send";
import { carryingList, sharedKey } from "../../../provider/core/requests/shared/inList";
import { listRequestOf, type Watched, watchValue } from "../../../provider/core/requests/watch";
import { parseRecords } from "../../../provider/core/state/records";
import type { Json } from "../../../provider/core/value/json";
import { NO_INPUTS } from "../../../provider/core/value/programInputs";
import type { StateResource } from "../verdict";

/** The objects in a list, with the values that show whether one changed. */
export type ListSnapshot = ReadonlyMap<string, Json>;

/** A list with blocking queries that contains a resource. */
export interface WaitingList {
  /** Resources with the same text are in the same list. */
  readonly list: string;
  /** The key of the resource in the list. */
  readonly item: string;
  /**
   * Yields the list at first and after every change. It continues through lost connections.
   * @param heard receives the list of each response, or the error
   * @throws errors that a retry cannot fix, such as a refused token
   */
  changes(
    signal: AbortSignal,
    heard: (failure: unknown, shown?: ListSnapshot) => void,
  ): AsyncGenerator<ListSnapshot, void, void>;
}

/** How long one blocking query waits for a change. A connection that was lost silently is noticed a little later. */
const WAIT = "60s";

/** Timeout in milliseconds for a query that does not block, and for the pages after a blocking query. */
const ANSWER_MS = 20_000;

/**
 * The list with blocking queries that contains a resource; undefined if there is no such list.
 * @throws ConfigurationError if the settings of its server cannot be used
 */
export function waitingListOf(
  definition: AnyDefinition,
  host: Host,
  held: StateResource,
): WaitingList | undefined {
  if (!hasLifecycle(definition, "object")) return undefined;
  const listing = carryingList(definition.life.reads);
  const carries: RefreshData | undefined = listing?.refreshData;
  const outputs = stateOf(definition, held.outputs).values;
  const { lastApplied = NO_INPUTS, address } = parseRecords(outputs) ?? {};
  const item = address && carries?.key(address);
  if (
    listing === undefined ||
    carries?.hasBlockingQueries !== true ||
    address === undefined ||
    item === undefined
  )
    return undefined;
  if (partsInPath(listing.route).some((part) => address[part] === undefined)) return undefined;
  const input = Call.listing(definition, { id: held.id, inputs: lastApplied, outputs }, host).named.input();
  return {
    list: sharedKey("list", input, listing.route, address),
    item,
    changes(signal, heard) {
      const opened = contextOf(definition, "read", { ...input, signal }, lastApplied, outputs);
      const context = {
        ...opened,
        deadline: input.connection.runtime.now() + ANSWER_MS,
        callTimeoutMs: ANSWER_MS,
      };
      return watchValue(context, async (index, now) => {
        try {
          const found = await waitForChange({ definition, listing, carries }, now, address, index);
          heard(undefined, found.value);
          return found;
        } catch (error) {
          heard(error);
          throw error;
        }
      });
    },
  };
}

interface Asked {
  readonly definition: Definition;
  readonly listing: Listing;
  readonly carries: RefreshData;
}

/** Waits for a change after an index. For a paged list, a small query waits, and then all pages are read. */
async function waitForChange(
  { definition, listing, carries }: Asked,
  context: RequestContext,
  address: Address,
  index: string | undefined,
): Promise<Watched<ListSnapshot>> {
  const { connection } = context;
  const { route } = listing;
  const divided = carries.pages ?? listing.pages;
  const style = typeof divided === "function" ? divided(connection) : divided;
  const small = style.by === "token" ? { per_page: "1" } : {};
  const waiting = index === undefined ? {} : { index, wait: WAIT };
  const answer = await askBlocking(context, { route, address, query: small }, waiting);
  if (!isSuccess(answer)) throw errorFrom(context, answer, route, address);
  const value = new Map<string, Json>();
  const take = (page: HttpResponse) => {
    for (const [key, item] of carries.responses(page, connection))
      value.set(key, provenBy(definition, carries, item));
  };
  if (style.by === "whole") take(answer);
  else {
    const whole = listRequestOf(
      withFullTimeout(context),
      route,
      address,
      filledQuery(route.query ?? {}, address),
    );
    for await (const page of pages(whole, style)) take(page);
  }
  return {
    value,
    shows: [...value].map((entry): Json => [...entry]),
    index: queryMetaOf(context, answer).index,
  };
}

/** The values of an item that prove that its object is unchanged: the complete item if the definition names no members. */
function provenBy(definition: Definition, { unchangedMembers }: RefreshData, item: Json): Json {
  if (unchangedMembers === undefined) return item;
  const body = bodyIn(definition, item, {});
  const token = definition.life.check?.token;
  return [...unchangedMembers, ...(token === undefined ? [] : [token])].map((member) => body[member] ?? null);
}
