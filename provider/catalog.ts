import type { AnyDefinition } from "./core/define";

/** Every resource, one line each. A definition, and with it its service, is loaded on first use. */
export const catalog: Readonly<Record<string, () => AnyDefinition>> = {
  "workspaces:Workspace": () => load(require("./services/workspaces/workspace")),
  "workspaces:WorkspaceForceUnlock": () => load(require("./services/workspaces/workspaceForceUnlock")),
  "scheduler:Job": () => load(require("./services/scheduler/job")),
  "secrets:QueueRole": () => load(require("./services/secrets/queueRole")),
  "secrets:QueueConnection": () => load(require("./services/secrets/queueConnection")),
  "secrets:MfaMethod": () => load(require("./services/secrets/mfaMethod")),
  "secrets:LoginEnforcement": () => load(require("./services/secrets/loginEnforcement")),
  "secrets:CloudRootRotation": () => load(require("./services/secrets/cloudRootRotation")),
  "secrets:DirectoryRootRotation": () => load(require("./services/secrets/directoryRootRotation")),
  "secrets:DirectoryRoleRotation": () => load(require("./services/secrets/directoryRoleRotation")),
  "secrets:RecoveryBackupDeletion": () => load(require("./services/secrets/recoveryBackupDeletion")),
  "mesh:ConfigEntry": () => load(require("./services/mesh/configEntry")),
};

function load(module: { default: AnyDefinition }): AnyDefinition {
  return module.default;
}
