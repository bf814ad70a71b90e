import { isObject, type JsonObject, type JsonValue } from "../../json";
import type { StubResponse } from "../../service";
import { type ResourceDocument, readResource, resourceList } from "./documents";
import { invalid, notFound, type Problem, Refusal } from "./errors";
import { answer, type Endpoint, NO_CONTENT, type Operation, theAdministeredWorkspace } from "./operation";
import { page } from "./paging";
import { timestamp } from "./render";
import type { Notification } from "./run-records";

const COLLECTION = "/workspaces/:workspace_id/notification-configurations";
const ITEM = "/notification-configurations/:configuration_id";
const section = "API: notification configurations";

/** The notification configurations of a workspace: list, create, show, update and delete. */
export const notificationEndpoints: readonly Endpoint[] = [
  { method: "GET", path: COLLECTION, section, handle: list },
  { method: "POST", path: COLLECTION, section, handle: create },
  { method: "GET", path: ITEM, section, handle: show },
  { method: "PATCH", path: ITEM, section, handle: update },
  { method: "DELETE", path: ITEM, section, handle: remove },
];

/** The table "Workspace notification triggers". */
const TRIGGERS = [
  ...["created", "planning", "needs_attention", "applying", "completed", "errored"].map(
    (run) => `run:${run}`,
  ),
  ...["drifted", "check_failure", "failed"].map((result) => `assessment:${result}`),
  ...["workspace:auto_destroy_reminder", "workspace:auto_destroy_run_results"],
];

const DESTINATIONS = ["generic", "email", "slack", "microsoft-teams"];

/** "Each workspace can have up to 20 notification configurations." */
const MOST = 20;

function list(operation: Operation): StubResponse {
  const { id } = theAdministeredWorkspace(operation);
  const own = [...operation.world.notifications.values()].filter(({ workspace }) => workspace === id);
  return answer(page(operation.request, own, render));
}

function create(operation: Operation): StubResponse {
  const { request, world, identifiers } = operation;
  const { id: workspace } = theAdministeredWorkspace(operation);
  const all = [...world.notifications.values()];
  if (all.filter((other) => other.workspace === workspace).length >= MOST)
    throw invalid({
      pointer: "/data",
      detail: `A workspace has at most ${MOST} notification configurations`,
    });
  const document = readResource(request, "notification-configurations", "notification-configuration");
  const type = document.attributes["destination-type"];
  if (typeof type !== "string" || !DESTINATIONS.includes(type))
    throw invalid({
      pointer: "/data/attributes/destination-type",
      detail: `Destination type must be one of ${DESTINATIONS.join(", ")}`,
    });
  const blank: Notification = {
    id: identifiers.fresh("nc"),
    workspace,
    type,
    createdAt: request.now,
    updatedAt: request.now,
    ...BLANK,
  };
  return answer({ data: render(apply(operation, blank, document)) }, 201);
}

function show(operation: Operation): StubResponse {
  return answer({ data: render(theNotification(operation)) });
}

/** The page's update has no destination type. */
function update(operation: Operation): StubResponse {
  const before = theNotification(operation);
  const document = readResource(
    operation.request,
    "notification-configurations",
    "notification-configuration",
  );
  return answer({
    data: render(apply(operation, { ...before, updatedAt: operation.request.now }, document)),
  });
}

function remove(operation: Operation): StubResponse {
  operation.world.notifications.delete(theNotification(operation).id);
  return NO_CONTENT;
}

/** "Interacting with notification configurations requires admin access to the relevant workspace." */
function theNotification({ request, world, caller }: Operation): Notification {
  const found = world.notifications.get(request.params.configuration_id ?? "");
  const workspace = found && world.workspaces.get(found.workspace);
  if (found === undefined || workspace === undefined || !caller.administers(workspace)) throw notFound();
  return found;
}

const BLANK = {
  name: "",
  enabled: false,
  url: null,
  hasToken: false,
  triggers: [],
  addresses: [],
  users: [],
} as const;

/** Applies a body, verifies the URL of an enabled configuration, and stores the configuration. */
function apply({ world }: Operation, before: Notification, document: ResourceDocument): Notification {
  const { attributes } = document;
  const problems: Problem[] = [];
  const reject = (name: string, detail: string) =>
    problems.push({ pointer: `/data/attributes/${name}`, detail });
  const texts = (name: string, kept: readonly string[]): readonly string[] => {
    const value = attributes[name];
    if (value === undefined) return kept;
    if (value === null) return [];
    if (Array.isArray(value) && value.every(isText)) return value;
    reject(name, `${name} must be an array of strings`);
    return kept;
  };
  const text = (name: "name" | "url" | "token"): string | null | undefined => {
    const value = attributes[name];
    if (value === undefined || value === null || typeof value === "string") return value;
    reject(name, `${name} must be a string`);
    return undefined;
  };
  const { enabled = before.enabled } = attributes;
  if (typeof enabled !== "boolean") reject("enabled", "enabled must be a boolean");
  const [name, url, token] = [text("name"), text("url"), text("token")];
  const after: Notification = {
    ...before,
    name: name === undefined ? before.name : (name ?? ""),
    enabled: enabled === true,
    url: url === undefined ? before.url : url,
    hasToken: token === undefined ? before.hasToken : token !== null,
    triggers: texts("triggers", before.triggers),
    addresses: texts("email-addresses", before.addresses),
    users: usersIn(document) ?? before.users,
  };
  if (after.name === "") reject("name", "Name can't be blank");
  for (const trigger of after.triggers)
    if (!TRIGGERS.includes(trigger)) reject("triggers", `${trigger} is not a trigger of a workspace`);
  if (after.type !== "email" && !/^https?:\/\/./.test(after.url ?? ""))
    reject("url", "Url must be an HTTP or HTTPS URL");
  if (problems.length > 0) throw invalid(...problems);
  if (after.enabled && after.type !== "email") verify(after.url ?? "");
  world.notifications.set(after.id, after);
  return after;
}

/** "Configurations cannot be enabled if the verification request fails." Hosts in `.invalid` do not exist (RFC 2606). */
function verify(url: string): void {
  if (!new URL(url).hostname.endsWith(".invalid")) return;
  const detail = "the verification request to the URL received no successful response";
  throw new Refusal(400, [{ status: "400", title: "bad request", detail }]);
}

function usersIn({ relationships: { users } }: ResourceDocument): readonly string[] | undefined {
  if (!isObject(users)) return undefined;
  return resourceList(users.data, "users", "/data/relationships/users/data").map(({ id }) => String(id));
}

function isText(value: JsonValue): value is string {
  return typeof value === "string";
}

/** The token is never shown. */
function render(notification: Notification): unknown {
  const { id, workspace, name, type, enabled, url, triggers, addresses, users } = notification;
  const attributes: JsonObject = {
    enabled,
    name,
    url,
    "destination-type": type,
    token: null,
    triggers: [...triggers],
    "email-addresses": [...addresses],
    "delivery-responses": [],
    "created-at": timestamp(notification.createdAt),
    "updated-at": timestamp(notification.updatedAt),
  };
  return {
    id,
    type: "notification-configurations",
    attributes,
    relationships: {
      subscribable: { data: { id: workspace, type: "workspaces" } },
      users: { data: users.map((user) => ({ id: user, type: "users" })) },
    },
    links: { self: `/api/v2/notification-configurations/${id}` },
  };
}
