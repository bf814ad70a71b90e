import { revealText, withDeclared } from "../../backend/configuration/effective";
import { type ConfigKey, compareKeys, displayKey, parseKey } from "../../backend/configuration/key";
import { containsSecure, describe, getAt, mapSecure, toText } from "../../backend/configuration/value";
import type { Json } from "../../json";
import { Refusal } from "../../refusal";
import { type Command, type Invocation, printJson } from "../line/invocation";
import { printTable } from "../line/table";
import { CONFIG_FLAGS, openConfig } from "./subject";

/** Commands that show a stack's configuration. */
export const configCommands: readonly Command[] = [
  {
    name: "config",
    flags: { ...CONFIG_FLAGS, "show-secrets": "boolean", json: ["boolean", "j"] },
    args: [0, 0],
    run: list,
  },
  {
    name: "config get",
    flags: { ...CONFIG_FLAGS, path: "boolean", json: ["boolean", "j"] },
    args: [1, 1],
    run: get,
  },
];

/** The mask for a hidden secret. */
const BLIND = "[secret]";

async function list(invocation: Invocation): Promise<void> {
  const { flags, console } = invocation;
  const { project, settings, crypter } = openConfig(invocation);
  const values = withDeclared(settings.config, project.config);
  const keys = Object.keys(values).sort(compareKeys);
  const secret = Object.values(values).some(containsSecure);
  const open = secret && flags.isSet("show-secrets") ? await crypter() : undefined;
  const text = (value: Json) => (open ? revealText(value, open) : toText(mapSecure(value, () => BLIND)));
  if (!flags.isSet("json")) {
    const rows = keys.map((key) => [displayKey(key, project.name), text(values[key] ?? null)]);
    printTable(console, ["KEY", "VALUE"], rows);
    return;
  }
  const entries = keys.map((key) => {
    const value = values[key] ?? null;
    return [key, containsSecure(value) && !open ? { secret: true } : describe(value, text(value))];
  });
  printJson(console, Object.fromEntries(entries));
}

async function get(invocation: Invocation): Promise<void> {
  const { flags, args, console } = invocation;
  const { project, settings, crypter, workspace, reference } = openConfig(invocation);
  const key = parseKey(args[0] ?? "", project.name, flags.isSet("path"));
  const value = find(withDeclared(settings.config, project.config), key);
  if (value === undefined) {
    const name = `${displayKey(key.key, project.name)}`;
    throw new Refusal(
      `configuration key '${key.path.length > 0 ? (args[0] ?? "") : name}' not found for stack '${workspace.nameOf(reference)}'`,
    );
  }
  const text = containsSecure(value) ? revealText(value, await crypter()) : toText(value);
  if (flags.isSet("json")) printJson(console, describe(value, text));
  else console.out(`${text}\n`);
}

function find(values: Readonly<Record<string, Json>>, { key, path }: ConfigKey): Json | undefined {
  return getAt(Object.hasOwn(values, key) ? values[key] : undefined, path);
}
