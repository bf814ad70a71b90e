import { rmSync } from "node:fs";
import { join } from "node:path";
import { Document, isMap, parseDocument } from "yaml";
import type { Json, JsonMap } from "../../json";
import { Refusal, Unserved } from "../../refusal";
import { readTextIfPresent, writeTextAtomically } from "../files";

const SALT = "encryptionsalt";
const CONFIG = "config";
/** Settings of external secrets providers and environments. */
const UNSERVED = ["encryptedkey", "environment"];

/** The values of a stack's settings by their keys; a secret is `{secure: <ciphertext>}`. */
export type ConfigMap = Readonly<Record<string, Json>>;

/** A stack's settings, `Pulumi.<stack>.yaml`. Edits preserve the user's comments and order. */
export class StackSettings {
  readonly #document: Document;

  private constructor(
    readonly path: string,
    text: string,
  ) {
    this.#document = path.endsWith(".json") ? new Document(JSON.parse(text || "{}")) : parseYaml(path, text);
    if (!isMap(this.#document.contents)) this.#document.contents = this.#document.createNode({});
    const provider = this.#document.get("secretsprovider");
    if (typeof provider === "string" && provider !== "" && provider !== "passphrase") {
      throw new Unserved(`the secrets provider ${provider}`);
    }
    for (const name of UNSERVED) {
      if (this.#document.has(name)) throw new Unserved(`'${name}' in ${path}`);
    }
  }

  /** Loads a stack's settings from the given file or the project's folder; empty if the file does not exist. */
  static load(folder: string, stack: string, file?: string): StackSettings {
    const candidates = file
      ? [file]
      : [".yaml", ".yml", ".json"].map((end) => join(folder, `Pulumi.${stack}${end}`));
    for (const path of candidates) {
      const text = readTextIfPresent(path);
      if (text !== undefined) return new StackSettings(path, text);
    }
    return new StackSettings(candidates[0] ?? folder, "");
  }

  get salt(): string | undefined {
    const salt = this.#document.get(SALT);
    return typeof salt === "string" && salt !== "" ? salt : undefined;
  }

  set salt(value: string) {
    this.#document.set(SALT, value);
  }

  get config(): ConfigMap {
    const values: unknown = this.#document.toJS()[CONFIG];
    // Parsed YAML is JSON after `plain` has converted big integers.
    return typeof values === "object" && values !== null ? (plain(values) as JsonMap) : {};
  }

  /** Sets or removes one value; the others stay unchanged. */
  set(key: string, value: Json | undefined): void {
    if (value === undefined) {
      this.#document.deleteIn([CONFIG, key]);
      if (Object.keys(this.config).length === 0) this.#document.delete(CONFIG);
      return;
    }
    if (!isMap(this.#document.get(CONFIG))) this.#document.set(CONFIG, this.#document.createNode({}));
    this.#document.setIn([CONFIG, key], this.#document.createNode(value));
  }

  save(): void {
    const text = this.path.endsWith(".json")
      ? `${JSON.stringify(this.#document.toJS(), null, 4)}\n`
      : this.#document.toString({ lineWidth: 0 });
    writeTextAtomically(this.path, text);
  }

  remove(): void {
    rmSync(this.path, { force: true });
  }
}

function parseYaml(path: string, text: string): Document {
  // With this option YAML 1.1 readers such as the CLI do not read a string as a number or a boolean.
  const document = parseDocument(text, { compat: "yaml-1.1", intAsBigInt: true });
  const [error] = document.errors;
  if (error !== undefined) throw new Refusal(`could not unmarshal '${path}': ${error.message}`);
  return document;
}

/** Converts integers: safe integers become numbers, larger ones strings; nothing is rounded. */
function plain(value: unknown): Json {
  if (typeof value === "bigint") {
    return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString();
  }
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
  }
  // The remaining types of YAML's core schema are strings, booleans, fractions and null.
  return value as Json;
}
