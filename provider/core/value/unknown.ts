import type { Json } from "./json";
import { memoByObject } from "./memo";

/** A value that a preview does not know yet. Each bridge translates its engine's own marker to and from it. */
export const UNKNOWN: unique symbol = Symbol("unknown");

/** A program's value: JSON in which any part may be {@link UNKNOWN}. */
export type Value = Json | typeof UNKNOWN | Value[] | { [key: string]: Value };

/** A program's inputs, by property name. */
export type Inputs = { readonly [property: string]: Value };

/** True if any part of a value is unknown. */
export function hasUnknown(value: unknown): boolean {
  if (value === UNKNOWN) return true;
  if (Array.isArray(value)) return value.some(hasUnknown);
  if (typeof value !== "object" || value === null) return false;
  // Iterates without a list of the members: a document may have a hundred thousand of them.
  for (const name in value) if (hasUnknown((value as Record<string, unknown>)[name])) return true;
  return false;
}

/** Narrows a value to JSON if no part of it is unknown. */
export function isKnown(value: Value | undefined): value is Json {
  if (value === undefined || value === UNKNOWN) return false;
  return typeof value !== "object" || value === null || isWhole(value);
}

/** The inputs that are completely known. */
export function knownAmong(inputs: Readonly<Record<string, Value | undefined>>): {
  readonly [property: string]: Json;
} {
  const entries = Object.entries(inputs).flatMap(([name, value]) =>
    isKnown(value) ? [[name, value] as const] : [],
  );
  return Object.fromEntries(entries);
}

/** Memoized, because callers check the same documents many times and the documents never change. */
const isWhole = memoByObject((value: object) => !hasUnknown(value));

/**
 * Narrows to a completely known value. Everything passes through this function before it is sent or recorded.
 * @throws TypeError if a part is unknown: an engine writes only once it knows every value
 */
export function asKnown<I extends Inputs>(inputs: I): I & { readonly [property: string]: Json };
export function asKnown(value: Value): Json;
export function asKnown(value: Value | Inputs): Json | { readonly [property: string]: Json } {
  // Returns inputs unchanged, including their metadata.
  if (isKnown(value as Value)) return value as Json;
  throw new TypeError("a value to write is still unknown");
}
