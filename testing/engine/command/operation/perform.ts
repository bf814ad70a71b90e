import { resolve } from "node:path";
import { ciphertextsIn } from "../../backend/configuration/value";
import { addToHistory } from "../../backend/history";
import { StackUpdate } from "../../backend/update";
import { deploy } from "../../deployment/deploy";
import type { DeployResult } from "../../deployment/operation/options";
import { DiffDisplay } from "../../display/diff";
import type { DisplayOptions } from "../../display/display";
import { openEventLog } from "../../display/event-log";
import { masker } from "../../display/mask";
import { ProgressDisplay } from "../../display/progress";
import { Refusal } from "../../refusal";
import type { Snapshot } from "../../state/resource";
import type { Invocation } from "../line/invocation";
import { recordEnvironment } from "./environment";
import { deployOptions } from "./options";
import type { Kind, OperationSubject } from "./subject";

const TITLES = {
  preview: ["update", "Updating"],
  up: ["update", "Updating"],
  refresh: ["refresh", "Refreshing"],
  destroy: ["destroy", "Destroying"],
} as const;

/** Runs and displays one operation, and saves its result unless it is a preview. Returns the changes. */
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
  // Do not repeat messages from the diagnostics.
  throw new Refusal(result.reported || told.some((message) => message.includes(error)) ? "" : error);
}

/** The secrets in the configuration; each secret part of a structured value is separate. */
function secretTexts({ stored, secrets }: OperationSubject): string[] {
  const ciphertexts = Object.values(stored).flatMap(ciphertextsIn);
  return ciphertexts.map((ciphertext) => secrets.writing.crypter.decrypt(ciphertext));
}

const seconds = () => Math.floor(Date.now() / 1000);

/** `--clear-pending-creates` removes creations without a recorded end. */
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
