import { isObject, type Json } from "./json";

/** Absence, null, "", [] and {} say the same: nothing. */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.keys(value).length === 0;
}

/** Whether nothing in a value says anything, however deep. */
export function isHollow(value: Json | undefined): boolean {
  if (Array.isArray(value)) return value.every(isHollow);
  return isObject(value) ? Object.values(value).every(isHollow) : isEmpty(value);
}
