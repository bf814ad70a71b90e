import { getPublicRegistry } from "./publicRegistry";
import { getRegistryProvider, getRegistryProviders } from "./registryProviderFunctions";
import { getRemoteStateConsumers, getWorkspace, getWorkspaces, getWorkspaceTags } from "./workspaceFunctions";

/** The HCP Terraform functions. */
export default {
  getWorkspace,
  getWorkspaces,
  getRemoteStateConsumers,
  getWorkspaceTags,
  getPublicRegistry,
  getRegistryProvider,
  getRegistryProviders,
};
