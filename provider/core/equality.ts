import { equalJson, type Json } from "./json";
import { isEmpty } from "./model";
import { hasUnknown, type Value } from "./unknown";

/** Equal, where null, "", [] and {} are one with absence. An unknown value equals nothing. */
export function same(a: Value | undefined, b: Value | undefined): boolean {
  if (isEmpty(a) && isEmpty(b)) return true;
  if (hasUnknown(a) || hasUnknown(b)) return false;
  return equalJson(a as Json, b as Json);
}

/** Equal inside a document, where an empty text is a value like any other: it may stand in a map of the user's. */
export function sameInDocument(a: Value | undefined, b: Value | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return !hasUnknown(a) && !hasUnknown(b) && equalJson(a as Json, b as Json);
}
