import { revealText } from "../../backend/configuration/effective";
import { containsSecure, describe, toText } from "../../backend/configuration/value";
import { readHistory, type UpdateRecord } from "../../backend/history";
import type { Crypter } from "../../backend/passphrase";
import { inContext } from "../../refusal";
import { type Command, type Invocation, printJson } from "../line/invocation";
import { Workspace } from "../workspace/workspace";

/** The command that shows a stack's updates. */
export const historyCommand: Command = {
  name: "stack history",
  flags: {
    stack: ["text", "s"],
    json: ["boolean", "j"],
    "show-secrets": "boolean",
    "page-size": "text",
    page: "text",
  },
  args: [0, 0],
  run: history,
};

async function history(invocation: Invocation): Promise<void> {
  const { flags, console } = invocation;
  const workspace = new Workspace(invocation);
  const reference = workspace.stack();
  const updates = readHistory(workspace.store, reference, {
    pageSize: flags.number("page-size", 10),
    page: flags.number("page", 1),
  });
  const crypter = flags.isSet("show-secrets")
    ? (await inContext("decrypting secrets", workspace.secrets(reference, workspace.settings(reference))))
        .crypter
    : undefined;
  if (flags.isSet("json"))
    printJson(
      console,
      updates.map((update) => describeUpdate(update, crypter)),
    );
  else if (updates.length === 0) console.out("Stack has never been updated\n");
  for (const update of flags.isSet("json") ? [] : updates) console.out(renderUpdate(update));
}

function describeUpdate(update: UpdateRecord, crypter: Crypter | undefined): object {
  const config = Object.entries(update.config).map(([key, value]) => {
    if (!containsSecure(value)) return [key, describe(value, toText(value))];
    return [key, crypter ? describe(value, revealText(value, crypter)) : { secret: true }];
  });
  return {
    version: update.version,
    kind: update.kind,
    startTime: time(update.startTime),
    message: update.message,
    environment: update.environment,
    config: Object.fromEntries(config),
    result: update.result,
    endTime: time(update.endTime),
    resourceChanges: update.resourceChanges ?? {},
  };
}

function renderUpdate({
  version,
  kind,
  result,
  message,
  resourceChanges = {},
  ...rest
}: UpdateRecord): string {
  const counts = [
    ["+", "create"],
    ["-", "delete"],
    ["~", "update"],
    [" ", "same"],
  ] as const;
  return [
    `Version: ${version}`,
    `UpdateKind: ${kind}`,
    `Status: ${result}`,
    `Message: ${message}`,
    `${counts.map(([sign, op]) => `${sign}${resourceChanges[op] ?? 0}`).join("")} Updated ${time(rest.endTime)} took ${rest.endTime - rest.startTime}s`,
    ...Object.entries(rest.environment).map(([name, value]) => `    ${name}: ${value}`),
    "\n",
  ].join("\n");
}

const time = (seconds: number): string => new Date(seconds * 1000).toISOString();
