import {
  type Address,
  errorOfRead,
  type HttpResponse,
  isObject,
  isSuccess,
  type Json,
  type ObjectHookContext,
  type Observation,
  ownMember,
  type Search,
  type Site,
  send,
  stringIn,
  type Values,
} from "../../core";
import { namespaceOf, withoutSlashes } from "./namespaces";
import { isAbsent, keysAt, secrets } from "./service";

const { route: list } = keysAt("/identity/mfa/method/extidp");

/** Finds a method before it has an ID. A method without a name cannot be distinguished from others. */
export const byName: Search = {
  find: methodOfName,
  canFind: ({ methodName }) => methodName !== undefined,
};

/**
 * The method with this name in the current namespace. The list also contains the methods of parent namespaces; the method's
 * own namespace member excludes them.
 */
async function methodOfName(
  context: ObjectHookContext,
  address: Address,
  { methodName }: Values,
): Promise<Observation | undefined> {
  if (typeof methodName !== "string") return undefined;
  const { namespace } = address;
  const there: Address = namespace === undefined ? {} : { namespace };
  const answer = await send(context, list, there, { nature: "read" });
  if (isAbsent(answer)) return undefined;
  const { keys, key_info: info } = secrets.unwrap(answer.json ?? null);
  // An invalid list must not count as an empty one: the server would update the existing method.
  if (!isSuccess(answer) || !Array.isArray(keys)) throw errorOfRead(context, answer, list, there);
  const full = namespaceOf(context.connection.settings, there);
  const own = full === undefined ? undefined : withoutSlashes(full);
  for (const methodId of keys.map(stringIn)) {
    const shown = isObject(info) ? ownMember(info, methodId) : undefined;
    // Not every server returns the names in its list.
    if (isObject(shown) && shown.name !== methodName) continue;
    const found = await context.observe({ ...there, methodId });
    if (found?.body.name !== methodName) continue;
    // Without a namespace, the connection uses its token's namespace, which is unknown. It is safer to ask than to update.
    if (own === undefined || withoutSlashes(stringIn(found.body.namespace_path ?? "")) === own) return found;
  }
  return undefined;
}

/** The reason why a listed method does not belong to the namespace. The list also contains the methods of its parents. */
export function inParentNamespace(
  key: Json,
  { json }: HttpResponse,
  { settings }: Site,
  address: Address,
): string | undefined {
  const { key_info: info } = secrets.unwrap(json ?? null);
  const shown = isObject(info) ? ownMember(info, stringIn(key)) : undefined;
  const own = namespaceOf(settings, address);
  if (own === undefined || !isObject(shown)) return undefined;
  if (typeof shown.namespace_path !== "string") return undefined;
  const path = withoutSlashes(shown.namespace_path);
  return path === withoutSlashes(own)
    ? undefined
    : `the method belongs to the namespace ${path === "" ? "root" : path}; manage the method through a connection to that namespace`;
}
