import { z } from "zod";
import {
  type Address,
  askingForOne,
  field,
  functionResult,
  type HttpAnswer,
  isObject,
  type Json,
  listArguments,
  listFunction,
  type RequestContext,
  readFunction,
  rule,
  shownFields,
  wordIn,
  words,
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

/** Reads a workspace by its id, or by organization and name. */
export const getWorkspace = readFunction(workspace, {
  token: "workspaces:getWorkspace",
  doc: "Reads a workspace, by its id or by its organization and name. One that does not exist is an error.",
  by: {
    workspaceId: field(z.string().min(1).optional(), {
      doc: "The workspace's id, `ws-…`.",
      role: "identity",
      location: "address",
    }),
    organization,
    name: field(z.string().min(1).optional(), {
      doc: "The workspace's name in its organization.",
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
        "must be given, or else name with its organization: exactly one of the two names a workspace",
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
  doc: "Lists the workspaces of an organization that the token may see: every page, or as many as `limit` says.",
  section: "Workspaces, List workspaces",
  ...listing,
  fields: {
    ...listing.fields,
    sort: field(
      words({
        name: "By name.",
        "-name": "By name, the last first.",
        "current-run.created-at": "By the age of the current run, the oldest first.",
        "-current-run.created-at": "By the age of the current run, the youngest first.",
        "latest-change-at": "By the time of the latest change, the earliest first.",
        "-latest-change-at": "By the time of the latest change, the latest first.",
      }).optional(),
      {
        doc: "The order; a minus turns it round.",
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
  doc: "Lists the workspaces that may read a workspace's state during runs; workspaces that the token cannot read are never among them. Where the state is shared globally, that is every workspace of the organization.",
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
    tagId: field(z.string().optional(), { doc: "The id by which the service knows the tag." }),
    name: field(z.string(), { doc: "The tag, in lower case." }),
  }),
  route: { method: "GET", path: "/workspaces/{workspaceId}/relationships/tags" },
  pages: PAGES,
  elements: (page) =>
    documentsIn(page).map(({ id, attributes }) => ({
      ...(typeof id === "string" && { tagId: id }),
      name: isObject(attributes) ? wordIn(attributes.name ?? id) : wordIn(id),
    })),
});

/** The properties in a workspace's own document. Each of the other properties needs a request. */
function withoutLinks() {
  const own = shownFields(workspace);
  const linked = new Set(workspace.life.links.filter((link) => link.read).map((link) => link.field));
  return Object.fromEntries(Object.entries(own).filter(([name]) => !linked.has(name)));
}

function workspacesIn(page: HttpAnswer, { connection }: RequestContext): Json[] {
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
