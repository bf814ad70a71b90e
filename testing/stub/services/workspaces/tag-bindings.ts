import { isObject, type JsonValue } from "../../json";
import type { StubResponse } from "../../service";
import { readResources, resourceList } from "./documents";
import { invalid } from "./errors";
import {
  answer,
  type Endpoint,
  type Operation,
  store,
  theAdministeredWorkspace,
  theWorkspace,
} from "./operation";
import { timestamp } from "./render";
import type { TagBinding, Workspace } from "./world";

const PATH = "/workspaces/:workspace_id/tag-bindings";

/** Key-value tags. A PATCH replaces all of them. */
export const tagBindingEndpoints: readonly Endpoint[] = [
  {
    method: "GET",
    path: PATH,
    section: "tag-bindings",
    handle: (operation) =>
      operation.switches.tagBindingsExist ? answerBindings(theWorkspace(operation)) : NO_ROUTE,
  },
  { method: "PATCH", path: PATH, section: "tag-bindings", handle: replace },
];

/** The router's response to an unknown path, which does not have the API's error form. */
export const NO_ROUTE: StubResponse = {
  status: 404,
  headers: { "content-type": "text/plain; charset=utf-8" },
  body: "404 page not found\n",
};

/** Replaces all key-value tags of the workspace. */
export function replaceTagBindings(
  operation: Operation,
  workspace: Workspace,
  data: JsonValue | undefined,
  pointer: string,
): Workspace {
  return { ...workspace, tagBindings: boundTags(operation, workspace, data, pointer) };
}

/** The key-value tags in a body. A key that the object already has keeps its ID. */
export function boundTags(
  operation: Operation,
  known: { readonly tagBindings: readonly TagBinding[] },
  data: JsonValue | undefined,
  pointer: string,
): readonly TagBinding[] {
  const seen = new Set<string>();
  return resourceList(data, "tag-bindings", pointer).map(({ attributes }, index) => {
    const { key, value } = isObject(attributes) ? attributes : {};
    if (typeof key !== "string" || key === "" || typeof value !== "string") {
      throw invalid({
        pointer: `${pointer}/${index}/attributes`,
        detail: "a tag binding needs key and value, both strings",
      });
    }
    if (seen.has(key)) {
      throw invalid({ pointer: `${pointer}/${index}/attributes/key`, detail: `key ${key} is given twice` });
    }
    seen.add(key);
    const before = known.tagBindings.find((binding) => binding.key === key);
    if (before !== undefined) return { ...before, value };
    return { id: operation.identifiers.fresh("tb"), key, value, createdAt: operation.request.now };
  });
}

function replace(operation: Operation): StubResponse {
  if (!operation.switches.tagBindingsExist) return NO_ROUTE;
  const workspace = theAdministeredWorkspace(operation);
  const data = readResources(operation.request, "tag-bindings");
  return answerBindings(store(operation, replaceTagBindings(operation, workspace, data, "/data")));
}

/** A response with the key-value tags of an object. */
export function answerBindings({ tagBindings }: Pick<Workspace, "tagBindings">): StubResponse {
  return answer({
    data: tagBindings.map(({ id, key, value, createdAt }) => ({
      id,
      type: "tag-bindings",
      attributes: { key, value, "created-at": timestamp(createdAt) },
    })),
  });
}
