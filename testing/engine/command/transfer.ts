import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { type Deployment, manifest } from "../backend/checkpoint";
import type { SecretsProvider } from "../backend/passphrase";
import { type JsonMap, replaceSecrets, sealed } from "../backend/vault";
import { Refusal } from "../refusal";
import type { Command, Invocation } from "./invocation";
import { crypterOf, decrypt } from "./stack-secrets";
import { Workspace } from "./workspace";

const FLAGS = { stack: ["text", "s"], file: "text" } as const;

/** Commands that take a stack's state out and put one in. */
export const transferCommands: readonly Command[] = [
  { name: "stack export", flags: { ...FLAGS, "show-secrets": "boolean" }, args: [0, 0], run: exportStack },
  { name: "stack import", flags: { ...FLAGS, force: ["boolean", "f"] }, args: [0, 0], run: importStack },
];

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
  const { crypter, salt } = await providerFor(deployment, workspace);
  const lock = workspace.store.lock(reference);
  try {
    // A deployment is JSON before and after.
    const encrypted = replaceSecrets(deployment as unknown as JsonMap, ({ plaintext, ...secret }) =>
      typeof plaintext === "string" ? sealed({ ciphertext: crypter.encrypt(plaintext) }) : secret,
    ) as unknown as Deployment;
    workspace.store.write(reference, {
      ...encrypted,
      secrets_providers: { type: "passphrase", state: { salt } },
      manifest: manifest(new Date()),
    });
  } finally {
    lock.release();
  }
  console.out("Import complete.\n");
}

/** The provider that the deployment names, whose ciphertexts may be in it; else the stack's own. */
async function providerFor(deployment: Deployment, workspace: Workspace): Promise<SecretsProvider> {
  const reference = workspace.stack();
  return (
    (await workspace.providerOf(deployment)) ?? workspace.secrets(reference, workspace.settings(reference))
  );
}
