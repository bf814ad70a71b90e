import {
  type Address,
  errorOfRead,
  type HttpAnswer,
  isObject,
  isSuccess,
  type Json,
  type Link,
  NotFound,
  NotOfferedError,
  needsText,
  type ObjectHookContext,
  type Route,
  rightsFor,
  send,
  sendWrite,
  wordsIn,
} from "../../core";
import { document, toOne } from "./jsonApi";
import { workspaces } from "./service";

const tagsPath = "/workspaces/{workspaceId}/relationships/tags";
const bindingsPath = "/workspaces/{workspaceId}/tag-bindings";

/** The SSH key (specification: Assign SSH key, Unassign SSH key). */
const sshKey: Link = {
  field: "sshKeyId",
  write: (context, address, { to }) =>
    write(context, "PATCH", "/workspaces/{workspaceId}/relationships/ssh-key", address, {
      data: { type: "workspaces", attributes: { id: to === "" ? null : to } },
    }),
};

/** Flat tags (specification: Bind flat string tags, Delete flat tags). Others may add tags. */
const tagNames: Link = {
  field: "tagNames",
  async write(context, address, { from, to }) {
    const [before, after] = [wordsIn(from), wordsIn(to)];
    const added = after.filter((name) => !before.includes(name));
    const dropped = before.filter((name) => !after.includes(name));
    if (added.length > 0) await write(context, "POST", tagsPath, address, { data: added.map(tag) });
    if (dropped.length > 0) await write(context, "DELETE", tagsPath, address, { data: dropped.map(tag) });
  },
};

/** Key-value tags: a relationship in a create and in a removal; otherwise a separate request. */
const tagBindings: Link = {
  field: "tagBindings",
  isCreatedWith: true,
  async read(context, address) {
    const answer = await send(context, { method: "GET", path: bindingsPath }, address, { nature: "read" });
    if (answer.status === 404) throw notOffered(context, "GET", address);
    const shown = shownBindings(answer);
    if (!isSuccess(answer) || shown === undefined)
      throw errorOfRead(context, answer, { method: "GET", path: bindingsPath }, address);
    return shown;
  },
  write: (context, address, { from, to }) => {
    const isDropped = Object.keys(isObject(from) ? from : {}).some(
      (key) => !(isObject(to) && Object.hasOwn(to, key)),
    );
    const data = bindings(to);
    // A server may only add tags with the separate request. With the relationship, it replaces all tags.
    if (isDropped)
      return write(context, "PATCH", "/workspaces/{workspaceId}", address, {
        data: { type: "workspaces", relationships: { "tag-bindings": { data } } },
      });
    return write(context, "PATCH", bindingsPath, address, { data }, (answer) => areShown(to, answer));
  },
};

/** The parts of a workspace with their own requests. */
export const workspaceLinks: readonly Link[] = [sshKey, tagNames, tagBindings];

/** A workspace in a write: its project and its key-value tags are relationships. */
export const asDocument = document("workspaces", {
  "project-id": toOne("project", "projects"),
  "tag-bindings": { name: "tag-bindings", data: bindings },
});

/** Key-value tags in a request. */
export function bindings(map: Json): Json[] {
  return Object.entries(isObject(map) ? map : {}).map(([key, value]) => ({
    type: "tag-bindings",
    attributes: { key, value },
  }));
}

/** The key-value tags in a response; undefined if it contains no list. */
function shownBindings({ json }: HttpAnswer): Readonly<Record<string, Json>> | undefined {
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
function areShown(written: Json, answer: HttpAnswer): boolean {
  const shown = shownBindings(answer);
  return (
    shown !== undefined &&
    Object.entries(isObject(written) ? written : {}).every(([key, value]) => shown[key] === value)
  );
}

/**
 * Key-value tags are a late addition, and not every server has them. They are requested only right after a read or a write
 * of the workspace itself. A 404 therefore refers to the tags, or hides a missing permission.
 */
function notOffered(
  { connection }: ObjectHookContext,
  method: "GET" | "PATCH",
  address: Address,
): NotOfferedError {
  const { path, rights } = rightsFor(connection, { method, path: bindingsPath }, address);
  return new NotOfferedError(
    "tagBindings",
    `${method} ${workspaces.prefix}${path} returned 404, although the workspace exists. The server also returns 404 if a permission is missing. The token needs ${needsText(rights)}`,
  );
}

function tag(name: string): Json {
  return { type: "tags", attributes: { name } };
}

async function write(
  context: ObjectHookContext,
  method: "PATCH" | "POST" | "DELETE",
  path: string,
  address: Address,
  body: Json,
  isAnswered = ANSWERS[path] ? undefined : isOwn(address),
): Promise<void> {
  const answers = ANSWERS[path];
  const route: Route = { method, path, ...(answers && { answers }) };
  try {
    await sendWrite(context, route, address, { body, ...(isAnswered && { isAnswered }) });
  } catch (error) {
    if (path === bindingsPath && error instanceof NotFound) throw notOffered(context, "PATCH", address);
    throw error;
  }
}

/** True if a response is this workspace. */
function isOwn({ workspaceId }: Address): (answer: HttpAnswer) => boolean {
  return ({ json }) => workspaces.open(json ?? null).id === workspaceId;
}

/** The documented responses of these endpoints, if they do not return the workspace. */
const ANSWERS: Readonly<Record<string, NonNullable<Route["answers"]>>> = {
  [tagsPath]: "nothing",
  [bindingsPath]: ["data"],
};
