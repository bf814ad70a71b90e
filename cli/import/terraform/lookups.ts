import { addressFrom, withoutMissing } from "./mappings/mapping";
import type { Attributes } from "./source";

/** How a data source of Terraform becomes a function call. */
export interface Lookup {
  /** For example `workspaces:getProject`. */
  readonly token: string;
  /** The type of the object that it finds: other resources refer to its outputs as to those of a resource. */
  readonly finds: string;
  /** The attribute for each argument. */
  readonly args: Readonly<Record<string, string>>;
  /** The attribute for each output that other resources refer to. */
  readonly outputs: Readonly<Record<string, string>>;
}

const inOrganization = (name: string, output: string): Lookup => ({
  token: `workspaces:get${name}`,
  finds: `workspaces:${name}`,
  args: { organization: "organization", name: "name" },
  outputs: { [output]: "id" },
});

/** The data sources whose result other resources refer to. */
export const lookups: Readonly<Record<string, Lookup>> = {
  tfe_workspace: inOrganization("Workspace", "workspaceId"),
  tfe_project: inOrganization("Project", "projectId"),
  tfe_agent_pool: inOrganization("AgentPool", "agentPoolId"),
  tfe_ssh_key: inOrganization("SshKey", "sshKeyId"),
  tfe_variable_set: inOrganization("VariableSet", "variableSetId"),
  tfe_team: inOrganization("Team", "teamId"),
  tfe_oauth_client: {
    token: "workspaces:getOauthClient",
    finds: "workspaces:OauthClient",
    args: { organization: "organization", name: "name", serviceProvider: "service_provider" },
    outputs: { oauthTokenId: "oauth_token_id" },
  },
  vault_auth_backend: {
    token: "secrets:getAuthMethod",
    finds: "secrets:AuthMethod",
    args: { namespace: "namespace", path: "path" },
    outputs: { path: "path", accessor: "accessor" },
  },
  vault_identity_entity: {
    token: "secrets:getEntity",
    finds: "secrets:Entity",
    args: { namespace: "namespace", name: "entity_name" },
    outputs: { entityId: "id" },
  },
  vault_identity_group: {
    token: "secrets:getGroup",
    finds: "secrets:Group",
    args: { namespace: "namespace", name: "group_name" },
    outputs: { groupId: "id" },
  },
};

/** The texts of some attributes by other names, without missing ones. */
export function textsOf(attributes: Attributes, names: Readonly<Record<string, string>>) {
  return withoutMissing(addressFrom(attributes, names));
}
