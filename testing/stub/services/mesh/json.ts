/** What JSON calls an object, as it was parsed. */
export type Members = { readonly [member: string]: unknown };

/** True for what JSON calls an object: no list, not null. */
export function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
