import { Call, type Host } from "../../provider/core/bridge/call";
import { stateOf } from "../../provider/core/bridge/records";
import { pages } from "../../provider/core/http/paging";
import type { HttpAnswer } from "../../provider/core/http/request";
import type { Carried, Listing } from "../../provider/core/language/listing";
import type { Address } from "../../provider/core/language/object";
import { type AnyDefinition, type Definition, livesAs } from "../../provider/core/language/resource";
import { partsInPath } from "../../provider/core/language/route";
import { type RequestContext, renewed } from "../../provider/core/language/stepInput";
import { askBlocking, queryMetaOf } from "../../provider/core/requests/blocking";
import { contextOf } from "../../provider/core/requests/context";
import { bodyIn, errorFrom, isSuccess } from "../../provider/core/requests/observe";
import { filledQuery } from "../../provider/core/requests/send";
import { carryingList, keyOf } from "../../provider/core/requests/shared/inList";
import { listRequestOf, type Watched, watched } from "../../provider/core/requests/watch";
import { parseRecords } from "../../provider/core/state/records";
import type { Json } from "../../provider/core/value/json";
import type { Held } from "../verdict";

/** What a list shows of the objects in it, as far as it tells whether one moved. */
export type Shown = ReadonlyMap<string, Json>;

/** A list that its service holds back until it is another one, and which shows a resource. */
export interface WaitingList {
  /** Resources with the same text are shown by the same list. */
  readonly list: string;
  /** Under what the resource stands in it. */
  readonly item: string;
  /**
   * What the list shows, at first and whenever that is another. It goes on through lost connections.
   * @param heard told of each answer what it shows, or why there is none
   * @throws what another try could not mend: a refused token
   */
  changes(
    signal: AbortSignal,
    heard: (failure: unknown, shown?: Shown) => void,
  ): AsyncGenerator<Shown, void, void>;
}

/** How long one question waits for a change: a connection that was lost without a word is noticed a little later. */
const WAIT = "60s";

/** How long a question that does not wait, and the pages after one that did, may take in milliseconds. */
const ANSWER_MS = 20_000;

/**
 * The list with blocking queries that shows a resource; undefined where there is none.
 * @throws ConfigurationError where the settings of its service cannot be used
 */
export function waitingListOf(definition: AnyDefinition, host: Host, held: Held): WaitingList | undefined {
  if (!livesAs(definition, "object")) return undefined;
  const listing = carryingList(definition.life.reads);
  const carries: Carried | undefined = listing?.carries;
  const outputs = stateOf(definition, held.outputs).values;
  const { applied = {}, address } = parseRecords(outputs) ?? {};
  const item = address && carries?.key(address);
  if (listing === undefined || carries?.waits !== true || address === undefined || item === undefined)
    return undefined;
  if (partsInPath(listing.route).some((part) => address[part] === undefined)) return undefined;
  const input = Call.listing(definition, { id: held.id, inputs: applied, outputs }, host).named.input();
  return {
    list: keyOf(input, listing, address),
    item,
    changes(signal, heard) {
      const opened = contextOf(definition, "read", { ...input, signal }, applied, outputs);
      const context = {
        ...opened,
        deadline: input.connection.runtime.now() + ANSWER_MS,
        callTimeoutMs: ANSWER_MS,
      };
      return watched(context, async (index, now) => {
        try {
          const found = await shownBy({ definition, listing, carries }, now, address, index);
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
  readonly carries: Carried;
}

/** Waits for what comes after an index; a list with pages by a small question, after which it is read whole. */
async function shownBy(
  { definition, listing, carries }: Asked,
  context: RequestContext,
  address: Address,
  index: string | undefined,
): Promise<Watched<Shown>> {
  const { connection } = context;
  const { route } = listing;
  const divided = carries.pages ?? listing.pages;
  const style = typeof divided === "function" ? divided(connection) : divided;
  const small = style.by === "token" ? { [style.sizeParameter ?? "per_page"]: "1" } : {};
  const waiting = index === undefined ? {} : { index, wait: WAIT };
  const answer = await askBlocking(context, { route, address, query: small }, waiting);
  if (!isSuccess(answer)) throw errorFrom(context, answer, route, address);
  const value = new Map<string, Json>();
  const take = (page: HttpAnswer) => {
    for (const [key, item] of carries.answers(page, connection))
      value.set(key, provenBy(definition, carries, item));
  };
  if (style.by === "whole") take(answer);
  else {
    const whole = listRequestOf(renewed(context), route, address, filledQuery(route.query ?? {}, address));
    for await (const page of pages(whole, style)) take(page);
  }
  return {
    value,
    shows: [...value].map((entry): Json => [...entry]),
    index: queryMetaOf(context, answer).index,
  };
}

/** What of an item proves that its object is as it was: all of it, where nothing less is said to. */
function provenBy(definition: Definition, { unmovedBy }: Carried, item: Json): Json {
  if (unmovedBy === undefined) return item;
  const body = bodyIn(definition, item);
  const token = definition.life.check?.token;
  return [...unmovedBy, ...(token === undefined ? [] : [token])].map((member) => body[member] ?? null);
}
