import type { Json } from "../../provider/core/value/json";
import { GPG_KEYS } from "../../testing/tests/stub/gpg-keys";
import type { Requirements, Siblings, Values } from "./bodies";
import type { Leaf } from "./leaves";

const to = (type: string, id: string) => ({ type, id });

/** What HCP Terraform requires of an object that contains a field. */
const siblings: Siblings = [
  [/:(Workspace|Project|AgentPool|VariableSet|Team|SshKey) >/, { name: "app" }],
  [/:Workspace >agent-pool-id/, { "execution-mode": "agent" }],
  [/:Workspace vcs-repo>/, { identifier: "acme/app" }],
  [/:Workspace vcs-repo>(?!github)/, { "oauth-token-id": "ot-code" }],
  [/:Workspace >setting-overwrites\.execution-mode/, { "execution-mode": "local" }],
  [
    /:Workspace >setting-overwrites\.agent-pool/,
    { "execution-mode": "agent", "agent-pool-id": "apool-large" },
  ],
  [/:Project >default-agent-pool-id/, { "default-execution-mode": "agent" }],
  [
    /:Project >setting-overwrites/,
    { "default-execution-mode": "agent", "default-agent-pool-id": "apool-large" },
  ],
  [/:Project setting-overwrites>/, { "default-execution-mode": true, "default-agent-pool": true }],
  [/:Team organization-access>manage-projects/, { "manage-workspaces": true }],
  [/:Run >terraform-version/, { "plan-only": true }],
  [/:RegistryProvider >registry-name/, { namespace: "hashicorp" }],
  [/:RegistryProvider >/, { name: "app", namespace: "acme", "registry-name": "private" }],
  [/:DataRetentionPolicy >/, { "delete-older-than-n-days": 7 }],
  [/:(Variable|VariableSetVariable) >/, { key: "app", category: "env" }],
  [/:Run >/, { workspace: to("workspaces", "the workspace") }],
  [/:GpgKey >/, { namespace: "acme", "ascii-armor": GPG_KEYS.two.asciiArmor }],
  [/:RegistryProviderVersion >/, { version: "2.0.0", "key-id": GPG_KEYS.one.keyId, protocols: ["5.0"] }],
  [/:RegistryProviderPlatform >/, { os: "linux", arch: "amd64", shasum: "a".repeat(64), filename: "x.zip" }],
  [/:RunTrigger >/, { sourceable: to("workspaces", "the other") }],
  [
    /:NotificationConfiguration >/,
    { name: "app", "destination-type": "generic", url: "https://example.com", enabled: false },
  ],
  [/:AgentToken >/, { description: "app" }],
  [
    /:OauthClient >/,
    { "service-provider": "github", "http-url": "https://github.com", "api-url": "https://api.github.com" },
  ],
  [
    /:TeamAccess >/,
    { access: "custom", team: to("teams", "the team"), workspace: to("workspaces", "the workspace") },
  ],
  [/:SshKey >/, { value: "the key" }],
];

const values: Values = [
  [/:Workspace agent-pool-id$/, "apool-large"],
  [/ auto-destroy-activity-duration$/, "7d"],
  [/ auto-destroy-at$/, "2031-01-01T00:00:00Z"],
  [/:Workspace terraform-version$/, "1.7.0"],
  [/:Run terraform-version$/, "1.7.0"],
  [/ vcs-repo\.identifier$/, "acme/own"],
  [/ vcs-repo\.oauth-token-id$/, "ot-code"],
  [/ vcs-repo\.github-app-installation-id$/, "ghain-code"],
  [/:RegistryProvider namespace$/, "acme"],
  [/:GpgKey namespace$/, "acme"],
  [/ ascii-armor$/, GPG_KEYS.two.asciiArmor],
  [/:RegistryProviderVersion version$/, "3.0.0"],
  [/ key-id$/, GPG_KEYS.one.keyId],
  [/ protocols$/, "6.0"],
  [/ shasum$/, "b".repeat(64)],
  [/ default-agent-pool-id$/, "apool-large"],
  [/ triggers$/, "run:created"],
  [/:NotificationConfiguration url$/, "https://own.example.com"],
  [/ execution-mode$/, "local"],
  [/ default-execution-mode$/, "local"],
  [/:Run auto-apply$/, true],
  [/ auto-queue-runs$/, false],
  [/ parent$/, to("projects", "prj-platform")],
  [/ save-plan$/, true],
  [/ (policy-paths|invoke-action-addrs)$/, ["own"]],
  [/ allow-config-generation$/, true],
];

/** Relationships, and members of which the schema does not describe the form of a request. */
const leaves: Readonly<Record<string, readonly Leaf[]>> = {
  "workspaces:Workspace": [
    leaf("project", to("projects", "prj-platform")),
    leaf("tags", [{ type: "tags", attributes: { name: "own" } }]),
    leaf("tag-bindings", [{ type: "tag-bindings", attributes: { key: "own", value: "a" } }]),
  ],
  "workspaces:WorkspaceLock": [leaf("reason", "own")],
  "workspaces:Project": [
    leaf("tag-bindings", [{ type: "tag-bindings", attributes: { key: "own", value: "a" } }]),
  ],
  "workspaces:AgentPool": [
    leaf("allowed-workspaces", [to("workspaces", "the workspace")]),
    leaf("allowed-projects", [to("projects", "prj-platform")]),
    leaf("excluded-workspaces", [to("workspaces", "the workspace")]),
  ],
  "workspaces:Run": [
    leaf("configuration-version", to("configuration-versions", "the version")),
    leaf("variables", [{ key: "own", value: '"a"' }]),
  ],
  "workspaces:RunTrigger": [leaf("sourceable", to("workspaces", "the third"))],
  "workspaces:NotificationConfiguration": [leaf("users", [to("users", "user-own")])],
  "workspaces:OauthClient": [
    leaf("key", "own"),
    leaf("projects", [to("projects", "prj-platform")]),
    leaf("agent-pool", to("agent-pools", "apool-large")),
  ],
  "workspaces:TeamAccess": [
    leaf("team", to("teams", "another team")),
    leaf("workspace", to("workspaces", "the other")),
  ],
};

function leaf(path: string, value: Json): Leaf {
  return { path, body: { [path]: value } };
}

export const requirements: Requirements = { siblings, values, leaves };
