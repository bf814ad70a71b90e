import { isObject } from "../../json";
import type { Switches } from "./settings";

/** The prefix of every header: `X-Sched-Index`, `X-Nomad-Index`. */
export function headerPrefix(dialect: Switches["dialect"]): string {
  return dialect === "neutral" ? "x-sched" : "x-nomad";
}

/** A document with the field names of the selected dialect. */
export function toWire(document: unknown, dialect: Switches["dialect"]): unknown {
  return dialect === "neutral" ? document : renameMembers(document, realName);
}

/** A sent document with the specification's field names. */
export function fromWire(document: unknown, dialect: Switches["dialect"]): unknown {
  return dialect === "neutral" ? document : renameMembers(document, neutralName);
}

function realName(name: string): string | undefined {
  return TOKENS.has(name) ? undefined : (REAL.get(name) ?? name);
}

/** Nomad matches names case-insensitively and does not know names that only the specification uses. */
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
  // The specification has no such blocks: the neutral dialect uses a name that nothing else has.
  ["SecretBlocks", "Secrets"],
  ["Mesh", "Consul"],
  ["SecretsError", "VaultError"],
  ["SecretsGrace", "VaultGrace"],
];

const REAL = new Map(WORDS);
const NEUTRAL = new Map(WORDS.map(([neutral, real]) => [real.toLowerCase(), neutral]));
/** Older versions of Nomad have these; version 2 ignores them and omits them from responses. */
const TOKENS = new Set(["SecretsToken", "MeshToken"]);
const SPECIFIED = new Set(WORDS.map(([neutral]) => neutral.toLowerCase()));

/** Members whose contents are not renamed: the user's maps, and the settings of drivers and proxies. */
const OPAQUE = inLowerCase([
  ...[
    "Meta",
    "Items",
    "Env",
    "Config",
    "CanaryMeta",
    "Gateway",
    "Proxy",
    "GetterOptions",
    "GetterHeaders",
    "Header",
  ],
  ...["TaggedAddresses", "Target", "Policy", "Args", "VariableFlags", "Parameters"],
]);

/** Maps from the user's keys to documents. */
const KEYED = inLowerCase(["TaskStates", "TaskGroups", "Summary", "Volumes"]);

function inLowerCase(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.map((name) => name.toLowerCase()));
}

/** Returns a name in the other dialect; undefined if that dialect lacks it. */
type Naming = (name: string) => string | undefined;

function renameMembers(value: unknown, naming: Naming): unknown {
  if (Array.isArray(value)) return value.map((item) => renameMembers(item, naming));
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
  if (!KEYED.has(folded) || !isObject(item)) return renameMembers(item, naming);
  return Object.fromEntries(
    Object.entries(item).map(([name, inner]) => [name, renameMembers(inner, naming)]),
  );
}
