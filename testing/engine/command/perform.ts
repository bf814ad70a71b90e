import { resolve } from "node:path";
import { decryptConfig, refuseUndeclared, withDeclared } from "../backend/configuration/effective";
import type { ConfigMap, StackSettings } from "../backend/configuration/settings";
import { ciphertextsIn } from "../backend/configuration/value";
import { addToHistory } from "../backend/history";
import type { SecretsProvider } from "../backend/passphrase";
import type { StackReference } from "../backend/reference";
import { StackUpdate } from "../backend/update";
import { type DeployOptions, type DeployResult, deploy } from "../deployment/deploy";
import { DiffDisplay } from "../display/diff";
import type { DisplayOptions } from "../display/display";
import { openEventLog } from "../display/event-log";
import { masker } from "../display/mask";
import { ProgressDisplay } from "../display/progress";
import { inContext, Refusal } from "../refusal";
import type { PropertyValue, Snapshot } from "../state";
import { deployOptions } from "./deploy-options";
import { recordEnvironment } from "./environment-record";
import type { Invocation } from "./invocation";
import type { Project } from "./project";
import { Workspace } from "./workspace";

export type Kind = DeployOptions["kind"];

/** What an operation works on. */
export interface OperationSubject {
  readonly invocation: Invocation;
  readonly workspace: Workspace;
  readonly project: Project;
  readonly reference: StackReference;
  readonly settings: StackSettings;
  readonly secrets: { readonly reading: SecretsProvider; readonly writing: SecretsProvider };
  /** The configuration as it is kept, for the history. */
  readonly stored: ConfigMap;
  /** The configuration as the program gets it. */
  readonly config: Readonly<Record<string, PropertyValue>>;
}

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

const TITLES = {
  preview: ["update", "Updating"],
  up: ["update", "Updating"],
  refresh: ["refresh", "Refreshing"],
  destroy: ["destroy", "Destroying"],
} as const;

/** Runs one operation, shows it, and unless it is a preview keeps what came of it. Returns what changed. */
export async function perform(
  subject: OperationSubject,
  kind: Kind,
  { preview }: { readonly preview: boolean },
): Promise<DeployResult["changes"]> {
  const { invocation, workspace, reference, secrets, stored } = subject;
  const { flags, console } = invocation;
  const [planned, doing] = TITLES[kind];
  console.out(`${preview ? `Previewing ${planned}` : doing} (${workspace.nameOf(reference)}):\n`);
  const update = StackUpdate.open(workspace.store, reference, secrets);
  const display = createDisplay(subject, preview);
  const told: string[] = [];
  const mask = masker(secretTexts(subject));
  const log = openEventLog(eventLogOf(invocation));
  const startTime = seconds();
  let result: DeployResult | undefined;
  try {
    result = await deploy({
      ...deployOptions(subject, kind, preview),
      snapshot: startingPoint(update.snapshot, flags.isSet("clear-pending-creates")),
      save: (snapshot) => (preview ? Promise.resolve() : update.save(snapshot)),
      emit: (unmasked) => {
        const event = mask(unmasked);
        if (event.diagnosticEvent?.severity === "error") told.push(event.diagnosticEvent.message);
        log.write(event);
        display.show(event);
      },
    });
  } finally {
    await log.close();
    if (!preview) {
      update.finish();
      addToHistory(workspace.store, reference, {
        kind: kind === "refresh" || kind === "destroy" ? kind : "update",
        startTime,
        message: flags.text("message") ?? "",
        environment: recordEnvironment(invocation),
        config: stored,
        result: result && result.error === undefined ? "succeeded" : "failed",
        endTime: seconds(),
        version: 0,
        resourceChanges: result?.changes ?? {},
      });
    }
  }
  const { error } = result;
  if (error === undefined) return result.changes;
  // What stands in the diagnostics is not said again.
  throw new Refusal(result.reported || told.some((message) => message.includes(error)) ? "" : error);
}

/** What is secret in the configuration, each part of a structured value by itself. */
function secretTexts({ stored, secrets }: OperationSubject): string[] {
  const ciphertexts = Object.values(stored).flatMap(ciphertextsIn);
  return ciphertexts.map((ciphertext) => secrets.writing.crypter.decrypt(ciphertext));
}

const seconds = () => Math.floor(Date.now() / 1000);

/** `--clear-pending-creates` forgets the creations of which no end is on record. */
function startingPoint(snapshot: Snapshot, clear: boolean): Snapshot {
  if (!clear) return snapshot;
  return {
    ...snapshot,
    pendingOperations: snapshot.pendingOperations.filter(({ type }) => type !== "creating"),
  };
}

function createDisplay({ invocation, reference, project }: OperationSubject, preview: boolean) {
  const { flags, console } = invocation;
  const options: DisplayOptions = {
    stack: reference.name,
    project: project.name,
    preview,
    debug: flags.isSet("debug"),
    suppressOutputs: flags.isSet("suppress-outputs"),
    fullOutput: flags.isSet("show-full-output"),
    out: (text) => console.out(text),
    error: (text) => console.error(text),
    now: Date.now,
  };
  return flags.isSet("diff") ? new DiffDisplay(options) : new ProgressDisplay(options);
}

function eventLogOf({ flags, workingDirectory }: Invocation): string | undefined {
  const target = flags.text("event-log");
  return target === undefined || target.startsWith("tcp://") ? target : resolve(workingDirectory, target);
}
