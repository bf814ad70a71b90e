import {
  type Address,
  errorOfRead,
  type HttpAnswer,
  isObject,
  isSuccess,
  type Json,
  type ObjectHookContext,
  type Observation,
  ownMember,
  type Search,
  type Site,
  send,
  type Values,
  wordIn,
} from "../../core";
import { namespaceOf, withoutSlashes } from "./namespaces";
import { isAbsent, keysAt, secrets } from "./service";

const { route: list } = keysAt("/identity/mfa/method/extidp");

/** How a method is found before it has an id: one without a name cannot be told from others. */
export const byName: Search = {
  find: methodOfName,
  canFind: ({ methodName }) => methodName !== undefined,
};

/**
 * The method of this name in the current namespace. The list also shows methods of parent namespaces, which are
 * not ours: they are told apart by the namespace that the method itself names.
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
  const { keys, key_info: info } = secrets.open(answer.json ?? null);
  // What is no list must not read as an empty one: the service would update the method that is there.
  if (!isSuccess(answer) || !Array.isArray(keys)) throw errorOfRead(context, answer, list, there);
  const full = namespaceOf(context.connection.settings, there);
  const own = full === undefined ? undefined : withoutSlashes(full);
  for (const methodId of keys.map(wordIn)) {
    const shown = isObject(info) ? ownMember(info, methodId) : undefined;
    // Not every service tells the names in its list.
    if (isObject(shown) && shown.name !== methodName) continue;
    const found = await context.observe({ ...there, methodId });
    if (found?.body.name !== methodName) continue;
    // Without a namespace of its own the connection is in its token's, which may be any: better to ask than to update.
    if (own === undefined || withoutSlashes(wordIn(found.body.namespace_path ?? "")) === own) return found;
  }
  return undefined;
}

/** Why a method in the list of a namespace is not the namespace's own: the list shows those of its parents, too. */
export function inParentNamespace(
  key: Json,
  { json }: HttpAnswer,
  { settings }: Site,
  address: Address,
): string | undefined {
  const { key_info: info } = secrets.open(json ?? null);
  const shown = isObject(info) ? ownMember(info, wordIn(key)) : undefined;
  const own = namespaceOf(settings, address);
  if (own === undefined || !isObject(shown)) return undefined;
  if (typeof shown.namespace_path !== "string") return undefined;
  const path = withoutSlashes(shown.namespace_path);
  return path === withoutSlashes(own)
    ? undefined
    : `it is of the namespace ${path === "" ? "root" : path}, which a connection to that one manages`;
}
