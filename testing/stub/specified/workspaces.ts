import type { Row } from "./endpoint";

const WORKSPACE = "/api/v2/workspaces/:workspace_id";
const NAMED = "/api/v2/organizations/:organization_name/workspaces";
const REGISTRY = "/api/v2/organizations/:organization_name/registry-providers";
const PROVIDER = `${REGISTRY}/:registry_name/:namespace/:name`;
const GPG_KEYS = "/api/registry/private/v2/gpg-keys";
const VERSIONS = "API: private provider versions";
const PLATFORMS = "API: private provider platforms";
const FILES = "API: uploads and downloads of files";
const CONFIGURATIONS = "API: configuration versions";
const RUN = "/api/v2/runs/:run_id";
const RUNS = "API: runs";
const AGENT_TOKENS = "/api/v2/agent-pools/:agent_pool_id/authentication-tokens";
const CLIENTS = "/api/v2/organizations/:organization_name/oauth-clients";
const SET_VARIABLES = "/api/v2/varsets/:set_id/relationships/vars";
const OF_SETS = "API: variable set variables";
const TOKENS = "API: agent tokens";
const OUTPUTS = "API: state version outputs";
const VARIABLES = "API: workspace variables";
const TRIGGERS = "API: run triggers";
const ACCESS = "API: team access";
const NOTIFICATIONS = "API: notification configurations";

/** The endpoints of a kind of an organization's objects. */
function organizationObjects(collection: string): Row[] {
  const name =
    { "ssh-keys": "SSH keys", varsets: "variable sets" }[collection] ?? collection.replace("-", " ");
  const section = `API: ${name}`;
  const [all, one] = [
    `/api/v2/organizations/:organization_name/${collection}`,
    `/api/v2/${collection}/:object_id`,
  ];
  return [
    ["GET", all, section],
    ["POST", all, section],
    ["GET", one, section],
    ["PATCH", one, section],
    ["DELETE", one, section],
  ];
}

