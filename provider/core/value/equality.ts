import { equalJson, isObject, type Json } from "./json";
import { isKnown, type Value } from "./unknown";

/** Equal, where null, "", [] and {} are one with absence. An unknown value equals nothing. */
export function same(a: Value | undefined, b: Value | undefined): boolean {
  if (isEmpty(a) && isEmpty(b)) return true;
  return equalKnown(a, b);
}

/** Equal inside a document, where an empty text is a value like any other: it may stand in a map of the user's. */
export function sameInDocument(a: Value | undefined, b: Value | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return equalKnown(a, b);
}

/** Equal and wholly known. Equality is asked first: it is cheaper, and equal values have their unknown parts in common. */
function equalKnown(a: Value | undefined, b: Value | undefined): boolean {
  // An unknown part is compared like any value here: it is equal to itself alone.
  return equalJson(a as Json, b as Json) && isKnown(a);
}

/** Absence, null, "", [] and {} say the same: nothing. */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.keys(value).length === 0;
}
