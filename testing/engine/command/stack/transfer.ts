import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { type Deployment, formOf, manifest, refuseForm } from "../../backend/checkpoint";
import type { SecretsProvider } from "../../backend/passphrase";
import { replaceSecrets, secretObject, shownText } from "../../backend/vault";
import type { JsonMap } from "../../json";
import { Refusal } from "../../refusal";
import type { Command, Invocation } from "../line/invocation";
import { Workspace } from "../workspace/workspace";
import { crypterOf, decrypt } from "./secrets";

const FLAGS = { stack: ["text", "s"], file: "text" } as const;

/** Commands that export and import a stack's state. */
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
    ? replaceSecrets(content, (secret) =>
        secretObject({ plaintext: shownText(decrypt(secret, crypter), crypter) }),
      )
    : content;
  const text = `${JSON.stringify({ ...formOf(deployment), deployment: shown }, null, 4)}\n`;
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
  const { version, features, deployment } = content as {
    version?: unknown;
    features?: string[];
    deployment?: Deployment;
  };
  refuseForm("the deployment", deployment === undefined ? undefined : version, features);
  if (deployment === undefined) return;
  const { project, name } = reference;
  if (!flags.isSet("force")) refuseForeign(deployment, project, name);
  const { crypter, salt } = await providerFor(deployment, workspace);
  // Operations that were pending at the export are no longer running.
  const { pending_operations: interrupted = [], ...rest } = deployment;
  for (const { type, resource } of interrupted) {
    const { urn } = resource as JsonMap;
    console.error(`warning: removing pending operation '${type}' on '${urn}' from snapshot\n`);
  }
  const lock = workspace.store.lock(reference);
  try {
    // A deployment is JSON before and after.
    const encrypted = replaceSecrets(rest as unknown as JsonMap, ({ plaintext, ...secret }) =>
      typeof plaintext === "string" ? secretObject({ ciphertext: crypter.encrypt(plaintext) }) : secret,
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

/** Resources of a different stack would be treated as this stack's resources. */
function refuseForeign({ resources = [] }: Deployment, project: string, stack: string): void {
  const foreign = resources
    .map(({ urn }) => String(urn))
    .filter((urn) => !urn.startsWith(`urn:pulumi:${stack}::${project}::`));
  if (foreign.length === 0) return;
  const reasons = [
    ...foreign.map((urn) => `resource '${urn}' is from a different stack (${urn.split(":")[2]} != ${stack})`),
    "importing this file could be dangerous; rerun with --force to proceed anyway",
  ];
  throw new Refusal(
    [
      `${reasons.length} errors occurred:`,
      ...reasons.map((reason, index) => `    ${index + 1}) ${reason}`),
    ].join("\n"),
  );
}

/** The deployment's secrets provider, because it may contain ciphertexts; otherwise the stack's own provider. */
async function providerFor(deployment: Deployment, workspace: Workspace): Promise<SecretsProvider> {
  const reference = workspace.stack();
  return (
    (await workspace.providerOf(deployment)) ?? workspace.secrets(reference, workspace.settings(reference))
  );
}
