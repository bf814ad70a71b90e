import type { StackSettings } from "../../backend/configuration/settings";
import type { Crypter } from "../../backend/passphrase";
import type { StackReference } from "../../backend/reference";
import type { Invocation } from "../line/invocation";
import type { Project } from "../workspace/project";
import { Workspace } from "../workspace/workspace";

/** The flags that select a stack's configuration. */
export const CONFIG_FLAGS = { stack: ["text", "s"], "config-file": "text" } as const;

/** The configuration that a command reads or changes. */
export interface ConfigSubject {
  readonly workspace: Workspace;
  readonly project: Project;
  readonly reference: StackReference;
  readonly settings: StackSettings;
  crypter(): Promise<Crypter>;
}

export function openConfig(invocation: Invocation): ConfigSubject {
  const workspace = new Workspace(invocation);
  const project = workspace.requireProject();
  const reference = workspace.stack();
  const settings = workspace.settings(reference);
  return {
    workspace,
    project,
    reference,
    settings,
    crypter: async () => (await workspace.secrets(reference, settings)).crypter,
  };
}
