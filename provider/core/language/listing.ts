import type { z } from "zod";
import type { PageStyle } from "../http/paging";
import type { HttpAnswer } from "../http/request";
import type { Json } from "../value/json";
import type { Address, Observation, Values } from "./object";
import type { Route } from "./route";
import type { Rule } from "./rules";
import type { Site } from "./service";

/**
 * How a service lists its objects of a type: the one description for the function that a program calls, and for an engine
 * that asks what there is.
 */
export interface Listing {
  readonly route: Route;
  /** What an item is: the last part of the object's address, or the object by its members, some of them or all. */
  readonly holds: "keys" | "stubs" | "whole";
  readonly pages: PageStyle | ((site: Site) => PageStyle);
  /** What narrows it, beside the parts of the address that its request takes. */
  readonly narrowing: Readonly<Record<string, z.ZodType>>;
  readonly rules?: readonly Rule[];
  /** The query parameters that narrow it. */
  query?(asked: Values): Readonly<Record<string, string | undefined>>;
  /**
   * The items of a page: keys, or what a read of the object would answer of it.
   * @throws TypeError for what is no list: it must not read as an empty one.
   */
  items(page: HttpAnswer): readonly Json[];
  /** Whether a refusal says that there is nothing to list. */
  isNone?(answer: HttpAnswer): boolean;
  /** Whether an item is no object, but a folder with further ones. */
  isFolder?(item: Json): boolean;
  /** What people call an item; by itself the last part of its address. */
  called?(item: Json, page: HttpAnswer): string | undefined;
  /** Why an item is in no program's hands, so that nothing imports it; undefined where it may be. */
  apart?(item: Json, page: HttpAnswer, site: Site, address: Address): string | undefined;
  /** What there is to tell of a page: that something was left out of it. */
  notes?(page: HttpAnswer, site: Site, address: Address): readonly string[];
  /** What a refresh can take from it, so that it need not ask for each object; nothing where it only names them. */
  readonly carries?: Carried;
}

/** What a list shows of the objects in it. */
export interface Carried {
  /** How a refresh has it divided, where it is otherwise than for people. */
  readonly pages?: Listing["pages"];
  /** Under what an object stands in `answers`; undefined where its address does not tell. */
  key(address: Address): string | undefined;
  /** What a page holds, each by its key: what the object's own read would answer, or as much as `unmovedBy` says. */
  answers(page: HttpAnswer, site: Site): Iterable<readonly [key: string, answer: Json]>;
  /** Whether the service holds an answer back until the list is another one, by an index (blocking queries). */
  readonly waits?: true;
  /** The right that it takes, where the specification tells and it is another one than a read's. */
  readonly right?: string;
  /**
   * Members that prove together with the check-and-set token that an object is as it was, where the list shows no more of
   * it: they are kept in the records.
   */
  readonly unmovedBy?: readonly [string, ...string[]];
}

/**
 * What a service says of a write before it is made, asked for in a preview: once for each object that is to be written, and
 * never by what writes it.
 */
export interface Forecast {
  /** The request. It changes nothing, and so is sent as a read is. */
  readonly asks: Route;
  /** The input that turns it off with `false`, and the setting of the connection of the same name. */
  readonly unless: string;
  /** The request's body, made of the whole body that the write will carry. */
  body(write: Observation["body"]): Json;
  /** The members that are in every answer; without them it is none. */
  readonly answers: readonly string[];
  /** What an answer says, for the person who reads the preview. */
  says(answer: Observation["body"], about: Forecasted): readonly ForecastLine[];
}

/** A write that is to come. */
export interface Forecasted {
  readonly inputs: Values;
  /** What the program wrote at our last write; nothing where it is to be created. */
  readonly applied?: Values;
  /** The token that the write will carry, where it is the one of an object that was read. */
  readonly token?: string;
  /** Whether a create takes over what is just what the program writes. */
  readonly adoptsIdentical: boolean;
}

/** One thing that a forecast says; a text of several lines is shown as one. */
export interface ForecastLine {
  readonly kind: "info" | "warning";
  readonly text: string;
}
