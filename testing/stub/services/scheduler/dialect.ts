import { isObject } from "../../json";
import type { Switches } from "./settings";

/** The prefix of every header: `X-Sched-Index`, `X-Nomad-Index`. */
export function headerPrefix(dialect: Switches["dialect"]): string {
  return dialect === "neutral" ? "x-sched" : "x-nomad";
}

/** A document in the words of the dialect that is switched on. */
export function toWire(document: unknown, dialect: Switches["dialect"]): unknown {
  return dialect === "neutral" ? document : renamed(document, realName);
}

/** A document as it was sent, in the specification's words. */
export function fromWire(document: unknown, dialect: Switches["dialect"]): unknown {
  return dialect === "neutral" ? document : renamed(document, neutralName);
}

function realName(name: string): string | undefined {
  return TOKENS.has(name) ? undefined : (REAL.get(name) ?? name);
}

/** The product finds a name whatever its case. A word of the specification's alone is not one of the product's. */
function neutralName(name: string): string | undefined {
  const folded = name.toLowerCase();
  const neutral = NEUTRAL.get(folded);
  if (neutral !== undefined) return TOKENS.has(neutral) ? undefined : neutral;
  return SPECIFIED.has(folded) ? undefined : name;
}

const WORDS: readonly (readonly [neutral: string, real: string])[] = [
  ["SecretsToken", "VaultToken"],
  ["SecretsNamespace", "VaultNamespace"],
  ["MeshToken", "ConsulToken"],
  ["MeshNamespace", "ConsulNamespace"],
  ["SchedTokenID", "NomadTokenID"],
  ["Secrets", "Vault"],
  // The specification has no such blocks: in the neutral dialect they have a name that nothing else has.
  ["SecretBlocks", "Secrets"],
  ["Mesh", "Consul"],
  ["SecretsError", "VaultError"],
  ["SecretsGrace", "VaultGrace"],
];

const REAL = new Map(WORDS);
const NEUTRAL = new Map(WORDS.map(([neutral, real]) => [real.toLowerCase(), neutral]));
/** Older versions of the product have these; version 2 takes no notice of them, and shows none. */
const TOKENS = new Set(["SecretsToken", "MeshToken"]);
const SPECIFIED = new Set(WORDS.map(([neutral]) => neutral.toLowerCase()));

/** What holds no name of the specification's own: the user's maps, and what a driver or a proxy understands. */
const OPAQUE = inLowerCase([
  ...["Meta", "Env", "Config", "CanaryMeta", "Gateway", "Proxy", "GetterOptions", "GetterHeaders", "Header"],
  ...["TaggedAddresses", "Target", "Policy", "Args", "VariableFlags"],
]);

/** Maps from the user's keys to documents. */
const KEYED = inLowerCase(["TaskStates", "TaskGroups", "Summary", "Volumes"]);

function inLowerCase(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.map((name) => name.toLowerCase()));
}

/** What a name is in the other words; undefined where it is none there. */
type Naming = (name: string) => string | undefined;

function renamed(value: unknown, naming: Naming): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, naming));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => {
      const name = naming(key);
      return name === undefined ? [] : [[name, inside(key, item, naming)]];
    }),
  );
}

function inside(key: string, item: unknown, naming: Naming): unknown {
  const folded = key.toLowerCase();
  if (OPAQUE.has(folded)) return item;
  if (!KEYED.has(folded) || !isObject(item)) return renamed(item, naming);
  return Object.fromEntries(Object.entries(item).map(([name, inner]) => [name, renamed(inner, naming)]));
}
