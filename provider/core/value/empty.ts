import { isObject } from "./json";
import type { Value } from "./unknown";

/** Absence, null, "", [] and {} say the same: nothing. */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.keys(value).length === 0;
}

/** Whether a value holds nothing but empty values, at any depth. */
export function isHollow(value: Value | undefined): boolean {
  if (Array.isArray(value)) return value.every(isHollow);
  return isObject(value) ? Object.values(value).every(isHollow) : isEmpty(value);
}
