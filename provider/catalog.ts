import type { AnyDefinition } from "./core/define";

/** Every resource, one line each. A definition, and with it its service, is loaded on first use. */
export const catalog: Readonly<Record<string, () => AnyDefinition>> = {
  "workspaces:Workspace": () => load(require("./services/workspaces/workspace")),
  "workspaces:RegistryProvider": () => load(require("./services/workspaces/registryProvider")),
  "workspaces:WorkspaceLock": () => load(require("./services/workspaces/workspaceLock")),
  "workspaces:WorkspaceSshKey": () => load(require("./services/workspaces/workspaceSshKey")),
  "workspaces:RemoteStateConsumers": () => load(require("./services/workspaces/remoteStateConsumers")),
  "workspaces:DataRetentionPolicy": () => load(require("./services/workspaces/dataRetentionPolicy")),
  "workspaces:WorkspaceForceUnlock": () => load(require("./services/workspaces/workspaceForceUnlock")),
  "scheduler:Job": () => load(require("./services/scheduler/job")),
  "secrets:QueueRole": () => load(require("./services/secrets/queueRole")),
  "secrets:QueueLease": () => load(require("./services/secrets/queueLease")),
  "secrets:QueueConnection": () => load(require("./services/secrets/queueConnection")),
  "secrets:MfaMethod": () => load(require("./services/secrets/mfaMethod")),
  "secrets:LoginEnforcement": () => load(require("./services/secrets/loginEnforcement")),
  "secrets:CloudRoot": () => load(require("./services/secrets/cloudRoot")),
  "secrets:CloudLease": () => load(require("./services/secrets/cloudLease")),
  "secrets:CloudRole": () => load(require("./services/secrets/cloudRole")),
  "secrets:CloudStaticRole": () => load(require("./services/secrets/cloudStaticRole")),
  "secrets:DirectoryConfig": () => load(require("./services/secrets/directoryConfig")),
  "secrets:DirectoryStaticRole": () => load(require("./services/secrets/directoryStaticRole")),
  "secrets:DirectoryRole": () => load(require("./services/secrets/directoryRole")),
  "secrets:LibrarySet": () => load(require("./services/secrets/librarySet")),
  "secrets:CloudRootRotation": () => load(require("./services/secrets/cloudRootRotation")),
  "secrets:DirectoryRootRotation": () => load(require("./services/secrets/directoryRootRotation")),
  "secrets:DirectoryRoleRotation": () => load(require("./services/secrets/directoryRoleRotation")),
  "secrets:RecoveryBackupDeletion": () => load(require("./services/secrets/recoveryBackupDeletion")),
  "mesh:ConfigEntry": () => load(require("./services/mesh/configEntry")),
  "mesh:ServiceDefaults": () => load(require("./services/mesh/kinds/serviceDefaults")),
  "mesh:ServiceIntentions": () => load(require("./services/mesh/kinds/serviceIntentions")),
  "mesh:ServiceResolver": () => load(require("./services/mesh/kinds/serviceResolver")),
  "mesh:ServiceRouter": () => load(require("./services/mesh/kinds/serviceRouter")),
  "mesh:ServiceSplitter": () => load(require("./services/mesh/kinds/serviceSplitter")),
  "mesh:IngressGateway": () => load(require("./services/mesh/kinds/ingressGateway")),
  "mesh:TerminatingGateway": () => load(require("./services/mesh/kinds/terminatingGateway")),
  "mesh:ApiGateway": () => load(require("./services/mesh/kinds/apiGateway")),
  "mesh:HttpRoute": () => load(require("./services/mesh/kinds/httpRoute")),
  "mesh:TcpRoute": () => load(require("./services/mesh/kinds/tcpRoute")),
  "mesh:InlineCertificate": () => load(require("./services/mesh/kinds/inlineCertificate")),
  "mesh:ExportedServices": () => load(require("./services/mesh/kinds/exportedServices")),
  "mesh:ProxyDefaults": () => load(require("./services/mesh/kinds/proxyDefaults")),
  "mesh:Mesh": () => load(require("./services/mesh/kinds/mesh")),
};

function load(module: { default: AnyDefinition }): AnyDefinition {
  return module.default;
}
