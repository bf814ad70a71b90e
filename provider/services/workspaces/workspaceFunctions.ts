import { z } from "zod";
import {
  type Address,
  askingForOne,
  enumeration,
  field,
  functionResult,
  type HttpResponse,
  isObject,
  type Json,
  listArguments,
  listFunction,
  type RequestContext,
  readFunction,
  rule,
  shownFields,
  stringIn,
} from "../../core";
import { workspaceIdField } from "./ofWorkspace";
import { workspaces } from "./service";
import workspace from "./workspace";
import { documentsIn } from "./workspaceGone";
import { workspaceListing } from "./workspaceListing";
import { withPage } from "./workspacePage";
import { workspaceShown } from "./workspaceShown";

const { organization } = workspace.fields;
const PAGES = { by: "number" } as const;

const workspaceId = workspaceIdField;

/** Reads a workspace by its ID, or by organization and name. */
export const getWorkspace = readFunction(workspace, {
  token: "workspaces:getWorkspace",
  doc: "Reads a workspace by ID, or by organization and name. A missing workspace is an error.",
  by: {
    workspaceId: field(z.string().min(1).optional(), {
      doc: "ID of the workspace (`ws-…`).",
      role: "identity",
      location: "address",
    }),
    organization,
    name: field(z.string().min(1).optional(), {
      doc: "Name of the workspace in its organization.",
      role: "identity",
      location: "address",
    }),
  },
  rules: [
    askingForOne(
      ["workspaceId", "name"],
      rule(
        ["workspaceId", "name"],
        (id, name) => (id === undefined) === (name === undefined),
        "set exactly one of workspaceId and name (with its organization)",
      ),
    ),
  ],
  more: workspaceShown,
});

const listing = listArguments(workspace, workspaceListing);

/** A workspace in a list: the content of its own document. */
const listed = z.object({ ...withoutLinks(), ...workspaceShown });

/** Lists the workspaces of an organization. */
export const getWorkspaces = listFunction({
  token: "workspaces:getWorkspaces",
  doc: "Lists the workspaces in an organization that the token can see. The function reads every page, or stops after `limit` workspaces.",
  section: "Workspaces, List workspaces",
  ...listing,
  fields: {
    ...listing.fields,
    sort: field(
      enumeration({
        name: "By name.",
        "-name": "By name, descending.",
        "current-run.created-at": "By creation time of the current run, oldest first.",
        "-current-run.created-at": "By creation time of the current run, newest first.",
        "latest-change-at": "By time of the latest change, oldest first.",
        "-latest-change-at": "By time of the latest change, newest first.",
      }).optional(),
      {
        doc: "Sort order; a leading `-` reverses it.",
        role: "steering",
      },
    ),
  },
  property: "workspaces",
  each: "eachWorkspace",
  element: listed,
  query: (asked) => ({ ...workspaceListing.query(asked), sort: text(asked.sort) }),
  elements: workspacesIn,
});

/** Lists the workspaces that may read a workspace's state. */
export const getRemoteStateConsumers = listFunction({
  token: "workspaces:getRemoteStateConsumers",
  doc: "Lists the workspaces that may read a workspace's state during runs, except workspaces that the token cannot read. If the state is shared with the entire organization or project, these are all workspaces in it.",
  section: "List remote state consumers",
  service: workspaces,
  fields: { workspaceId },
  property: "consumers",
  each: "eachRemoteStateConsumer",
  element: listed,
  route: { method: "GET", path: "/workspaces/{workspaceId}/relationships/remote-state-consumers" },
  pages: PAGES,
  elements: workspacesIn,
});

/** Lists a workspace's flat tags. */
export const getWorkspaceTags = listFunction({
  token: "workspaces:getWorkspaceTags",
  doc: "Lists the flat tags of a workspace.",
  section: "Workspaces, List flat tags",
  service: workspaces,
  fields: { workspaceId },
  property: "tags",
  each: "eachWorkspaceTag",
  element: z.object({
    tagId: field(z.string().optional(), { doc: "ID that the server assigned to the tag." }),
    name: field(z.string(), { doc: "Name of the tag, in lower case." }),
  }),
  route: { method: "GET", path: "/workspaces/{workspaceId}/relationships/tags" },
  pages: PAGES,
  elements: (page) =>
    documentsIn(page).map(({ id, attributes }) => ({
      ...(typeof id === "string" && { tagId: id }),
      name: isObject(attributes) ? stringIn(attributes.name ?? id) : stringIn(id),
    })),
});

/** The properties in a workspace's own document. Each of the other properties needs a request. */
function withoutLinks() {
  const own = shownFields(workspace);
  const linked = new Set(workspace.life.links.filter((link) => link.read).map((link) => link.field));
  return Object.fromEntries(Object.entries(own).filter(([name]) => !linked.has(name)));
}

function workspacesIn(page: HttpResponse, { connection }: RequestContext): Json[] {
  return workspaceListing.items(page).map((item) => {
    const body = withPage(item, connection);
    const address: Address =
      typeof body["organization-id"] === "string" ? { organization: body["organization-id"] } : {};
    return functionResult(workspace, body, address, workspaceShown);
  });
}

function text(value: Json | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
