import { z } from "zod";
import { type Body, enumeration, field, isWritten, type Rule, rule, type UpdateInput } from "../../core";

const mode = "defaultExecutionMode";
const pool = "defaultAgentPoolId";

const overwrite = (wire: string, doc: string) =>
  field(z.boolean().optional(), { doc, wire, notRestored: true });

/** The defaults of a project for its workspaces (go-tfe: `ProjectCreateOptions`). */
export const projectSettings = {
  defaultExecutionMode: field(
    enumeration({
      remote: "HCP Terraform executes runs.",
      local: "Runs execute outside HCP Terraform, which only stores the state.",
      agent: "Self-hosted agents execute runs.",
    }).optional(),
    {
      doc: "Execution mode of workspaces in the project that do not set their own.",
      toWrite: "If removed, the organization's default applies again (`settingOverwrites` is set to false).",
      sentWith: ["settingOverwrites"],
      inheritedWhileFalse: "settingOverwrites.executionMode",
    },
  ),
  defaultAgentPoolId: field(z.string().min(1).optional(), {
    doc: "ID of the agent pool (`apool-…`) of workspaces in the project that do not set their own.",
    toWrite: "Required if `defaultExecutionMode` is `agent`, and only allowed then.",
    empty: null,
    sentWith: [mode],
    inheritedWhileFalse: "settingOverwrites.agentPool",
  }),
  settingOverwrites: field(
    z
      .strictObject({
        executionMode: overwrite(
          "default-execution-mode",
          "Use the project's own execution mode; false inherits the organization's.",
        ),
        agentPool: overwrite(
          "default-agent-pool",
          "Use the project's own agent pool; false inherits the organization's.",
        ),
      })
      .optional(),
    {
      doc: "Settings that the project sets itself instead of inheriting them from the organization.",
      toWrite: "If both are set, they must have the same value.",
      notRestored: true,
    },
  ),
};

/** The rules between the settings (source: the integration tests of go-tfe). */
export const projectRules: readonly Rule[] = [
  rule(
    [pool, mode],
    (id, own) => (own === "agent") !== (id !== undefined),
    "is required if defaultExecutionMode is agent, and only allowed then",
  ),
  rule(
    ["settingOverwrites.executionMode", "settingOverwrites.agentPool"],
    (ofMode, ofPool) => ofMode !== undefined && ofPool !== undefined && ofMode !== ofPool,
    "must have the same value as settingOverwrites.agentPool",
  ),
  rule(
    [mode, "settingOverwrites.executionMode"],
    (own, ofMode) => ofMode !== undefined && ofMode !== (own !== undefined),
    "must be set if settingOverwrites.executionMode is true, and not set if it is false",
  ),
];

/** If a program drops the execution mode, the project inherits the organization's again. Every server shows the flags. */
export const inheritance = {
  flags({ inputs, applied }: UpdateInput): Body {
    if (!isWritten(applied[mode]) || isWritten(inputs[mode])) return {};
    return { "setting-overwrites": { "default-execution-mode": false, "default-agent-pool": false } };
  },
  values: async () => ({}),
};
