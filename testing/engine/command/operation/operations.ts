import { ExitCode, Refusal } from "../../refusal";
import type { FlagSpecs } from "../line/flags";
import type { Command, Invocation } from "../line/invocation";
import { perform } from "./perform";
import { type Kind, type OperationSubject, openSubject } from "./subject";

const COMMON: FlagSpecs = {
  stack: ["text", "s"],
  "config-file": "text",
  message: ["text", "m"],
  target: ["list", "t"],
  "target-dependents": "boolean",
  parallel: ["text", "p"],
  debug: ["boolean", "d"],
  diff: "boolean",
  "show-full-output": "boolean",
  "suppress-outputs": "boolean",
  "suppress-progress": "boolean",
  "suppress-permalink": "boolean",
  "event-log": "text",
  client: "text",
  "exec-kind": "text",
  "exec-agent": "text",
  "run-program": "boolean",
};

const CONFIRMED: FlagSpecs = { yes: ["boolean", "y"], "skip-preview": ["boolean", "f"] };

/** Commands that operate on a stack's resources. */
export const operationCommands: readonly Command[] = [
  {
    name: "preview",
    flags: { ...COMMON, replace: "list", refresh: ["boolean", "r"], "expect-no-changes": "boolean" },
    args: [0, 0],
    run: (invocation) => run(invocation, "preview"),
  },
  {
    name: "up",
    flags: {
      ...COMMON,
      ...CONFIRMED,
      replace: "list",
      refresh: ["boolean", "r"],
      "expect-no-changes": "boolean",
      "continue-on-error": "boolean",
    },
    args: [0, 0],
    run: (invocation) => run(invocation, "up"),
  },
  {
    name: "refresh",
    flags: {
      ...COMMON,
      ...CONFIRMED,
      "preview-only": "boolean",
      "expect-no-changes": "boolean",
      "clear-pending-creates": "boolean",
    },
    args: [0, 0],
    run: (invocation) => run(invocation, "refresh"),
  },
  {
    name: "destroy",
    flags: {
      ...COMMON,
      ...CONFIRMED,
      "preview-only": "boolean",
      refresh: ["boolean", "r"],
      remove: "boolean",
      "continue-on-error": "boolean",
    },
    args: [0, 0],
    run: (invocation) => run(invocation, "destroy"),
  },
];

/** The names of the operations in the message of `--expect-no-changes`. */
const NAMES = { preview: "preview", up: "update", refresh: "refresh", destroy: "destroy" } as const;

async function run(invocation: Invocation, kind: Kind): Promise<void> {
  const { flags } = invocation;
  const previewOnly = kind === "preview" || flags.isSet("preview-only");
  if (!previewOnly && !flags.isSet("yes") && !flags.isSet("skip-preview")) {
    throw new Refusal(
      "--yes or --skip-preview or --preview-only must be passed in to proceed when running in non-interactive mode",
      ExitCode.configuration,
    );
  }
  const subject = await openSubject(invocation, kind);
  const changes = previewOnly
    ? await perform(subject, kind, { preview: true })
    : await whileLocked(subject, async () => {
        if (!flags.isSet("skip-preview")) await perform(subject, kind, { preview: true });
        return perform(subject, kind, { preview: false });
      });
  if (flags.isSet("expect-no-changes") && Object.keys(changes).some((op) => op !== "same" && op !== "read")) {
    throw new Refusal(
      `no changes were expected for ${NAMES[kind]} but changes were proposed`,
      ExitCode.unexpectedChanges,
    );
  }
  if (kind === "destroy" && !previewOnly && flags.list("target").length === 0) afterDestroy(subject);
}

async function whileLocked<T>({ workspace, reference }: OperationSubject, act: () => Promise<T>): Promise<T> {
  const lock = workspace.store.lock(reference);
  try {
    return await act();
  } finally {
    lock.release();
  }
}

function afterDestroy({
  workspace,
  reference,
  settings,
  invocation: { flags, console },
}: OperationSubject): void {
  const name = workspace.nameOf(reference);
  if (!flags.isSet("remove")) {
    console.out(
      "The resources in the stack have been deleted, but the history and configuration associated with the stack " +
        `are still maintained. \nIf you want to remove the stack completely, run \`pulumi stack rm ${name}\`.\n`,
    );
    return;
  }
  workspace.store.remove(reference, { force: false, backups: false, name });
  settings.remove();
  console.out("The resources in the stack have been deleted, and the history and configuration removed.\n");
}
