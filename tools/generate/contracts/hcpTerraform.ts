import { type Contracts, DEPRECATED } from "./contract";

const NOT_MANAGED = "not managed";

/** HCP Terraform: the request types of its Go client. */
export const hcpTerraform: Contracts = {
  product: "go-tfe 1.111.2",
  resources: {
    "workspaces:Workspace": {
      source: "`WorkspaceCreateOptions`, `WorkspaceUpdateOptions`",
      fields: `
        agent-pool-id allow-destroy-plan assessments-enabled auto-apply auto-apply-run-trigger auto-destroy-at
        auto-destroy-activity-duration inherits-project-auto-destroy description execution-mode file-triggers-enabled
        global-remote-state project-remote-state migration-environment name operations queue-all-runs speculative-enabled
        source-name source-url structured-run-output-enabled terraform-version trigger-prefixes trigger-patterns
        vcs-repo{branch identifier ingress-submodules oauth-token-id tags-regex github-app-installation-id}
        working-directory hyok-enabled tags setting-overwrites{execution-mode agent-pool} project tag-bindings`,
      sentAs: { "engine-version": "terraform-version", "project-id": "project", "tag-names": "tags" },
      elsewhere: { "ssh-key-id": "a request of its own" },
      notOffered: { "migration-environment": DEPRECATED },
    },
    "workspaces:RegistryProvider": {
      source: "`RegistryProviderCreateOptions`",
      fields: "name namespace registry-name",
    },
    "workspaces:WorkspaceLock": {
      source: "`WorkspaceLockOptions`",
      fields: "reason",
      sentAs: { "locked-reason": "reason" },
    },
    "workspaces:DataRetentionPolicy": {
      source: "`DataRetentionPolicyDeleteOlderSetOptions`",
      fields: "delete-older-than-n-days",
      elsewhere: { "dont-delete": "a request of its own" },
    },
    "workspaces:Variable": {
      source: "`VariableCreateOptions`, `VariableUpdateOptions`",
      fields: "key value description category hcl sensitive",
      sentAs: { "sensitive-value": "value" },
    },
    "workspaces:Project": {
      source: "`ProjectCreateOptions`, `ProjectUpdateOptions`",
      fields: `
        name description tag-bindings auto-destroy-activity-duration default-execution-mode default-agent-pool-id
        setting-overwrites{default-execution-mode default-agent-pool}`,
    },
    "workspaces:AgentPool": {
      source: "`AgentPoolCreateOptions`, `AgentPoolUpdateOptions`",
      fields: "name organization-scoped allowed-workspaces allowed-projects excluded-workspaces",
    },
    "workspaces:Run": {
      source: "`RunCreateOptions`",
      fields: `
        allow-config-generation allow-empty-apply terraform-version plan-only is-destroy refresh refresh-only save-plan
        message configuration-version workspace target-addrs replace-addrs policy-paths auto-apply variables
        invoke-action-addrs`,
      notOffered: {
        workspace: "the workspace in the ID",
        "auto-apply": "always false: `waitFor` applies the plan",
        "save-plan": NOT_MANAGED,
        "allow-config-generation": "for the command line of Terraform",
        "policy-paths": "for runs of the command line with local policies",
        "invoke-action-addrs": NOT_MANAGED,
      },
    },
    "workspaces:ConfigurationVersion": {
      source: "`ConfigurationVersionCreateOptions`",
      fields: "auto-queue-runs speculative provisional",
      notOffered: { "auto-queue-runs": "always false: a `Run` queues a run" },
    },
    "workspaces:GpgKey": {
      source: "`GPGKeyCreateOptions`, `GPGKeyUpdateOptions`",
      fields: "namespace ascii-armor",
      sentAs: { organization: "namespace" },
    },
    "workspaces:RegistryProviderVersion": {
      source: "`RegistryProviderVersionCreateOptions`",
      fields: "version key-id protocols",
      elsewhere: {
        "shasums-sha256": "the digest of an uploaded file",
        "signature-sha256": "the digest of an uploaded file",
      },
    },
    "workspaces:RegistryProviderPlatform": {
      source: "`RegistryProviderPlatformCreateOptions`",
      fields: "os arch shasum filename",
      elsewhere: { "uploaded-sha256": "the digest of an uploaded file" },
    },
    "workspaces:VariableSet": {
      source: "`VariableSetCreateOptions`, `VariableSetUpdateOptions`",
      fields: "name description global priority parent",
      elsewhere: { workspaces: "requests of their own", projects: "requests of their own" },
      notOffered: { parent: NOT_MANAGED },
    },
    "workspaces:RunTrigger": {
      source: "`RunTriggerCreateOptions`",
      fields: "sourceable",
      sentAs: { "sourceable-id": "sourceable" },
    },
    "workspaces:NotificationConfiguration": {
      source: "`NotificationConfigurationCreateOptions`, `NotificationConfigurationUpdateOptions`",
      fields: "destination-type enabled name token triggers url email-addresses users subscribable",
      notOffered: { subscribable: "the path of the request names the workspace" },
    },
    "workspaces:Team": {
      source: "`TeamCreateOptions`, `TeamUpdateOptions`",
      fields: `
        name sso-team-id visibility allow-member-token-management
        organization-access{manage-policies manage-policy-overrides delegate-policy-overrides manage-workspaces
        manage-vcs-settings manage-providers manage-modules manage-run-tasks manage-projects read-workspaces read-projects
        manage-membership manage-teams manage-organization-access access-secret-teams manage-agent-pools}`,
    },
    "workspaces:AgentToken": { source: "`AgentTokenCreateOptions`", fields: "description" },
    "workspaces:OauthClient": {
      source: "`OAuthClientCreateOptions`, `OAuthClientUpdateOptions`",
      fields: `
        name api-url http-url key oauth-token-string projects private-key secret rsa-public-key service-provider
        agent-pool organization-scoped`,
      sentAs: { "agent-pool-id": "agent-pool" },
    },
    "workspaces:VariableSetVariable": {
      source: "`VariableSetVariableCreateOptions`, `VariableSetVariableUpdateOptions`",
      fields: "key value description category hcl sensitive",
      sentAs: { "sensitive-value": "value" },
    },
    "workspaces:TeamAccess": {
      source: "`TeamAccessAddOptions`, `TeamAccessUpdateOptions`",
      fields: `
        access runs variables state-versions sentinel-mocks workspace-locking run-tasks policy-overrides team workspace`,
      sentAs: { "team-id": "team", "workspace-id": "workspace" },
    },
    "workspaces:SshKey": { source: "`SSHKeyCreateOptions`", fields: "name value" },
  },
  without: {
    "workspaces:WorkspaceSshKey": "a part of a workspace",
    "workspaces:RemoteStateConsumers": "a part of a workspace",
    "workspaces:WorkspaceForceUnlock": "an action",
  },
};
