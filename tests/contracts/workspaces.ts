import { isObject, type Json } from "../../provider/core/value/json";
import { WorkspacesService } from "../../testing/stub/services/workspaces/service";
import { GPG_KEYS } from "../../testing/tests/stub/gpg-keys";
import { send } from "../../testing/tests/stub/in-process";
import { type Members, withIds } from "./bodies";
import type { Product, Writer } from "./cases";
import { requirements } from "./workspacesBodies";

const ORGANIZATION = "organizations/acme";
const PROVIDER = `${ORGANIZATION}/registry-providers/private/acme/the-provider`;

/** The type of the object in a request, the path of its create, and of a read if that is not its type and ID. */
const AT: Readonly<
  Record<string, readonly [type: string, create: string, read?: (body: Members) => string]>
> = {
  "workspaces:Workspace": ["workspaces", `${ORGANIZATION}/workspaces`],
  "workspaces:RegistryProvider": [
    "registry-providers",
    `${ORGANIZATION}/registry-providers`,
    (body) => `${ORGANIZATION}/registry-providers/${body["registry-name"]}/${body.namespace}/${body.name}`,
  ],
  "workspaces:WorkspaceLock": ["", "workspaces/the workspace/actions/lock", () => "workspaces/the workspace"],
  "workspaces:DataRetentionPolicy": [
    "data-retention-policy-delete-olders",
    "workspaces/the workspace/relationships/data-retention-policy",
    () => "workspaces/the workspace/relationships/data-retention-policy",
  ],
  "workspaces:Variable": ["vars", "workspaces/the workspace/vars", () => "workspaces/the workspace/vars"],
  "workspaces:Project": ["projects", `${ORGANIZATION}/projects`],
  "workspaces:AgentPool": ["agent-pools", `${ORGANIZATION}/agent-pools`],
  "workspaces:Run": ["runs", "runs"],
  "workspaces:ConfigurationVersion": [
    "configuration-versions",
    "workspaces/the workspace/configuration-versions",
  ],
  "workspaces:GpgKey": [
    "gpg-keys",
    "/api/registry/private/v2/gpg-keys",
    ({ namespace }) => `/api/registry/private/v2/gpg-keys/${namespace}/${GPG_KEYS.two.keyId}`,
  ],
  "workspaces:RegistryProviderVersion": [
    "registry-provider-versions",
    `${PROVIDER}/versions`,
    ({ version }) => `${PROVIDER}/versions/${version}`,
  ],
  "workspaces:RegistryProviderPlatform": [
    "registry-provider-platforms",
    `${PROVIDER}/versions/1.0.0/platforms`,
    ({ os, arch }) => `${PROVIDER}/versions/1.0.0/platforms/${os}/${arch}`,
  ],
  "workspaces:VariableSet": ["varsets", `${ORGANIZATION}/varsets`],
  "workspaces:RunTrigger": ["run-triggers", "workspaces/the workspace/run-triggers"],
  "workspaces:NotificationConfiguration": [
    "notification-configurations",
    "workspaces/the workspace/notification-configurations",
  ],
  "workspaces:Team": ["teams", `${ORGANIZATION}/teams`],
  "workspaces:AgentToken": ["agent-tokens", "agent-pools/apool-general/authentication-tokens"],
  "workspaces:OauthClient": ["oauth-clients", `${ORGANIZATION}/oauth-clients`],
  "workspaces:VariableSetVariable": [
    "vars",
    "varsets/the varset/relationships/vars",
    () => "varsets/the varset/relationships/vars",
  ],
  "workspaces:TeamAccess": ["team-workspaces", "team-workspaces"],
  "workspaces:SshKey": ["ssh-keys", `${ORGANIZATION}/ssh-keys`],
};

/** Members of requests that are relationships. */
const RELATIONSHIPS = new Set([
  ...["project", "tags", "tag-bindings", "allowed-workspaces", "allowed-projects", "excluded-workspaces"],
  ...["configuration-version", "workspace", "parent", "workspaces", "projects", "sourceable", "users"],
  ...["subscribable", "agent-pool", "team"],
]);

