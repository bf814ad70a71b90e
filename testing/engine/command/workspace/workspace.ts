import { type Deployment, saltOf } from "../../backend/checkpoint";
import { StackSettings } from "../../backend/configuration/settings";
import { backendUrl, openDirectory } from "../../backend/directory";
import {
  createProvider,
  IncorrectPassphrase,
  openProvider,
  readPassphrase,
  type SecretsProvider,
} from "../../backend/passphrase";
import { displayName, parseReference, qualifiedName, type StackReference } from "../../backend/reference";
import { StackStore } from "../../backend/store";
import { ExitCode, Refusal } from "../../refusal";
import type { Invocation } from "../line/invocation";
import { findProject, type Project } from "./project";
import { selectedStack, selectStack } from "./selection";

/** The project, the backend and the stack of a command. */
export class Workspace {
  readonly project: Project | undefined;
  readonly url: string;
  readonly store: StackStore;

  constructor(readonly invocation: Invocation) {
    const { workingDirectory, environment } = invocation;
    this.project = findProject(workingDirectory);
    this.url = backendUrl(environment, this.project);
    this.store = new StackStore(openDirectory(this.url, workingDirectory));
  }

  requireProject(): Project {
    if (this.project !== undefined) return this.project;
    throw new Refusal(
      `no Pulumi.yaml project file found (searching upwards from ${this.invocation.workingDirectory})`,
    );
  }

  reference(name: string): StackReference {
    return parseReference(name, this.project?.name);
  }

  nameOf(reference: StackReference): string {
    return displayName(reference, this.project?.name);
  }

  /**
   * The named stack, or else the selected one.
   * @throws Refusal if it does not exist or no stack is selected
   */
  stack(name = this.invocation.flags.text("stack")): StackReference {
    const chosen = name ?? this.selected;
    if (chosen === undefined) {
      throw new Refusal(
        "no stack selected; please use `pulumi stack select` or `pulumi stack init` to choose one",
        ExitCode.failure,
      );
    }
    const reference = this.reference(chosen);
    if (!this.store.exists(reference)) {
      throw new Refusal(`no stack named '${this.nameOf(reference)}' found`, ExitCode.stackNotFound);
    }
    return reference;
  }

  get selected(): string | undefined {
    return this.project && selectedStack(this.project, this.url, this.invocation.environment);
  }

  select(reference: StackReference | undefined): void {
    const name = reference && qualifiedName(reference);
    if (this.project !== undefined) selectStack(this.project, this.url, this.invocation.environment, name);
  }

  settings(reference: StackReference): StackSettings {
    const { settingsFolder } = this.requireProject();
    return StackSettings.load(settingsFolder, reference.name, this.invocation.flags.text("config-file"));
  }

  /**
   * The provider that encrypts new secrets of a stack: from its settings, otherwise from its checkpoint (and saved in the
   * settings), otherwise a new one.
   */
  async secrets(reference: StackReference, settings: StackSettings): Promise<SecretsProvider> {
    const passphrase = this.#passphrase();
    if (settings.salt !== undefined) return openProvider(settings.salt, passphrase);
    const salt = this.store.exists(reference) ? saltOf(this.store.read(reference)) : undefined;
    const provider = await (salt === undefined ? createProvider(passphrase) : openProvider(salt, passphrase));
    settings.salt = provider.salt;
    settings.save();
    return provider;
  }

  /** The provider that encrypted the secrets in a stack's checkpoint. */
  checkpointSecrets(reference: StackReference): Promise<SecretsProvider | undefined> {
    return this.providerOf(this.store.read(reference));
  }

  /** The provider of a deployment; undefined if it names none. */
  async providerOf(deployment: Deployment): Promise<SecretsProvider | undefined> {
    const salt = saltOf(deployment);
    if (salt === undefined) return undefined;
    try {
      return await openProvider(salt, this.#passphrase());
    } catch (error) {
      if (!(error instanceof IncorrectPassphrase)) throw error;
      throw new Refusal(
        "failed to decrypt: incorrect passphrase, please set PULUMI_CONFIG_PASSPHRASE to the correct passphrase " +
          "or set PULUMI_CONFIG_PASSPHRASE_FILE to a file containing the passphrase",
      );
    }
  }

  #passphrase(): string {
    return readPassphrase(this.invocation.environment, this.invocation.workingDirectory);
  }
}
