import { listOf } from "../../../../provider/core/value/json";
import type { Attributes } from "../source";
import {
  addressFrom,
  type FindAttributes,
  joined,
  type Mappings,
  oneResource,
  type Target,
  textOf,
} from "./mapping";

const ofOrganization = (token: string, part: string, importId?: "none") =>
  oneResource(token, { organization: "organization", [part]: "id" }, { ...(importId && { importId }) });

/** Settings that one resource of this package contains, and that Terraform keeps in a resource of its own. */
const partOf = (token: string, part: string, attribute: string) =>
  oneResource(token, { [part]: attribute }, { isPart: true });

/** `organization/name` of the workspace with this ID. */
function workspacePath(id: string | undefined, find: FindAttributes): string | undefined {
  const workspace = find("tfe_workspace", id);
  return joined(textOf(workspace?.organization), textOf(workspace?.name));
}

const workspaceTargets = ({ id, remote_state_consumer_ids: consumers }: Attributes): Target[] => {
  const address = { workspaceId: textOf(id) };
  return [
    { token: "workspaces:Workspace", address },
    ...(listOf(consumers).length > 0 ? [{ token: "workspaces:RemoteStateConsumers", address }] : []),
  ];
};

/** Types of terraform-provider-tfe 0. */
export const workspaces: Mappings = {
  tfe_workspace: { targets: workspaceTargets },
  tfe_workspace_settings: { targets: workspaceTargets, isPart: true },
  tfe_variable: {
    targets: (attributes) => [
      textOf(attributes.variable_set_id) === undefined
        ? {
            token: "workspaces:Variable",
            address: addressFrom(attributes, { workspaceId: "workspace_id", variableId: "id" }),
          }
        : {
            token: "workspaces:VariableSetVariable",
            address: addressFrom(attributes, { variableSetId: "variable_set_id", variableId: "id" }),
          },
    ],
    shown: ({ sensitive }) => (sensitive === true ? [] : ["value"]),
    importId: ({ id, workspace_id, variable_set_id }, find) => {
      const set = find("tfe_variable_set", textOf(variable_set_id));
      const path =
        set === undefined
          ? workspacePath(textOf(workspace_id), find)
          : joined(textOf(set.organization), textOf(set.id));
      return joined(path, textOf(id));
    },
  },
  tfe_variable_set: ofOrganization("workspaces:VariableSet", "variableSetId"),
  tfe_workspace_variable_set: partOf("workspaces:VariableSet", "variableSetId", "variable_set_id"),
  tfe_project_variable_set: partOf("workspaces:VariableSet", "variableSetId", "variable_set_id"),
  tfe_project: ofOrganization("workspaces:Project", "projectId"),
  tfe_project_settings: partOf("workspaces:Project", "projectId", "project_id"),
  tfe_agent_pool: ofOrganization("workspaces:AgentPool", "agentPoolId"),
  tfe_agent_pool_allowed_workspaces: partOf("workspaces:AgentPool", "agentPoolId", "agent_pool_id"),
  tfe_agent_pool_allowed_projects: partOf("workspaces:AgentPool", "agentPoolId", "agent_pool_id"),
  tfe_agent_pool_excluded_workspaces: partOf("workspaces:AgentPool", "agentPoolId", "agent_pool_id"),
  tfe_agent_token: oneResource(
    "workspaces:AgentToken",
    { agentPoolId: "agent_pool_id", agentTokenId: "id" },
    { importId: "none" },
  ),
  tfe_ssh_key: ofOrganization("workspaces:SshKey", "sshKeyId", "none"),
  tfe_oauth_client: {
    targets: (attributes) => [
      {
        token: "workspaces:OauthClient",
        address: addressFrom(attributes, { organization: "organization", oauthClientId: "id" }),
        outputs: addressFrom(attributes, { oauthTokenId: "oauth_token_id" }),
      },
    ],
    importId: "none",
  },
  tfe_project_oauth_client: partOf("workspaces:OauthClient", "oauthClientId", "oauth_client_id"),
  tfe_run_trigger: oneResource("workspaces:RunTrigger", { workspaceId: "workspace_id", runTriggerId: "id" }),
  tfe_notification_configuration: oneResource("workspaces:NotificationConfiguration", {
    workspaceId: "workspace_id",
    notificationConfigurationId: "id",
  }),
  tfe_registry_provider: oneResource(
    "workspaces:RegistryProvider",
    { organization: "organization", registryName: "registry_name", namespace: "namespace", name: "name" },
    {
      importId: ({ organization, registry_name, namespace, name }) =>
        joined(textOf(organization), textOf(registry_name), textOf(namespace), textOf(name)),
    },
  ),
  tfe_registry_gpg_key: oneResource(
    "workspaces:GpgKey",
    { organization: "organization", keyId: "id" },
    { importId: ({ organization, id }) => joined(textOf(organization), textOf(id)) },
  ),
  tfe_data_retention_policy: oneResource(
    "workspaces:DataRetentionPolicy",
    { workspaceId: "workspace_id" },
    { importId: ({ workspace_id }, find) => workspacePath(textOf(workspace_id), find) },
  ),
  tfe_team: oneResource(
    "workspaces:Team",
    { organization: "organization", teamId: "id" },
    { importId: ({ organization, id }) => joined(textOf(organization), textOf(id)) },
  ),
  tfe_team_access: oneResource(
    "workspaces:TeamAccess",
    { workspaceId: "workspace_id", teamAccessId: "id" },
    {
      importId: ({ workspace_id, id }, find) => joined(workspacePath(textOf(workspace_id), find), textOf(id)),
    },
  ),
};
