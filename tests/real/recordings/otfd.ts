import { createHash } from "node:crypto";
import type { Exchange } from "../../recorded/exchange";

const WORKSPACES = "/api/v2/organizations/acme/workspaces";
const workspace = (attributes: Record<string, string | boolean | number>) => ({
  data: { type: "workspaces", attributes },
});

const VARS = "/api/v2/workspaces/{owner}/vars";
const variable = (attributes: Record<string, string | boolean>) => ({ data: { type: "vars", attributes } });

const SETS = "/api/v2/organizations/acme/varsets";
const variableSet = (attributes: Record<string, string | boolean>) => ({
  data: { type: "varsets", attributes },
});

const AGENT_TOKENS = "/api/v2/agent-pools/{tokens}/authentication-tokens";
const CLIENTS = "/api/v2/organizations/acme/oauth-clients";
const oauthClient = (attributes: Record<string, string>) => ({ data: { type: "oauth-clients", attributes } });
const GITHUB = {
  name: "code",
  "service-provider": "github",
  "http-url": "https://github.com",
  "api-url": "https://api.github.com",
  "oauth-token-string": "a token",
};
const OUTPUTS = "/api/v2/workspaces/{stated}/current-state-version-outputs";
/** A state with the sensitive output `password`, in the form in which a request contains it. */
const STATE_TEXT = JSON.stringify({
  version: 4,
  terraform_version: "1.9.8",
  serial: 1,
  lineage: "a-lineage",
  outputs: { password: { value: "a secret", type: "string", sensitive: true } },
  resources: [],
});
const STATE = Buffer.from(STATE_TEXT).toString("base64");
const STATE_MD5 = createHash("md5").update(STATE_TEXT).digest("hex");

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
  {
    about: "a workspace of variables, made",
    method: "POST",
    path: WORKSPACES,
    body: workspace({ name: "vars" }),
    keep: { owner: ["data", "id"] },
  },
  { about: "no variables", method: "GET", path: VARS },
  {
    about: "a variable, made",
    method: "POST",
    path: VARS,
    body: variable({ key: "region", category: "terraform", value: "eu" }),
    keep: { variable: ["data", "id"] },
  },
  {
    about: "a variable of a key that is taken",
    method: "POST",
    path: VARS,
    body: variable({ key: "region", category: "terraform" }),
  },
  { about: "a variable", method: "GET", path: `${VARS}/{variable}` },
  {
    about: "a variable, made sensitive",
    method: "PATCH",
    path: `${VARS}/{variable}`,
    body: variable({ sensitive: true }),
  },
  {
    about: "a sensitive variable, made readable",
    method: "PATCH",
    path: `${VARS}/{variable}`,
    body: variable({ sensitive: false }),
  },
  {
    about: "a sensitive variable, renamed",
    method: "PATCH",
    path: `${VARS}/{variable}`,
    body: variable({ key: "zone" }),
  },
  {
    about: "a sensitive variable, parsed as HCL",
    method: "PATCH",
    path: `${VARS}/{variable}`,
    body: variable({ hcl: true }),
  },
  { about: "a variable, deleted", method: "DELETE", path: `${VARS}/{variable}` },
  { about: "a variable, deleted again", method: "DELETE", path: `${VARS}/{variable}` },
  { about: "the workspace of variables, deleted", method: "DELETE", path: "/api/v2/workspaces/{owner}" },
  {
    about: "an SSH key, made",
    method: "POST",
    path: "/api/v2/organizations/acme/ssh-keys",
    body: { data: { type: "ssh-keys", attributes: { name: "fetching", value: "a key" } } },
    keep: { key: ["data", "id"] },
  },
  { about: "an SSH key", method: "GET", path: "/api/v2/ssh-keys/{key}" },
  { about: "an SSH key, deleted", method: "DELETE", path: "/api/v2/ssh-keys/{key}" },
  { about: "an SSH key, deleted again", method: "DELETE", path: "/api/v2/ssh-keys/{key}" },
  {
    about: "an agent pool, made",
    method: "POST",
    path: "/api/v2/organizations/acme/agent-pools",
    body: { data: { type: "agent-pools", attributes: { name: "agents" } } },
    keep: { pool: ["data", "id"] },
  },
  {
    about: "an agent pool, limited",
    method: "PATCH",
    path: "/api/v2/agent-pools/{pool}",
    body: { data: { type: "agent-pools", attributes: { "organization-scoped": false } } },
  },
  { about: "an agent pool, deleted", method: "DELETE", path: "/api/v2/agent-pools/{pool}" },
  { about: "an agent pool, deleted again", method: "DELETE", path: "/api/v2/agent-pools/{pool}" },
  { about: "the projects", method: "GET", path: "/api/v2/organizations/acme/projects" },
  { about: "no variable sets", method: "GET", path: SETS },
  {
    about: "a variable set, made",
    method: "POST",
    path: SETS,
    body: variableSet({ name: "shared", description: "first" }),
    keep: { set: ["data", "id"] },
  },
  {
    about: "a variable set of a name that is taken",
    method: "POST",
    path: SETS,
    body: variableSet({ name: "shared" }),
  },
  { about: "a variable set", method: "GET", path: "/api/v2/varsets/{set}" },
  { about: "the variable sets", method: "GET", path: SETS },
  {
    about: "a variable set, changed",
    method: "PATCH",
    path: "/api/v2/varsets/{set}",
    body: variableSet({ description: "second" }),
  },
  { about: "a variable set, deleted", method: "DELETE", path: "/api/v2/varsets/{set}" },
  { about: "a variable set that is gone", method: "GET", path: "/api/v2/varsets/{set}" },
  {
    about: "a workspace of outputs, made",
    method: "POST",
    path: WORKSPACES,
    body: workspace({ name: "outputs" }),
    keep: { stated: ["data", "id"] },
  },
  { about: "the outputs of a workspace without a state", method: "GET", path: OUTPUTS },
  {
    about: "the workspace of outputs, locked",
    method: "POST",
    path: "/api/v2/workspaces/{stated}/actions/lock",
    body: {},
  },
  {
    about: "a state, made",
    method: "POST",
    path: "/api/v2/workspaces/{stated}/state-versions",
    body: { data: { type: "state-versions", attributes: { serial: 1, md5: STATE_MD5, state: STATE } } },
  },
  {
    about: "the outputs of a workspace",
    method: "GET",
    path: OUTPUTS,
    keep: { output: ["data", "0", "id"] },
  },
  { about: "an output", method: "GET", path: "/api/v2/state-version-outputs/{output}" },
  {
    about: "the workspace of outputs, unlocked",
    method: "POST",
    path: "/api/v2/workspaces/{stated}/actions/unlock",
  },
  { about: "the workspace of outputs, deleted", method: "DELETE", path: "/api/v2/workspaces/{stated}" },
  {
    about: "an agent pool of tokens, made",
    method: "POST",
    path: "/api/v2/organizations/acme/agent-pools",
    body: { data: { type: "agent-pools", attributes: { name: "of-tokens" } } },
    keep: { tokens: ["data", "id"] },
  },
  { about: "no agent tokens", method: "GET", path: AGENT_TOKENS },
  {
    about: "an agent token of another type, made",
    method: "POST",
    path: AGENT_TOKENS,
    body: { data: { type: "authentication-tokens", attributes: { description: "other" } } },
  },
  {
    about: "an agent token, made",
    method: "POST",
    path: AGENT_TOKENS,
    body: { data: { type: "agent-tokens", attributes: { description: "of the cluster" } } },
    keep: { token: ["data", "id"] },
  },
  {
    about: "an agent token with an equal description, made",
    method: "POST",
    path: AGENT_TOKENS,
    body: { data: { type: "agent-tokens", attributes: { description: "of the cluster" } } },
  },
  {
    about: "an agent token without a description, made",
    method: "POST",
    path: AGENT_TOKENS,
    body: { data: { type: "agent-tokens", attributes: {} } },
  },
  { about: "an agent token", method: "GET", path: "/api/v2/authentication-tokens/{token}" },
  { about: "an agent token, deleted", method: "DELETE", path: "/api/v2/authentication-tokens/{token}" },
  { about: "an agent token, deleted again", method: "DELETE", path: "/api/v2/authentication-tokens/{token}" },
  { about: "an agent token that is gone", method: "GET", path: "/api/v2/authentication-tokens/{token}" },
  { about: "the agent tokens", method: "GET", path: AGENT_TOKENS },
  { about: "the agent pool of tokens, deleted", method: "DELETE", path: "/api/v2/agent-pools/{tokens}" },
  { about: "the agent tokens of no pool", method: "GET", path: AGENT_TOKENS },
  {
    about: "an agent token of no pool, made",
    method: "POST",
    path: AGENT_TOKENS,
    body: { data: { type: "agent-tokens", attributes: { description: "of no pool" } } },
  },
  { about: "no OAuth clients", method: "GET", path: CLIENTS },
  {
    about: "an OAuth client, made",
    method: "POST",
    path: CLIENTS,
    body: oauthClient(GITHUB),
    keep: { client: ["data", "id"] },
  },
  {
    about: "an OAuth client of a name that is taken",
    method: "POST",
    path: CLIENTS,
    body: oauthClient(GITHUB),
  },
  {
    about: "an OAuth client without a service provider",
    method: "POST",
    path: CLIENTS,
    body: oauthClient({ ...GITHUB, "service-provider": "" }),
  },
  { about: "an OAuth client", method: "GET", path: "/api/v2/oauth-clients/{client}" },
  { about: "the OAuth clients", method: "GET", path: CLIENTS },
  {
    about: "an OAuth client, changed",
    method: "PATCH",
    path: "/api/v2/oauth-clients/{client}",
    body: oauthClient({ "oauth-token-string": "another token" }),
  },
  { about: "an OAuth client, deleted", method: "DELETE", path: "/api/v2/oauth-clients/{client}" },
  { about: "an OAuth client, deleted again", method: "DELETE", path: "/api/v2/oauth-clients/{client}" },
  { about: "an OAuth client that is gone", method: "GET", path: "/api/v2/oauth-clients/{client}" },
];
