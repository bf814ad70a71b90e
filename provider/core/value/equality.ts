import { equalJson, isObject, type Json } from "./json";
import { isKnown, type Value } from "./unknown";

/** Equal if null, "", [] and {} count as absent. An unknown value equals nothing. */
export function same(a: Value | undefined, b: Value | undefined): boolean {
  if (isEmpty(a) && isEmpty(b)) return true;
  return equalKnown(a, b);
}

/** Equal inside a document. An empty string counts as a value there, because it may be in a user's map. */
export function sameInDocument(a: Value | undefined, b: Value | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return equalKnown(a, b);
}

/** Equal and completely known. Checks equality first: it is cheaper, and equal values have the same unknown parts. */
function equalKnown(a: Value | undefined, b: Value | undefined): boolean {
  // Compares an unknown part like any value: it equals only itself.
  return equalJson(a as Json, b as Json) && isKnown(a);
}

/** True for absence, null, "", [] and {}, which all mean that nothing is set. */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.keys(value).length === 0;
}