/** The endpoints of HCP Terraform. */
export const workspaces: readonly Row[] = [
  ["POST", NAMED, "Create workspace"],
  ["GET", NAMED, "List workspaces"],
  ["GET", `${NAMED}/:name`, "Show by names"],
  ["GET", WORKSPACE, "Show by id"],
  ["PATCH", WORKSPACE, "Update"],
  ["PATCH", `${NAMED}/:name`, "Update by names"],
  ["POST", `${WORKSPACE}/actions/safe-delete`, "Safe delete by id"],
  ["POST", `${NAMED}/:name/actions/safe-delete`, "Safe delete by names"],
  ["DELETE", WORKSPACE, "Force delete"],
  ["DELETE", `${NAMED}/:name`, "Force delete by names"],
  ["POST", `${WORKSPACE}/actions/lock`, "Lock"],
  ["POST", `${WORKSPACE}/actions/unlock`, "Unlock"],
  ["POST", `${WORKSPACE}/actions/force-unlock`, "Force unlock"],
  ["PATCH", `${WORKSPACE}/relationships/ssh-key`, "Assign or unassign SSH key"],
  ["GET", `${WORKSPACE}/relationships/remote-state-consumers`, "List remote state consumers"],
  ["POST", `${WORKSPACE}/relationships/remote-state-consumers`, "Add remote state consumers"],
  ["PATCH", `${WORKSPACE}/relationships/remote-state-consumers`, "Replace remote state consumers"],
  ["DELETE", `${WORKSPACE}/relationships/remote-state-consumers`, "Delete remote state consumers"],
  ["GET", `${WORKSPACE}/relationships/tags`, "List flat tags"],
  ["POST", `${WORKSPACE}/relationships/tags`, "Bind flat string tags"],
  ["DELETE", `${WORKSPACE}/relationships/tags`, "Delete flat tags"],
  ["GET", `${WORKSPACE}/tag-bindings`, "Key-value tags"],
  ["PATCH", `${WORKSPACE}/tag-bindings`, "Key-value tags"],
  ["GET", `${WORKSPACE}/relationships/data-retention-policy`, "Show data retention policy"],
  ["POST", `${WORKSPACE}/relationships/data-retention-policy`, "Data retention policy"],
  ["DELETE", `${WORKSPACE}/relationships/data-retention-policy`, "Remove retention policy"],
  ["GET", REGISTRY, "List providers"],
  ["POST", REGISTRY, "Create provider"],
  ["GET", PROVIDER, "Get provider"],
  ["DELETE", PROVIDER, "Delete provider"],
  ["GET", `${WORKSPACE}/current-state-version-outputs`, OUTPUTS],
  ["GET", "/api/v2/state-version-outputs/:output_id", OUTPUTS],
  ["POST", `${WORKSPACE}/state-versions`, "API: state versions"],
  ["GET", `${WORKSPACE}/vars`, VARIABLES],
  ["POST", `${WORKSPACE}/vars`, VARIABLES],
  ["GET", `${WORKSPACE}/vars/:variable_id`, VARIABLES],
  ["PATCH", `${WORKSPACE}/vars/:variable_id`, VARIABLES],
  ["DELETE", `${WORKSPACE}/vars/:variable_id`, VARIABLES],
  ["GET", SET_VARIABLES, OF_SETS],
  ["POST", SET_VARIABLES, OF_SETS],
  ["GET", `${SET_VARIABLES}/:variable_id`, OF_SETS],
  ["PATCH", `${SET_VARIABLES}/:variable_id`, OF_SETS],
  ["DELETE", `${SET_VARIABLES}/:variable_id`, OF_SETS],
  ["POST", `${WORKSPACE}/configuration-versions`, CONFIGURATIONS],
  ["GET", "/api/v2/configuration-versions/:version_id", CONFIGURATIONS],
  ["POST", "/api/v2/runs", RUNS],
  ["GET", RUN, RUNS],
  ["GET", `${WORKSPACE}/runs`, RUNS],
  ["POST", `${RUN}/actions/apply`, RUNS],
  ["POST", `${RUN}/actions/discard`, RUNS],
  ...["projects", "agent-pools", "ssh-keys", "varsets", "teams"].flatMap(organizationObjects),
  ["GET", "/api/v2/projects/:project_id/tag-bindings", "API: projects"],
  ["PATCH", "/api/v2/projects/:project_id/tag-bindings", "API: projects"],
  ["GET", AGENT_TOKENS, TOKENS],
  ["POST", AGENT_TOKENS, TOKENS],
  ["GET", "/api/v2/authentication-tokens/:token_id", TOKENS],
  ["DELETE", "/api/v2/authentication-tokens/:token_id", TOKENS],
  ["GET", CLIENTS, "API: OAuth clients"],
  ["POST", CLIENTS, "API: OAuth clients"],
  ["GET", "/api/v2/oauth-clients/:client_id", "API: OAuth clients"],
  ["PATCH", "/api/v2/oauth-clients/:client_id", "API: OAuth clients"],
  ["DELETE", "/api/v2/oauth-clients/:client_id", "API: OAuth clients"],
  ["GET", GPG_KEYS, "API: GPG keys"],
  ["POST", GPG_KEYS, "API: GPG keys"],
  ["GET", `${GPG_KEYS}/:namespace/:key_id`, "API: GPG keys"],
  ["PATCH", `${GPG_KEYS}/:namespace/:key_id`, "API: GPG keys"],
  ["DELETE", `${GPG_KEYS}/:namespace/:key_id`, "API: GPG keys"],
  ["GET", `${PROVIDER}/versions`, VERSIONS],
  ["POST", `${PROVIDER}/versions`, VERSIONS],
  ["GET", `${PROVIDER}/versions/:version`, VERSIONS],
  ["DELETE", `${PROVIDER}/versions/:version`, VERSIONS],
  ["GET", `${PROVIDER}/versions/:version/platforms`, PLATFORMS],
  ["POST", `${PROVIDER}/versions/:version/platforms`, PLATFORMS],
  ["GET", `${PROVIDER}/versions/:version/platforms/:os/:arch`, PLATFORMS],
  ["DELETE", `${PROVIDER}/versions/:version/platforms/:os/:arch`, PLATFORMS],
  ["GET", `${WORKSPACE}/run-triggers`, TRIGGERS],
  ["POST", `${WORKSPACE}/run-triggers`, TRIGGERS],
  ["GET", "/api/v2/run-triggers/:run_trigger_id", TRIGGERS],
  ["DELETE", "/api/v2/run-triggers/:run_trigger_id", TRIGGERS],
  ["GET", `${WORKSPACE}/notification-configurations`, NOTIFICATIONS],
  ["POST", `${WORKSPACE}/notification-configurations`, NOTIFICATIONS],
  ["GET", "/api/v2/notification-configurations/:configuration_id", NOTIFICATIONS],
  ["PATCH", "/api/v2/notification-configurations/:configuration_id", NOTIFICATIONS],
  ["DELETE", "/api/v2/notification-configurations/:configuration_id", NOTIFICATIONS],
  ["GET", "/api/v2/team-workspaces", ACCESS],
  ["POST", "/api/v2/team-workspaces", ACCESS],
  ["GET", "/api/v2/team-workspaces/:access_id", ACCESS],
  ["PATCH", "/api/v2/team-workspaces/:access_id", ACCESS],
  ["DELETE", "/api/v2/team-workspaces/:access_id", ACCESS],
  ["PUT", "/v1/object/:object", FILES],
  ["GET", "/v1/object/:object", FILES],
  ["GET", "/.well-known/engine.json", "Public registry discovery"],
  ["GET", "/api/registry/public/v1/providers/:namespace/:name/versions", "Public registry"],
  [
    "GET",
    "/api/registry/public/v1/providers/:namespace/:name/:version/download/:os/:arch",
    "Provider registry protocol",
  ],
];
