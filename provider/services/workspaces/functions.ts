import { getPublicRegistry } from "./publicRegistry";
import { getRegistryProvider, getRegistryProviders } from "./registryProviderFunctions";
import { getRemoteStateConsumers, getWorkspace, getWorkspaces, getWorkspaceTags } from "./workspaceFunctions";

/** The functions of the workspaces service. */
export default {
  getWorkspace,
  getWorkspaces,
  getRemoteStateConsumers,
  getWorkspaceTags,
  getPublicRegistry,
  getRegistryProvider,
  getRegistryProviders,
};
