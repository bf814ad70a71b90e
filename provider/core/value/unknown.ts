import type { Json } from "./json";

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
  return typeof value === "object" && value !== null && Object.values(value).some(hasUnknown);
}

/** Narrows a value to JSON where no part of it is unknown. */
export function isKnown(value: Value | undefined): value is Json {
  return value !== undefined && !hasUnknown(value);
}
