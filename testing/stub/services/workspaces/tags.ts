import { isObject, type JsonObject, type JsonValue } from "../../json";
import type { StubResponse } from "../../service";
import { readResources, resourceList } from "./documents";
import { invalid, notFound } from "./errors";
import {
  answer,
  type Endpoint,
  NO_CONTENT,
  type Operation,
  store,
  theAdministeredWorkspace,
  theWorkspace,
} from "./operation";
import { page } from "./paging";
import { timestamp } from "./render";
import type { Tag, Workspace } from "./world";

/** HCP Terraform's documented format of a flat tag; it begins and ends with a letter or a digit. */
const FORMAT = /^[a-z0-9]([a-z0-9_:-]*[a-z0-9])?$/;

const PATH = "/workspaces/:workspace_id/relationships/tags";

/** Flat string tags: list, bind to a workspace, and delete from it. The server lower-cases their names. */
export const tagEndpoints: readonly Endpoint[] = [
  { method: "GET", path: PATH, section: "List flat tags", handle: list },
  { method: "POST", path: PATH, section: "Bind flat string tags", handle: bind },
  { method: "DELETE", path: PATH, section: "Delete flat tags", handle: unbind },
];

/** Adds tags to the workspace, each given by name or by ID. */
export function bindTags(
  operation: Operation,
  workspace: Workspace,
  data: JsonValue | undefined,
  pointer: string,
): Workspace {
  const ids = resourceList(data, "tags", pointer).map((item, index) => {
    const found = findTag(operation, workspace, item);
    if (found !== undefined) return found.id;
    const name = nameOf(item);
    if (name === undefined) {
      if (typeof item.id === "string") throw notFound();
      throw invalid({ pointer: `${pointer}/${index}/attributes/name`, detail: "Name can't be blank" });
    }
    if (name.length > 255 || !FORMAT.test(name)) {
      throw invalid({
        pointer: `${pointer}/${index}/attributes/name`,
        detail: "Tags must only contain letters, numbers, colons, hyphens or underscores",
      });
    }
    return createTag(operation, workspace.organization, name).id;
  });
  return { ...workspace, tags: [...new Set([...workspace.tags, ...ids])] };
}

function list(operation: Operation): StubResponse {
  const { request, world } = operation;
  const workspace = theWorkspace(operation);
  const tags = workspace.tags.flatMap((id) => world.tags.get(id) ?? []);
  return answer(page(request, tags, (tag) => render(operation, tag)));
}

function bind(operation: Operation): StubResponse {
  const workspace = theAdministeredWorkspace(operation);
  const data = readResources(operation.request, "tags");
  store(operation, bindTags(operation, workspace, data, "/data"));
  return NO_CONTENT;
}

function unbind(operation: Operation): StubResponse {
  const workspace = theAdministeredWorkspace(operation);
  const unwanted = readResources(operation.request, "tags").map(
    (item) => findTag(operation, workspace, item)?.id,
  );
  store(operation, { ...workspace, tags: workspace.tags.filter((id) => !unwanted.includes(id)) });
  return NO_CONTENT;
}

function findTag({ world }: Operation, { organization }: Workspace, item: JsonObject): Tag | undefined {
  if (typeof item.id === "string") {
    const tag = world.tags.get(item.id);
    return tag?.organization === organization ? tag : undefined;
  }
  const name = nameOf(item);
  return name === undefined ? undefined : world.tagByName(organization, name);
}

function createTag({ world, identifiers, request }: Operation, organization: string, name: string): Tag {
  const tag = { id: identifiers.fresh("tag"), organization, name, createdAt: request.now };
  world.tags.set(tag.id, tag);
  return tag;
}

function nameOf({ attributes }: JsonObject): string | undefined {
  const name = isObject(attributes) ? attributes.name : undefined;
  return typeof name === "string" && name !== "" ? name.toLowerCase() : undefined;
}

function render({ world }: Operation, tag: Tag): unknown {
  const bearers = [...world.workspaces.values()].filter(({ tags }) => tags.includes(tag.id));
  return {
    id: tag.id,
    type: "tags",
    attributes: {
      name: tag.name,
      "created-at": timestamp(tag.createdAt),
      "instance-count": bearers.length,
    },
    relationships: { organization: { data: { id: tag.organization, type: "organizations" } } },
  };
}
