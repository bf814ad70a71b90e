/** A value of a JSON body. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

export type JsonObject = { readonly [key: string]: JsonValue };

/** A parsed JSON object. */
export type Members = { readonly [member: string]: unknown };

/** True for a JSON object: not a list, not null. */
export function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The own member of that name; undefined for an inherited one such as `constructor`. */
export function ownOf<Member>(all: Readonly<Record<string, Member>>, name: string): Member | undefined {
  return Object.hasOwn(all, name) ? all[name] : undefined;
}
