import type { Definition } from "./core/define";

/** Every resource, one line each. A definition, and with it its service, is loaded on first use. */
export const catalog: Readonly<Record<string, () => Definition>> = {
  "workspaces:Workspace": () => load(require("./services/workspaces/workspace")),
  "scheduler:Job": () => load(require("./services/scheduler/job")),
  "secrets:QueueRole": () => load(require("./services/secrets/queueRole")),
  "secrets:MfaMethod": () => load(require("./services/secrets/mfaMethod")),
  "secrets:LoginEnforcement": () => load(require("./services/secrets/loginEnforcement")),
  "mesh:ConfigEntry": () => load(require("./services/mesh/configEntry")),
};

function load(module: { default: Definition }): Definition {
  return module.default;
}