async function open(token: string): Promise<Writer> {
  const service = new WorkspacesService({
    seed: {
      tokens: { owner: { user: "olga", organizations: { acme: ["owners"] } } },
      organizations: { acme: { teams: { ops: {}, dev: {} }, variableSets: ["varset-1"] } },
    },
    // A run stays pending.
    switches: { dialect: "real", runPhaseMilliseconds: 60_000 },
  });
  const headers = { authorization: "Bearer owner", "content-type": "application/vnd.api+json" };
  const request = (method: string, path: string, body?: Json) =>
    send(service, method, path.startsWith("/") ? path : `/api/v2/${path}`, { headers, body });
  const create = async (path: string, type: string, attributes: Members, relationships: Members = {}) =>
    (await request("POST", path, { data: { type, attributes, relationships } })).body.data.id;
  const workspace = await create(`${ORGANIZATION}/workspaces`, "workspaces", { name: "the-workspace" });
  const ids = new Map<string, string>([
    ["the workspace", workspace],
    ["the other", await create(`${ORGANIZATION}/workspaces`, "workspaces", { name: "the-other" })],
    [
      "the version",
      await create(`workspaces/${workspace}/configuration-versions`, "configuration-versions", {}),
    ],
    ["the third", await create(`${ORGANIZATION}/workspaces`, "workspaces", { name: "the-third" })],
    ["the team", "team-ops"],
    ["another team", "team-dev"],
    ["the varset", "varset-1"],
  ]);
  if (token.startsWith("workspaces:RegistryProvider")) {
    await create("/api/registry/private/v2/gpg-keys", "gpg-keys", {
      namespace: "acme",
      "ascii-armor": GPG_KEYS.one.asciiArmor,
    });
    await create(`${ORGANIZATION}/registry-providers`, "registry-providers", {
      ...{ name: "the-provider", namespace: "acme", "registry-name": "private" },
    });
    await create(`${PROVIDER}/versions`, "registry-provider-versions", {
      ...{ version: "1.0.0", "key-id": GPG_KEYS.one.keyId, protocols: ["5.0"] },
    });
  }
  return async (body) => {
    const [type, at, read] = AT[token] ?? ["", ""];
    const path = (text: string) => String(withIds(text, ids, "to IDs"));
    const sent = withIds(type === "" ? body : { data: resourceOf(type, body) }, ids, "to IDs");
    const written = await request("POST", path(at), sent);
    if (written.status >= 300) return { rejection: `${written.status} ${written.text}` };
    const { id } = written.body.data;
    const answer = await request("GET", path(read?.(body) ?? `${written.body.data.type}/${id}`));
    if (answer.status !== 200) return { rejection: `a read returns ${answer.status}` };
    const data = [answer.body.data].flat().find((one) => one.id === id);
    const hasTags = token === "workspaces:Workspace" || token === "workspaces:Project";
    const tags = hasTags ? (await request("GET", `${type}/${id}/tag-bindings`)).body.data : undefined;
    const shown = {
      ...flat(withIds(data, ids, "from IDs")),
      ...(tags && { "tag-bindings": tags.map(boundOf) }),
    };
    return { read: shown, dump: JSON.stringify(service.dump()) };
  };
}

/** A tag binding as in a request. */
function boundOf({ type, attributes: { key, value } }: { type: string; attributes: Members }): Json {
  return { type, attributes: { key: key ?? null, value: value ?? null } };
}

/** A resource object, with the relationships in their own member. */
function resourceOf(type: string, body: Members): Json {
  const entries = Object.entries(body);
  const related = entries.filter(([name]) => RELATIONSHIPS.has(name));
  return {
    type,
    attributes: Object.fromEntries(entries.filter(([name]) => !RELATIONSHIPS.has(name))),
    relationships: Object.fromEntries(related.map(([name, data]) => [name, { data }])),
  };
}

/** The attributes and the data of the relationships of a resource object. */
function flat(data: Json): Members {
  const { attributes, relationships } = Object(data) as { attributes: Members; relationships?: Members };
  const related = Object.entries(relationships ?? {}).map(([name, one]) => [
    name,
    isObject(one) ? (one.data ?? null) : null,
  ]);
  return { ...attributes, ...Object.fromEntries(related) };
}

/** HCP Terraform's mock server. */
export const workspaces: Product = {
  service: "workspaces",
  ...requirements,
  returned: [
    [/:Workspace agent-pool-id$/, { at: "agent-pool.id" }],
    [/:Workspace tags$/, { at: "tag-names", value: ["own"] }],
    [/:WorkspaceLock reason$/, { at: "locked-reason" }],
    [/:Project default-agent-pool-id$/, { at: "default-agent-pool.id" }],
  ],
  hasElsewhere: false,
  unread: [/(:SshKey value| token| oauth-token-string| secret| private-key)$/],
  dropped: [],
  treatments: [
    [/:Run auto-apply$/, "stored"],
    [/:ConfigurationVersion auto-queue-runs$/, "stored"],
  ],
  open,
  // The server ignores unknown members of a resource object.
  unknown: () => "ignored",
  unknownValue: "unknown",
  // HCP Terraform accepts these relationships, which its Go client sends in requests of their own.
  further: [/:VariableSet (workspaces|projects)$/],
};
