import { readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { resolve } from "node:path";
import { type Deployment, manifest } from "../backend/checkpoint";
import { revealed } from "../backend/configuration/effective";
import { containsSecure, toText } from "../backend/configuration/value";
import { readHistory, type UpdateRecord } from "../backend/history";
import type { Crypter } from "../backend/passphrase";
import { isJsonMap, type Json, type JsonMap, replaceSecrets, sealed } from "../backend/vault";
import { STACK_TYPE } from "../deployment/urn";
import { Refusal } from "../refusal";
import { describe } from "./config";
import { type Command, type Invocation, printJson } from "./invocation";
import { printOutputs, printStack } from "./stack-view";
import { Workspace } from "./workspace";

const STACK = { stack: ["text", "s"] } as const;

/** Commands about what a stack holds. */
export const stateCommands: readonly Command[] = [
  { name: "stack", flags: { ...STACK, "show-name": "boolean" }, args: [0, 0], run: show },
  {
    name: "stack export",
    flags: { ...STACK, file: "text", "show-secrets": "boolean" },
    args: [0, 0],
    run: exportStack,
  },
  {
    name: "stack import",
    flags: { ...STACK, file: "text", force: ["boolean", "f"] },
    args: [0, 0],
    run: importStack,
  },
  {
    name: "stack output",
    flags: { ...STACK, json: ["boolean", "j"], "show-secrets": "boolean", shell: "boolean" },
    args: [0, 1],
    run: output,
  },
  {
    name: "stack history",
    flags: { ...STACK, json: ["boolean", "j"], "show-secrets": "boolean", "page-size": "text", page: "text" },
    args: [0, 0],
    run: history,
  },
];

function show(invocation: Invocation): void {
  const workspace = new Workspace(invocation);
  const reference = workspace.stack();
  if (invocation.flags.isSet("show-name")) {
    invocation.console.out(`${reference.name}\n`);
    return;
  }
  const deployment = workspace.store.read(reference);
  printStack(invocation.console, {
    name: workspace.nameOf(reference),
    host: hostname(),
    deployment,
    outputs: outputsOf(deployment, () => "[secret]"),
  });
}

async function exportStack(invocation: Invocation): Promise<void> {
  const { flags, console, workingDirectory } = invocation;
  const workspace = new Workspace(invocation);
  const reference = workspace.stack();
  const deployment = workspace.store.read(reference);
  const crypter = flags.isSet("show-secrets") ? await crypterOf(workspace) : undefined;
  // A deployment is JSON: it was read from a file.
  const content = deployment as unknown as JsonMap;
  const shown = crypter
    ? replaceSecrets(content, (secret) => sealed({ plaintext: decrypt(secret, crypter) }))
    : content;
  const text = `${JSON.stringify({ version: 3, deployment: shown }, null, 4)}\n`;
  const file = flags.text("file");
  if (file === undefined) console.out(text);
  else writeFileSync(resolve(workingDirectory, file), text);
}

async function importStack(invocation: Invocation): Promise<void> {
  const { flags, console, workingDirectory } = invocation;
  const workspace = new Workspace(invocation);
  const reference = workspace.stack();
  const file = flags.text("file");
  const content: unknown = JSON.parse(
    readFileSync(file === undefined ? 0 : resolve(workingDirectory, file), "utf8"),
  );
  const { version, deployment } = content as { version?: unknown; deployment?: Deployment };
  if (version !== 3 || deployment === undefined) {
    throw new Refusal(
      `the deployment has version ${String(version)}, and the embedded engine reads version 3`,
    );
  }
  const { project, name } = reference;
  const foreign = deployment.resources?.find(
    ({ urn }) => !String(urn).startsWith(`urn:pulumi:${name}::${project}::`),
  );
  if (foreign !== undefined && !flags.isSet("force")) {
    throw new Refusal(
      `resource '${String(foreign.urn)}' is from a different stack (${String(foreign.urn).split(/::?/)[2]} != ${name})`,
    );
  }
  const { crypter, salt } = await workspace.secrets(reference, workspace.settings(reference));
  const lock = workspace.store.lock(reference);
  try {
    const sealedAgain = replaceSecrets(deployment as unknown as JsonMap, (secret) =>
      typeof secret.plaintext === "string"
        ? sealed({ ciphertext: crypter.encrypt(secret.plaintext) })
        : secret,
    );
    workspace.store.write(reference, {
      secrets_providers: { type: "passphrase", state: { salt } },
      ...(sealedAgain as unknown as Deployment),
      manifest: manifest(new Date()),
    });
  } finally {
    lock.release();
  }
  console.out("Import complete.\n");
}

async function output(invocation: Invocation): Promise<void> {
  const { flags, args, console } = invocation;
  if (flags.isSet("json") && flags.isSet("shell"))
    throw new Refusal("only one of --json and --shell may be set");
  const workspace = new Workspace(invocation);
  const deployment = workspace.store.read(workspace.stack());
  const crypter = flags.isSet("show-secrets") ? await crypterOf(workspace) : undefined;
  const outputs = outputsOf(deployment, (secret) =>
    crypter ? JSON.parse(decrypt(secret, crypter)) : "[secret]",
  );
  const [name] = args;
  if (name !== undefined && !Object.hasOwn(outputs, name)) {
    throw new Refusal(`current stack does not have output property '${name}'`);
  }
  const chosen = name === undefined ? outputs : { [name]: outputs[name] ?? null };
  if (flags.isSet("json")) printJson(console, name === undefined ? outputs : outputs[name]);
  else printOutputs(console, chosen, flags.isSet("shell") ? "shell" : name === undefined ? "table" : "value");
}

async function history(invocation: Invocation): Promise<void> {
  const { flags, console } = invocation;
  const workspace = new Workspace(invocation);
  const reference = workspace.stack();
  const updates = readHistory(workspace.store, reference, {
    pageSize: flags.number("page-size", 10),
    page: flags.number("page", 1),
  });
  const crypter = flags.isSet("show-secrets")
    ? (await workspace.secrets(reference, workspace.settings(reference))).crypter
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
    return [key, crypter ? describe(value, revealed(value, crypter)) : { secret: true }];
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

function outputsOf({ resources = [] }: Deployment, reveal: (secret: JsonMap) => Json): JsonMap {
  const outputs = resources.find(({ type }) => type === STACK_TYPE)?.outputs;
  const shown = replaceSecrets(isJsonMap(outputs) ? outputs : {}, reveal);
  return isJsonMap(shown)
    ? Object.fromEntries(Object.entries(shown).sort(([a], [b]) => (a < b ? -1 : 1)))
    : {};
}

async function crypterOf(workspace: Workspace): Promise<Crypter> {
  const provider = await workspace.checkpointSecrets(workspace.stack());
  if (provider === undefined) throw new Refusal("the stack's checkpoint names no secrets provider");
  return provider.crypter;
}

function decrypt(secret: JsonMap, crypter: Crypter): string {
  const { ciphertext } = secret;
  return typeof ciphertext === "string" ? crypter.decrypt(ciphertext) : "null";
}
