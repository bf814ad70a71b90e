import { rmSync } from "node:fs";
import { join } from "node:path";
import { Document, isMap, parseDocument } from "yaml";
import type { Json, JsonMap } from "../../json";
import { Refusal, Unserved } from "../../refusal";
import { readTextIfPresent, writeTextAtomically } from "../files";

const SALT = "encryptionsalt";
const CONFIG = "config";
/** Secrets that are kept by somebody else, and environments that are. */
const UNSERVED = ["encryptedkey", "environment"];

/** The values of a stack's settings by their keys, secrets as `{secure: <ciphertext>}`. */
export type ConfigMap = Readonly<Record<string, Json>>;

/** A stack's settings, `Pulumi.<stack>.yaml`, edited in place: comments and order are the user's. */
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

  /** The settings of a stack, from the file given or the one in the project's folder; empty where there is none. */
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
    // YAML that parses is JSON but for what `plain` takes out of it.
    return typeof values === "object" && values !== null ? (plain(values) as JsonMap) : {};
  }

  /** Replaces one value, or removes it. The others are not touched. */
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
  // Written so that readers of YAML 1.1, the CLI among them, take no text for a number or a boolean.
  const document = parseDocument(text, { compat: "yaml-1.1", intAsBigInt: true });
  const [error] = document.errors;
  if (error !== undefined) throw new Refusal(`could not unmarshal '${path}': ${error.message}`);
  return document;
}

/** Whole numbers that fit become numbers, longer ones text; nothing is rounded. */
function plain(value: unknown): Json {
  if (typeof value === "bigint") {
    return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString();
  }
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
  }
  // What is left of YAML's core schema: text, booleans, fractions and null.
  return value as Json;
}
