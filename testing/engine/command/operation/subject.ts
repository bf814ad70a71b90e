import { decryptConfig, refuseUndeclared, withDeclared } from "../../backend/configuration/effective";
import type { ConfigMap, StackSettings } from "../../backend/configuration/settings";
import type { SecretsProvider } from "../../backend/passphrase";
import type { StackReference } from "../../backend/reference";
import type { DeployOptions } from "../../deployment/operation/options";
import { inContext, Refusal } from "../../refusal";
import type { PropertyValue } from "../../state/values";
import type { Invocation } from "../line/invocation";
import type { Project } from "../workspace/project";
import { Workspace } from "../workspace/workspace";

export type Kind = DeployOptions["kind"];

/** The inputs of an operation. */
export interface OperationSubject {
  readonly invocation: Invocation;
  readonly workspace: Workspace;
  readonly project: Project;
  readonly reference: StackReference;
  readonly settings: StackSettings;
  readonly secrets: { readonly reading: SecretsProvider; readonly writing: SecretsProvider };
  /** The configuration as stored, for the history. */
  readonly stored: ConfigMap;
  /** The configuration for the program. */
  readonly config: Readonly<Record<string, PropertyValue>>;
}

/** Collects the inputs from the command line and the working directory. */
export async function openSubject(invocation: Invocation, kind: Kind): Promise<OperationSubject> {
  const workspace = new Workspace(invocation);
  const reference = workspace.stack();
  const project = workspace.requireProject();
  if (project.name !== reference.project) {
    throw new Refusal(
      `provided project name "${reference.project}" doesn't match Pulumi.yaml (found "${project.name}")`,
    );
  }
  const settings = workspace.settings(reference);
  const writing = await inContext(
    "getting stack configuration: get stack secrets manager",
    workspace.secrets(reference, settings),
  );
  const reading = (await workspace.checkpointSecrets(reference)) ?? writing;
  const stored = withDeclared(settings.config, project.config);
  if (kind === "up" || kind === "preview")
    refuseUndeclared(stored, project.config, reference.name, project.name);
  return {
    invocation,
    workspace,
    project,
    reference,
    settings,
    secrets: { reading, writing },
    stored,
    config: decryptConfig(stored, writing.crypter),
  };
}
