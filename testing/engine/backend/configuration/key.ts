import { Refusal } from "../../refusal";
import { type PropertyPath, parsePath } from "./path";

/** A configuration key, `<namespace>:<name>`, and a path inside its value; an empty path means the complete value. */
export interface ConfigKey {
  readonly key: string;
  readonly path: PropertyPath;
}

/** Parses a key that the user wrote. A key without a namespace belongs to the project. */
export function parseKey(text: string, project: string, isPath: boolean): ConfigKey {
  if (!isPath) return { key: qualify(text, project), path: [] };
  // Only the text before the first separator can contain a namespace; the rest may contain colons.
  const end = text.search(/[.[]/);
  const first =
    end > 0 ? qualify(text.slice(0, end), project) : end === 0 ? `${project}:` : qualify(text, project);
  const separator = first.indexOf(":");
  const [root, ...path] = parsePath(first.slice(separator + 1) + (end === -1 ? "" : text.slice(end)));
  if (root === undefined) throw new Refusal("empty config key path");
  if (typeof root !== "string") throw new Refusal("first path segement of config key must be a string");
  if (root === "") throw new Refusal("config key is empty");
  return { key: `${first.slice(0, separator)}:${root}`, path };
}

/** The key with its namespace and the path as the user wrote it, for the CLI's messages. */
export function fullKey(text: string, project: string, isPath: boolean): string {
  const end = isPath ? text.search(/[.[]/) : -1;
  return end > 0 ? qualify(text.slice(0, end), project) + text.slice(end) : qualify(text, project);
}

/** A key for display; keys of the current project are shown without a namespace. */
export function displayKey(key: string, project: string): string {
  return key.startsWith(`${project}:`) ? key.slice(project.length + 1) : key;
}

/** Compares keys by namespace, then by name, for listings. */
export function compareKeys(left: string, right: string): number {
  const [leftNamespace = "", leftName = ""] = left.split(/:(.*)/s);
  const [rightNamespace = "", rightName = ""] = right.split(/:(.*)/s);
  if (leftNamespace !== rightNamespace) return leftNamespace < rightNamespace ? -1 : 1;
  return leftName < rightName ? -1 : leftName > rightName ? 1 : 0;
}

function qualify(text: string, project: string): string {
  const parts = text.split(":");
  if (parts.length === 1) return `${project}:${text}`;
  if (parts.length === 2) return text;
  // `<namespace>:config:<name>` is the old format.
  if (parts.length === 3 && parts[1] === "config") return `${parts[0]}:${parts[2]}`;
  throw new Refusal(
    `invalid configuration key: could not parse ${text} as a configuration key ` +
      "(configuration keys should be of the form `<namespace>:<name>`)",
  );
}
