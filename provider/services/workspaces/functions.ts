import organizationFunctions from "./organizationFunctions";
import { getPublicRegistry } from "./publicRegistry";
import { getRegistryProvider, getRegistryProviders } from "./registryProviderFunctions";
import { getVariables } from "./variableFunctions";
import { getRemoteStateConsumers, getWorkspace, getWorkspaces, getWorkspaceTags } from "./workspaceFunctions";
import { getWorkspaceOutputs } from "./workspaceOutputs";

/** The HCP Terraform functions. */
export default {
  getWorkspace,
  getWorkspaces,
  getRemoteStateConsumers,
  getWorkspaceTags,
  getPublicRegistry,
  getRegistryProvider,
  getRegistryProviders,
  ...organizationFunctions,
  getVariables,
  getWorkspaceOutputs,
};
