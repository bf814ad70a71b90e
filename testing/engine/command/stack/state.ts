import { hostname } from "node:os";
import type { Deployment } from "../../backend/checkpoint";
import { replaceSecrets } from "../../backend/vault";
import { isJsonMap, type Json, type JsonMap } from "../../json";
import { Refusal } from "../../refusal";
import { STACK_TYPE } from "../../state/urn";
import { type Command, type Invocation, printJson } from "../line/invocation";
import { Workspace } from "../workspace/workspace";
import { crypterOf, decrypt } from "./secrets";
import { printOutputs, printStack } from "./view";

const STACK = { stack: ["text", "s"] } as const;

/** Commands that show a stack's contents. */
export const stateCommands: readonly Command[] = [
  { name: "stack", flags: { ...STACK, "show-name": "boolean" }, args: [0, 0], run: show },
  {
    name: "stack output",
    flags: { ...STACK, json: ["boolean", "j"], "show-secrets": "boolean", shell: "boolean" },
    args: [0, 1],
    run: output,
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

function outputsOf({ resources = [] }: Deployment, reveal: (secret: JsonMap) => Json): JsonMap {
  const outputs = resources.find(({ type }) => type === STACK_TYPE)?.outputs;
  const shown = replaceSecrets(isJsonMap(outputs) ? outputs : {}, reveal);
  return isJsonMap(shown)
    ? Object.fromEntries(Object.entries(shown).sort(([a], [b]) => (a < b ? -1 : 1)))
    : {};
}
