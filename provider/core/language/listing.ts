import type { z } from "zod";
import type { PageStyle } from "../http/paging";
import type { MessageFacts } from "../http/remedies";
import type { HttpResponse } from "../http/request";
import type { Json } from "../value/json";
import type { Address, Observation, Values } from "./object";
import type { Route } from "./route";
import type { Rule } from "./rules";
import type { Site } from "./service";

/**
 * How a service lists its objects of a type. Functions that programs call and engine queries for existing objects share this
 * description.
 */
export interface Listing {
  readonly route: Route;
  /** The content of an item: the last part of the object's address, or members of the object, either a subset or all. */
  readonly itemContent: "keys" | "stubs" | "whole";
  readonly pages: PageStyle | ((site: Site) => PageStyle);
  /** Inputs that filter the list, in addition to the address parts that its request needs. */
  readonly filters: Readonly<Record<string, z.ZodType>>;
  readonly rules?: readonly Rule[];
  /** The query parameters that filter the list. */
  query?(asked: Values): Readonly<Record<string, string | undefined>>;
  /**
   * The items of a page: keys, or the response that a read of each object would return.
   * @throws TypeError if the response is not a list, because it must not look like an empty list.
   */
  items(page: HttpResponse): readonly Json[];
  /** True if a rejection means that the list is empty. */
  isEmptyList?(answer: HttpResponse): boolean;
  /** True if an item is a folder with further items instead of an object. */
  isFolder?(item: Json): boolean;
  /** The display name of an item. Default: the last part of its address. */
  displayName?(item: Json, page: HttpResponse): string | undefined;
  /** Why no program can manage an item, so that nothing imports it; undefined if a program can. */
  whyUnmanageable?(item: Json, page: HttpResponse, site: Site, address: Address): string | undefined;
  /** Notes about a page, such as omitted items. */
  notes?(page: HttpResponse, site: Site, address: Address): readonly string[];
  /**
   * The data that a refresh can take from the list instead of reading each object; unset if the list only names the objects.
   */
  readonly refreshData?: RefreshData;
}

/** The object data in a list. */
export interface RefreshData {
  /** The page style for a refresh, if it differs from the style for people. */
  readonly pages?: Listing["pages"];
  /** The object's key in `answers`; undefined if its address does not determine the key. */
  key(address: Address): string | undefined;
  /** The objects of a page by key: the response that the object's own read would return, or only the members in `unmovedBy`. */
  responses(page: HttpResponse, site: Site): Iterable<readonly [key: string, answer: Json]>;
  /** The service can delay its response until the list changes, by an index (blocking queries). */
  readonly hasBlockingQueries?: true;
  /** The permission that the list requires, if the specification documents one that differs from a read's. */
  readonly permission?: string;
  /**
   * Members that prove, together with the check-and-set token, that an object is unchanged, if the list shows no more of it.
   * The records store them.
   */
  readonly unchangedMembers?: readonly [string, ...string[]];
}

/**
 * The server's plan (dry run) for a write, requested in a preview. A preview requests it once for each object to write; the
 * write itself never does.
 */
export interface Forecast {
  /** The request. It changes nothing, so it is sent like a read. */
  readonly request: Route;
  /** The input that disables the plan with `false`, and the connection setting of the same name. */
  readonly disabledBy: string;
  /** The request's body, built from the complete body of the future write. */
  body(write: Observation["body"]): Json;
  /** The members that every plan contains. A response without them is not a plan. */
  readonly expects: readonly string[];
  /** The messages of a plan for the reader of the preview. */
  messages(answer: Observation["body"], about: ForecastInput): readonly ForecastLine[];
}

/** A planned write. */
export interface ForecastInput {
  readonly inputs: Values;
  /** The program's inputs at our last write; unset before a create. */
  readonly applied?: Values;
  /** The token that the write will carry, if it is the token of an object that was read. */
  readonly token?: string;
  /** True if a create adopts an object that is identical to the program's. */
  readonly adoptsIdentical: boolean;
}

/** One message of a plan. A text with several lines is one message. */
export interface ForecastLine {
  readonly kind: "info" | "warning";
  readonly text: string;
  readonly facts?: MessageFacts;
}
