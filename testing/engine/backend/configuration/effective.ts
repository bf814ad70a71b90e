import { isJsonList, isJsonMap, type Json } from "../../json";
import { Refusal } from "../../refusal";
import { type PropertyValue, Secret } from "../../state/values";
import type { Crypter } from "../passphrase";
import type { ConfigMap } from "./settings";
import { containsSecure, mapSecure, toText } from "./value";

/** The type of a value in a project. */
export interface DeclaredType {
  readonly type?: string | undefined;
  /** The type of a list's elements. */
  readonly items?: DeclaredType | undefined;
}

/** A configuration value that a project declares for its stacks. */
export interface Declared extends DeclaredType {
  readonly default?: unknown;
  readonly value?: unknown;
}

/** A stack's configuration, with the project's defaults for missing values. */
export function withDeclared(config: ConfigMap, declared: Readonly<Record<string, Declared>>): ConfigMap {
  const effective: Record<string, Json> = { ...config };
  for (const [key, { value, default: otherwise = value }] of Object.entries(declared)) {
    // YAML values are JSON here, and scalars are strings in a stack's settings.
    if (effective[key] === undefined && otherwise !== undefined) effective[key] = plain(otherwise as Json);
  }
  return effective;
}

/** Refuses a stack that lacks a value without a default, or contains a value of the wrong type. */
export function refuseUndeclared(
  config: ConfigMap,
  declared: Readonly<Record<string, Declared>>,
  stack: string,
  project: string,
): void {
  const missing = Object.keys(declared)
    .filter((key) => config[key] === undefined)
    .map((key) => (key.startsWith(`${project}:`) ? key.slice(project.length + 1) : key));
  if (missing.length > 0) {
    throw new Refusal(
      `validating stack config: Stack '${stack}' is missing configuration ` +
        `${missing.length === 1 ? "value" : "values"} ${missing.map((key) => `'${key}'`).join(", ")}`,
    );
  }
  for (const [key, type] of Object.entries(declared)) {
    // An encrypted value is a string, whatever its content.
    if (
      isOfType(
        mapSecure(config[key] ?? null, () => "0"),
        type,
      )
    )
      continue;
    const name = key.startsWith(`${project}:`) ? key.slice(project.length + 1) : key;
    throw new Refusal(
      `validating stack config: Stack '${stack}' with configuration key '${name}' must be of type '${typeName(type)}'`,
    );
  }
}

function isOfType(value: Json, { type, items }: DeclaredType): boolean {
  if (type === undefined) return true;
  if (type === "string") return typeof value === "string";
  if (type === "integer") return /^[+-]?\d+$/.test(String(value)) && typeof value !== "boolean";
  if (type === "boolean") return typeof value === "boolean" || value === "true" || value === "false";
  if (type === "object") return isJsonMap(value);
  return isJsonList(value) && items !== undefined && value.every((element) => isOfType(element, items));
}

const typeName = ({ type = "", items }: DeclaredType): string => (items ? `array<${typeName(items)}>` : type);

/** The configuration for a program: all values are strings, and a value that contains any secret is secret as a unit. */
export function decryptConfig(config: ConfigMap, crypter: Crypter): Record<string, PropertyValue> {
  return Object.fromEntries(
    Object.entries(config).map(([key, value]) => {
      const text = revealText(value, crypter);
      return [key, containsSecure(value) ? new Secret(text) : text];
    }),
  );
}

/** A value as a string, with its secrets decrypted. */
export function revealText(value: Json, crypter: Crypter): string {
  try {
    return toText(mapSecure(value, (ciphertext) => crypter.decrypt(ciphertext)));
  } catch (error) {
    throw new Refusal(`could not decrypt configuration value: ${(error as Error).message}`);
  }
}

function plain(value: Json): Json {
  return typeof value === "object" ? value : toText(value);
}
