import { z } from "zod";
import { field } from "../../core";

/** Settings of a workspace that the specification's page does not list (go-tfe: `WorkspaceCreateOptions`). */
export const workspaceSettings = {
  projectRemoteState: field(z.boolean().optional(), {
    doc: "Allow all workspaces in the project to read this workspace's state.",
    toWrite:
      "Terraform Enterprise 1.1.0 and later. Must not be true together with `globalRemoteState`, so also set `globalRemoteState: false`.",
    default: false,
  }),
  inheritsProjectAutoDestroy: field(z.boolean().optional(), {
    doc: "Inherit the auto-destroy settings of the project.",
    toWrite:
      "Cannot be combined with `autoDestroyAt` or `autoDestroyActivityDuration`, which the server then takes from the project. If removed, the workspace uses its own settings again.",
    empty: false,
  }),
  structuredRunOutputEnabled: field(z.boolean().optional(), {
    doc: "Show the output of runs in structured form instead of as text; applies to Terraform 0.15.2 and later.",
    default: true,
  }),
  hyokEnabled: field(z.boolean().optional(), {
    doc: "Encrypt the workspace's artifacts with the organization's own key (hold your own key, HYOK).",
    toWrite:
      "Requires HCP Terraform with HYOK in the organization's plan. HCP Terraform cannot turn it off again.",
    notRestored: true,
  }),
};
