/** What a JSON body can hold. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

export type JsonObject = { readonly [key: string]: JsonValue };

/** What JSON calls an object, as it was parsed. */
export type Members = { readonly [member: string]: unknown };

/** True for what JSON calls an object: no list, not null. */
export function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The member of that name; nothing where it is only inherited, as `constructor` is. */
export function ownOf<Member>(all: Readonly<Record<string, Member>>, name: string): Member | undefined {
  return Object.hasOwn(all, name) ? all[name] : undefined;
}
