import { workspaces } from "../../../sdk";

/** From an empty organization to a workspace that an agent pool serves, with variables, a key for its modules, a source of runs and notifications. */
export function network() {
  const { agentPoolId } = new workspaces.AgentPool("agents", { name: "agents" });

  const { sshKeyId } = new workspaces.SshKey("submodules", { name: "submodules", value: "a private key" });

  const { workspaceId } = new workspaces.Workspace("network", {
    name: "network",
    description: "Networks of the shop",
    executionMode: "agent",
    agentPoolId,
    sshKeyId,
    // OTF has no safe delete.
    forceDelete: true,
  });

  new workspaces.Variable("region", {
    workspaceId,
    key: "region",
    value: "eu-west-1",
    category: "terraform",
  });

  new workspaces.Variable("zones", {
    workspaceId,
    key: "zones",
    value: '["a", "b"]',
    hcl: true,
    category: "terraform",
  });

  new workspaces.Variable("token", {
    workspaceId,
    key: "CLOUD_TOKEN",
    category: "env",
    sensitive: true,
    sensitiveValue: "hush",
  });

  const { workspaceId: sourceableId } = new workspaces.Workspace("accounts", {
    name: "accounts",
    forceDelete: true,
  });

  new workspaces.RunTrigger("after-accounts", { workspaceId, sourceableId });

  new workspaces.NotificationConfiguration("failures", {
    workspaceId,
    name: "failures",
    destinationType: "generic",
    url: "https://hooks.example.com/failures",
    triggers: ["run:errored"],
  });

  return { workspaceId, agentPoolId };
}
