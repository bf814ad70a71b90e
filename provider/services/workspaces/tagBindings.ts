import {
  type Address,
  errorOfRead,
  type HttpResponse,
  isObject,
  isSuccess,
  type Json,
  type Link,
  NotFound,
  NotOfferedError,
  needsText,
  type ObjectHookContext,
  permissionsFor,
  type Route,
  send,
  sendWrite,
} from "../../core";
import { entriesByKey } from "./jsonApi";
import { workspaces } from "./service";

/** The key-value tags in a document that creates or updates their object. */
export const bindingsRelationship = { "tag-bindings": { name: "tag-bindings", data: bindings } };

/** Key-value tags: a relationship in a create and in a removal; otherwise a separate request. */
export function tagBindingsOf(type: "workspaces" | "projects", part: string): Link {
  const one = `/${type}/{${part}}`;
  const list = `${one}/tag-bindings`;
  const noun = type === "workspaces" ? "workspace" : "project";

  async function write(
    context: ObjectHookContext,
    route: Route,
    address: Address,
    body: Json,
    isAnswered: (answer: HttpResponse) => boolean,
  ): Promise<void> {
    try {
      await sendWrite(context, route, address, { body, isAnswered });
    } catch (error) {
      if (route.path === list && error instanceof NotFound) throw notOffered(context, "PATCH", address);
      throw error;
    }
  }

  /**
   * Key-value tags are a late addition, and not every server has them. They are requested only right after a read or a write
   * of their object. A 404 therefore refers to the tags, or hides a missing permission.
   */
  function notOffered({ connection }: ObjectHookContext, method: "GET" | "PATCH", address: Address) {
    const { path, permissions } = permissionsFor(connection, { method, path: list }, address);
    return new NotOfferedError(
      "tagBindings",
      `${method} ${workspaces.prefix}${path} returned 404, although the ${noun} exists. The server also returns 404 if a permission is missing. The token needs ${needsText(permissions)}`,
    );
  }

  return {
    field: "tagBindings",
    isCreatedWith: true,
    async read(context, address) {
      const answer = await send(context, { method: "GET", path: list }, address, { nature: "read" });
      if (answer.status === 404) throw notOffered(context, "GET", address);
      const shown = shownBindings(answer);
      if (!isSuccess(answer) || shown === undefined)
        throw errorOfRead(context, answer, { method: "GET", path: list }, address);
      return shown;
    },
    write: (context, address, { from, to }) => {
      const isDropped = Object.keys(isObject(from) ? from : {}).some(
        (key) => !(isObject(to) && Object.hasOwn(to, key)),
      );
      const data = bindings(to);
      // A server may only add tags with the separate request. With the relationship, it replaces all tags.
      if (isDropped)
        return write(
          context,
          { method: "PATCH", path: one },
          address,
          { data: { type, relationships: { "tag-bindings": { data } } } },
          ({ json }) => workspaces.unwrap(json ?? null).id === address[part],
        );
      return write(context, { method: "PATCH", path: list, expects: ["data"] }, address, { data }, (answer) =>
        areShown(to, answer),
      );
    },
  };
}

/** Key-value tags in a request. */
export function bindings(map: Json): Json[] {
  return entriesByKey(map).map((attributes) => ({ type: "tag-bindings", attributes }));
}

/** The key-value tags in a response; undefined if it contains no list. */
function shownBindings({ json }: HttpResponse): Readonly<Record<string, Json>> | undefined {
  const list = isObject(json) ? json.data : undefined;
  if (!Array.isArray(list)) return undefined;
  return Object.fromEntries(
    list.flatMap((binding) => {
      const attributes = isObject(binding) && isObject(binding.attributes) ? binding.attributes : {};
      return typeof attributes.key === "string" ? [[attributes.key, attributes.value ?? ""]] : [];
    }),
  );
}

/** True if a response lists all of these key-value tags. */
function areShown(written: Json, answer: HttpResponse): boolean {
  const shown = shownBindings(answer);
  return (
    shown !== undefined &&
    Object.entries(isObject(written) ? written : {}).every(([key, value]) => shown[key] === value)
  );
}
