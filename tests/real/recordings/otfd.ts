import type { Exchange } from "../../recorded/exchange";

const WORKSPACES = "/api/v2/organizations/acme/workspaces";
const workspace = (attributes: Record<string, string | boolean | number>) => ({
  data: { type: "workspaces", attributes },
});

/** The requests to otfd. The organization `acme` exists. */
export const otfd: readonly Exchange[] = [
  { about: "a list, without a token", method: "GET", path: WORKSPACES, as: "nobody" },
  { about: "a list, with a token that does not exist", method: "GET", path: WORKSPACES, as: "stranger" },
  { about: "no workspaces", method: "GET", path: WORKSPACES },
  { about: "a workspace that is not there, by its name", method: "GET", path: `${WORKSPACES}/app` },
  {
    about: "a workspace that is not there, by its ID",
    method: "GET",
    path: "/api/v2/workspaces/ws-AAAAAAAAAAAAAAAA",
  },
  { about: "the workspaces of nobody", method: "GET", path: "/api/v2/organizations/nobody/workspaces" },
  { about: "a workspace that is no JSON", method: "POST", path: WORKSPACES, text: "{" },
  { about: "a workspace without a name", method: "POST", path: WORKSPACES, body: workspace({}) },
  {
    about: "a workspace, made",
    method: "POST",
    path: WORKSPACES,
    body: workspace({ name: "app", description: "first" }),
    keep: { workspace: ["data", "id"] },
  },
  {
    about: "a workspace of a name that is taken",
    method: "POST",
    path: WORKSPACES,
    body: workspace({ name: "app" }),
  },
  { about: "a workspace", method: "GET", path: "/api/v2/workspaces/{workspace}" },
  { about: "the workspaces", method: "GET", path: WORKSPACES },
  {
    about: "a workspace, changed",
    method: "PATCH",
    path: "/api/v2/workspaces/{workspace}",
    body: workspace({ description: "second", "auto-apply": true }),
  },
  {
    about: "a number that no machine holds",
    method: "PATCH",
    path: "/api/v2/workspaces/{workspace}",
    text: '{"data":{"type":"workspaces","attributes":{"auto-destroy-activity-duration":1e1000}}}',
  },
  {
    about: "a workspace's key-value tags",
    method: "GET",
    path: "/api/v2/workspaces/{workspace}/tag-bindings",
  },
  {
    about: "a workspace's tags, added",
    method: "POST",
    path: "/api/v2/workspaces/{workspace}/relationships/tags",
    body: { data: [{ type: "tags", attributes: { name: "prod" } }] },
  },
  { about: "a workspace's tags", method: "GET", path: "/api/v2/workspaces/{workspace}/relationships/tags" },
  {
    about: "a workspace, locked",
    method: "POST",
    path: "/api/v2/workspaces/{workspace}/actions/lock",
    body: { reason: "mine" },
  },
  {
    about: "a workspace, locked again",
    method: "POST",
    path: "/api/v2/workspaces/{workspace}/actions/lock",
    body: { reason: "mine" },
  },
  {
    about: "a workspace, unlocked",
    method: "POST",
    path: "/api/v2/workspaces/{workspace}/actions/unlock",
  },
  {
    about: "a workspace, unlocked again",
    method: "POST",
    path: "/api/v2/workspaces/{workspace}/actions/unlock",
  },
  {
    about: "a workspace's SSH key, taken away",
    method: "PATCH",
    path: "/api/v2/workspaces/{workspace}/relationships/ssh-key",
    body: { data: { type: "workspaces", attributes: { id: null } } },
  },
  {
    about: "a workspace, deleted safely",
    method: "POST",
    path: "/api/v2/workspaces/{workspace}/actions/safe-delete",
  },
  { about: "a workspace, deleted", method: "DELETE", path: "/api/v2/workspaces/{workspace}" },
  { about: "a workspace, deleted again", method: "DELETE", path: "/api/v2/workspaces/{workspace}" },
  {
    about: "a registry's provider",
    method: "GET",
    path: "/api/v2/organizations/acme/registry-providers",
  },
];
