import type { Json } from "./json";
import { memoByObject } from "./memo";

/** A value that a preview cannot know yet. Each bridge translates its engine's own marker to and from it. */
export const UNKNOWN: unique symbol = Symbol("unknown");

/** A program's value: JSON in which any part may be {@link UNKNOWN}. */
export type Value = Json | typeof UNKNOWN | Value[] | { [key: string]: Value };

/** A program's inputs, by property name. */
export type Inputs = { readonly [property: string]: Value };

/** Whether any part of a value is unknown. */
export function hasUnknown(value: unknown): boolean {
  if (value === UNKNOWN) return true;
  if (Array.isArray(value)) return value.some(hasUnknown);
  if (typeof value !== "object" || value === null) return false;
  // Without a list of what is in it: a document may have a hundred thousand members.
  for (const name in value) if (hasUnknown((value as Record<string, unknown>)[name])) return true;
  return false;
}

/** Narrows a value to JSON where no part of it is unknown. */
export function isKnown(value: Value | undefined): value is Json {
  if (value === undefined || value === UNKNOWN) return false;
  return typeof value !== "object" || value === null || isWhole(value);
}

/** The wholly known values among these. */
export function knownAmong(inputs: Inputs): { readonly [property: string]: Json } {
  const entries = Object.entries(inputs).flatMap(([name, value]) =>
    isKnown(value) ? [[name, value] as const] : [],
  );
  return Object.fromEntries(entries);
}

/** Memoized, because the same documents are asked about many times and never change. */
const isWhole = memoByObject((value: object) => !hasUnknown(value));

/**
 * A value as wholly known: whatever is sent or recorded passes through here first.
 * @throws TypeError where a part is unknown: an engine writes only once it knows
 */
export function known(inputs: Inputs): { readonly [property: string]: Json };
export function known(value: Value): Json;
export function known(value: Value | Inputs): Json | { readonly [property: string]: Json } {
  // Inputs are returned as they are, their aside included.
  if (isKnown(value as Value)) return value as Json;
  throw new TypeError("a value is not known yet where it is to be written");
}
