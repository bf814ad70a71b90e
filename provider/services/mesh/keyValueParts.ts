import {
  type Address,
  elementsIn,
  get,
  type HttpResponse,
  isObject,
  type Json,
  type Listing,
  returnedIndex,
  textIn,
  wholeIn,
  whyNoName,
} from "../../core";
import { inPlace as query } from "./service";

export const indexIn = (index: Json | undefined): bigint => wholeIn(index) ?? 0n;

/** The operation's result in the response to a transaction. */
function resultIn({ json }: HttpResponse): { readonly [member: string]: Json } {
  const [result] = isObject(json) && Array.isArray(json.Results) ? json.Results : [];
  return isObject(result) && isObject(result.KV) ? result.KV : {};
}

/** Why Consul stores a key but does not return it: it cleans the path of a read, and rejects some names only there. */
export function whyUnreadable(key: string): string | undefined {
  if (key.endsWith("/")) return "must not end with a slash";
  if (key.startsWith(" ") || key.endsWith(" ")) return "must not start or end with a space";
  return /%(20|2e%2e)/i.test(key)
    ? "must not contain %20 or %2E%2E: Consul rejects encoded spaces and dots"
    : undefined;
}

const keyIn = (entry: Json | undefined) => (isObject(entry) ? (textIn(entry.Key) ?? "") : "");

/**
 * Lists the keys of a datacenter that the token may read, with their values. A refresh does not use this list: it could be
 * much larger than the keys of a stack.
 */
export const keys = {
  route: get("/kv/", { query: { recurse: "true", ...query } }),
  itemContent: "whole",
  pages: { by: "whole" },
  filters: {},
  isEmptyList: ({ status, text }) => status === 404 && text === "",
  items: ({ json }) => elementsIn(json),
  displayName: keyIn,
  whyUnmanageable: (entry) => whyNoName(keyIn(entry)) ?? whyUnreadable(keyIn(entry)),
} as const satisfies Listing;

/** The members of an operation that locate its key. */
export function placeIn({ key = "", namespace, partition }: Address): Readonly<Record<string, Json>> {
  return {
    Key: key,
    ...(namespace !== undefined && { Namespace: namespace }),
    ...(partition !== undefined && { Partition: partition }),
  };
}

/** The check-and-set of a key by its `ModifyIndex`. */
export const indexOfKey = returnedIndex({
  token: "ModifyIndex",
  // A delete has the parameter. A transaction ignores it, and names the index in its operation.
  requestParts: (token) => ({ query: { cas: token } }),
  returnedToken: (answer) => wholeIn(resultIn(answer).ModifyIndex)?.toString(),
  isOwn: (named, { CreateIndex: created, ModifyIndex: latest }, planned = "0") =>
    [created, planned].every((index) => BigInt(named) >= indexIn(index)) && BigInt(named) <= indexIn(latest),
  isUnchangedSince: (named, { ModifyIndex: latest }) => textIn(latest) === named,
  // Consul stores no earlier versions.
  versions: async () => [],
  alsoChangedBy: "a session that acquires or releases the lock of the key",
});
