import { isObject } from "../../json";
import type { Switches } from "./settings";

/** The prefix of every header: `X-Sched-Index`, `X-Nomad-Index`. */
export function headerPrefix(dialect: Switches["dialect"]): string {
  return dialect === "neutral" ? "x-sched" : "x-nomad";
}

/** A document in the words of the dialect that is switched on. */
export function toWire(document: unknown, dialect: Switches["dialect"]): unknown {
  return dialect === "neutral" ? document : renamed(document, REAL);
}

/** A document as it was sent, in the specification's words. */
export function fromWire(document: unknown, dialect: Switches["dialect"]): unknown {
  return dialect === "neutral" ? document : renamed(document, NEUTRAL);
}

const WORDS: readonly (readonly [neutral: string, real: string])[] = [
  ["SecretsToken", "VaultToken"],
  ["SecretsNamespace", "VaultNamespace"],
  ["MeshToken", "ConsulToken"],
  ["MeshNamespace", "ConsulNamespace"],
  ["SchedTokenID", "NomadTokenID"],
  ["Secrets", "Vault"],
  ["Mesh", "Consul"],
  ["SecretsError", "VaultError"],
  ["SecretsGrace", "VaultGrace"],
];

const REAL = new Map(WORDS);
const NEUTRAL = new Map(WORDS.map(([neutral, real]) => [real, neutral]));

/** What holds no name of the specification's own: the user's maps, and what a driver or a proxy understands. */
const OPAQUE = new Set(["Meta", "Env", "Config", "CanaryMeta", "Gateway", "Proxy"]);

/** Maps from the user's keys to documents. */
const KEYED = new Set(["TaskStates", "TaskGroups", "Summary"]);

function renamed(value: unknown, words: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, words));
  if (!isObject(value)) return value;
  const foreign = new Set(words.values());
  return Object.fromEntries(
    Object.entries(value)
      // A word of the other dialect is not one of this one.
      .filter(([key]) => words.has(key) || !foreign.has(key))
      .map(([key, item]) => [words.get(key) ?? key, inside(key, item, words)]),
  );
}

function inside(key: string, item: unknown, words: ReadonlyMap<string, string>): unknown {
  if (OPAQUE.has(key)) return item;
  if (!KEYED.has(key) || !isObject(item)) return renamed(item, words);
  return Object.fromEntries(Object.entries(item).map(([name, inner]) => [name, renamed(inner, words)]));
}
