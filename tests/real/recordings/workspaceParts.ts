import type { Exchange } from "../../recorded/exchange";

const WORKSPACES = "/api/v2/organizations/acme/workspaces";
const workspace = (name: string) => ({ data: { type: "workspaces", attributes: { name } } });

const TRIGGERS = "/api/v2/workspaces/{triggered}/run-triggers";
const INBOUND = `${TRIGGERS}?filter%5Brun-trigger%5D%5Btype%5D=inbound`;
const trigger = (id: string) => ({
  data: {
    type: "run-triggers",
    relationships: { sourceable: { data: { type: "workspaces", id } } },
  },
});

const NOTIFICATIONS = "/api/v2/workspaces/{triggered}/notification-configurations";
const NOTIFICATION = "/api/v2/notification-configurations/{notification}";
const notification = (attributes: Record<string, string | boolean | string[]>) => ({
  data: { type: "notification-configurations", attributes },
});
const first = {
  name: "first",
  "destination-type": "generic",
  enabled: false,
  url: "https://hooks.example.com/one",
  token: "signing-key",
  triggers: ["run:created"],
};

/** The requests to otfd for the run triggers and the notification configurations of a workspace. */
export const workspaceParts: readonly Exchange[] = [
  {
    about: "the workspace of run triggers, made",
    method: "POST",
    path: WORKSPACES,
    body: workspace("triggered"),
    keep: { triggered: ["data", "id"] },
  },
  {
    about: "a source workspace, made",
    method: "POST",
    path: WORKSPACES,
    body: workspace("source"),
    keep: { source: ["data", "id"] },
  },
  { about: "no run triggers", method: "GET", path: INBOUND },
  { about: "run triggers without a direction", method: "GET", path: TRIGGERS },
  {
    about: "a run trigger, made",
    method: "POST",
    path: TRIGGERS,
    body: trigger("{source}"),
    keep: { trigger: ["data", "id"] },
  },
  {
    about: "a run trigger of the workspace itself",
    method: "POST",
    path: TRIGGERS,
    body: trigger("{triggered}"),
  },
  { about: "a run trigger", method: "GET", path: "/api/v2/run-triggers/{trigger}" },
  { about: "the run triggers", method: "GET", path: INBOUND },
  { about: "a run trigger, deleted", method: "DELETE", path: "/api/v2/run-triggers/{trigger}" },
  { about: "a run trigger that is gone", method: "GET", path: "/api/v2/run-triggers/{trigger}" },
  { about: "no notifications", method: "GET", path: NOTIFICATIONS },
  {
    about: "a notification, made",
    method: "POST",
    path: NOTIFICATIONS,
    body: notification(first),
    keep: { notification: ["data", "id"] },
  },
  {
    about: "a notification of a trigger that does not exist",
    method: "POST",
    path: NOTIFICATIONS,
    body: notification({ ...first, triggers: ["run:none"] }),
  },
  { about: "a notification", method: "GET", path: NOTIFICATION },
  { about: "the notifications", method: "GET", path: NOTIFICATIONS },
  {
    about: "a notification, changed",
    method: "PATCH",
    path: NOTIFICATION,
    body: notification({ name: "second", triggers: ["run:errored"] }),
  },
  {
    about: "a notification without triggers",
    method: "PATCH",
    path: NOTIFICATION,
    body: notification({ triggers: [] }),
  },
  { about: "a notification, deleted", method: "DELETE", path: NOTIFICATION },
  { about: "a notification that is gone", method: "GET", path: NOTIFICATION },
  {
    about: "the workspace of run triggers, deleted",
    method: "DELETE",
    path: "/api/v2/workspaces/{triggered}",
  },
  { about: "a source workspace, deleted", method: "DELETE", path: "/api/v2/workspaces/{source}" },
];
