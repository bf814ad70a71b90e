import { readFileSync } from "node:fs";
import { type ConfigKey, fullKey, parseKey } from "../../backend/configuration/key";
import { mayLookLikeSecret } from "../../backend/configuration/secretLooking";
import type { StackSettings } from "../../backend/configuration/settings";
import { coerce, removeAt, setAt } from "../../backend/configuration/value";
import { readHistory } from "../../backend/history";
import type { Json } from "../../json";
import { Refusal, Unserved } from "../../refusal";
import type { Command, Invocation } from "../line/invocation";
import { CONFIG_FLAGS, type ConfigSubject, openConfig } from "./subject";

/** Commands that change a stack's configuration. */
export const configChangeCommands: readonly Command[] = [
  {
    name: "config set",
    flags: { ...CONFIG_FLAGS, path: "boolean", plaintext: "boolean", secret: "boolean" },
    args: [1, 2],
    run: set,
  },
  {
    name: "config set-all",
    flags: { ...CONFIG_FLAGS, path: "boolean", plaintext: "list", secret: "list", json: "text" },
    args: [0, 0],
    run: setAll,
  },
  { name: "config rm", flags: { ...CONFIG_FLAGS, path: "boolean" }, args: [1, 1], run: remove },
  {
    name: "config rm-all",
    flags: { ...CONFIG_FLAGS, path: "boolean" },
    args: [1, Number.MAX_SAFE_INTEGER],
    run: remove,
  },
  { name: "config refresh", flags: { ...CONFIG_FLAGS, force: ["boolean", "f"] }, args: [0, 0], run: refresh },
];

async function set(invocation: Invocation): Promise<void> {
  const { flags, args } = invocation;
  if (flags.isSet("secret") && flags.isSet("plaintext")) {
    throw new Refusal(
      "if any flags in the group [secret plaintext type] are set none of the others can be; " +
        "[plaintext secret] were all set",
    );
  }
  const subject = openConfig(invocation);
  const [name = "", text = readFileSync(0, "utf8").replace(/\r?\n$/, "")] = args;
  const isPath = flags.isSet("path");
  const key = fullKey(name, subject.project.name, isPath);
  const value = flags.isSet("secret") ? await secure(subject, text) : text;
  if (typeof value === "string" && !flags.isSet("plaintext")) {
    if (mayLookLikeSecret(key.slice(key.indexOf(":") + 1), value))
      throw new Refusal(
        `config value for '${key}' looks like a secret; rerun with --secret to encrypt it, or --plaintext if you meant to store in plaintext`,
      );
  }
  try {
    put(subject.settings, parseKey(name, subject.project.name, isPath), value);
  } catch (error) {
    if (!(error instanceof Refusal) || error.message.startsWith("invalid configuration key:")) throw error;
    throw new Refusal(`could not set config: ${error.message}`);
  }
  subject.settings.save();
}

async function setAll(invocation: Invocation): Promise<void> {
  const { flags } = invocation;
  const json = flags.text("json");
  const given = ["plaintext", "secret", "path"].some((name) => flags.names.includes(name));
  if (json !== undefined && given) {
    throw new Refusal("the --json option cannot be used with the --plaintext, --secret or --path options");
  }
  const subject = openConfig(invocation);
  const { settings, project } = subject;
  for (const kind of ["plaintext", "secret"] as const) {
    for (const pair of flags.list(kind)) {
      const separator = pair.indexOf("=");
      if (separator === -1) throw new Refusal("config value must be in the form [key]=[value]");
      const key = parseKey(pair.slice(0, separator), project.name, flags.isSet("path"));
      const text = pair.slice(separator + 1);
      put(settings, key, kind === "secret" ? await secure(subject, text) : text);
    }
  }
  if (json !== undefined) await setFromJson(subject, json);
  settings.save();
}

/** Sets values from the output format of `config --json`. */
async function setFromJson(subject: ConfigSubject, json: string): Promise<void> {
  const values: Record<string, { value?: string; objectValue?: Json; secret?: boolean }> = JSON.parse(json);
  for (const [name, { value, objectValue, secret }] of Object.entries(values)) {
    if (value === undefined) throw new Refusal(`value for --json object key "${name}" is nil`);
    if (objectValue !== undefined && secret) {
      // The text does not show which parts are secret; the CLI fails here too.
      throw new Unserved(`the secret object '${name}' in --json`, "set its parts with --path");
    }
    const key = parseKey(name, subject.project.name, false);
    put(subject.settings, key, objectValue ?? (secret ? await secure(subject, value) : value));
  }
}

function remove(invocation: Invocation): void {
  const { flags, args } = invocation;
  const { settings, project } = openConfig(invocation);
  for (const name of args) {
    const { key, path } = parseKey(name, project.name, flags.isSet("path"));
    const value = settings.config[key];
    if (value === undefined) continue;
    settings.set(
      key,
      path.length === 0 ? undefined : removeAt(value, path, [key.slice(key.indexOf(":") + 1)]),
    );
  }
  settings.save();
}

/** Replaces the stack's settings with the configuration of the last update. */
function refresh(invocation: Invocation): void {
  const { settings, workspace, reference } = openConfig(invocation);
  const [latest] = readHistory(workspace.store, reference, { pageSize: 1, page: 1 });
  if (latest === undefined) throw new Refusal("getting latest configuration: no previous deployment");
  if (!invocation.flags.isSet("force")) throw new Unserved("'pulumi config refresh' without --force");
  for (const key of Object.keys(settings.config)) if (!(key in latest.config)) settings.set(key, undefined);
  for (const [key, value] of Object.entries(latest.config)) settings.set(key, value);
  settings.save();
}

function put(settings: StackSettings, { key, path }: ConfigKey, value: Json): void {
  if (path.length === 0) settings.set(key, value);
  else {
    const content = typeof value === "string" ? coerce(value) : value;
    settings.set(key, setAt(settings.config[key], path, content, [key.slice(key.indexOf(":") + 1)]));
  }
}

async function secure({ crypter }: ConfigSubject, text: string): Promise<Json> {
  return { secure: (await crypter()).encrypt(text) };
}
