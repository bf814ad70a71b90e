import { Refusal } from "../../refusal";
import { type PropertyValue, Secret } from "../../state";
import type { Crypter } from "../passphrase";
import type { Json } from "../vault";
import type { ConfigMap } from "./settings";
import { containsSecure, mapSecure, toText } from "./value";

/** A value that a project declares for its stacks. */
export interface Declared {
  readonly type?: string | undefined;
  readonly default?: unknown;
  readonly value?: unknown;
}

/** A stack's values with what its project gives where the stack has none of its own. */
export function withDeclared(config: ConfigMap, declared: Readonly<Record<string, Declared>>): ConfigMap {
  const effective: Record<string, Json> = { ...config };
  for (const [key, { value, default: otherwise = value }] of Object.entries(declared)) {
    // What YAML gives is JSON, and a plain value is a text in a stack's settings.
    if (effective[key] === undefined && otherwise !== undefined) effective[key] = plain(otherwise as Json);
  }
  return effective;
}

/** Refuses a stack that lacks a value which its project declares without a default. */
export function refuseMissing(
  config: ConfigMap,
  declared: Readonly<Record<string, Declared>>,
  stack: string,
  project: string,
): void {
  const missing = Object.keys(declared)
    .filter((key) => config[key] === undefined)
    .map((key) => (key.startsWith(`${project}:`) ? key.slice(project.length + 1) : key));
  if (missing.length === 0) return;
  throw new Refusal(
    `validating stack config: Stack '${stack}' is missing configuration ${missing.length === 1 ? "value" : "values"} ` +
      `${missing.map((key) => `'${key}'`).join(", ")}`,
  );
}

/** The values as a program gets them: texts, and those with a secret anywhere in them secret as a whole. */
export function decryptConfig(config: ConfigMap, crypter: Crypter): Record<string, PropertyValue> {
  return Object.fromEntries(
    Object.entries(config).map(([key, value]) => {
      const text = revealed(value, crypter);
      return [key, containsSecure(value) ? new Secret(text) : text];
    }),
  );
}

/** A value as a text, with its secrets in it. */
export function revealed(value: Json, crypter: Crypter): string {
  try {
    return toText(mapSecure(value, (ciphertext) => crypter.decrypt(ciphertext)));
  } catch (error) {
    throw new Refusal(`could not decrypt configuration value: ${(error as Error).message}`);
  }
}

function plain(value: Json): Json {
  return typeof value === "object" ? value : toText(value);
}
