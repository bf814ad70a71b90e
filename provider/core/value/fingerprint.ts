import { randomBytes, scryptSync } from "node:crypto";
import { isObject, type Json } from "./json";
import { BoundedCache } from "./memo";
import { type Path, valueAt, withPartAt } from "./path";

/** A fingerprint: its prefix, the salt, and the hash of the secret. */
const FORM = /^quarterdeck:sealed:1:([A-Za-z0-9_-]{22}):[A-Za-z0-9_-]{43}$/;

/**
 * The cost of one guess: about 16 MiB and some hundredths of a second. A generated secret cannot be guessed at any cost.
 * This cost prevents millions of guesses at a secret that a person made up.
 */
const COST = { N: 16_384, r: 8, p: 1 } as const;

/**
 * True if a value is the fingerprint of a secret: a string with the salt and the hash of the secret, and nothing else of it.
 */
export function isFingerprint(value: unknown): value is string {
  return typeof value === "string" && FORM.test(value);
}

/** The salt of a fingerprint. */
export function saltOf(fingerprint: string): string {
  return FORM.exec(fingerprint)?.[1] ?? "";
}

/** A new random salt. */
export function newSalt(): string {
  return randomBytes(16).toString("base64url");
}

/** The paths of all fingerprints in a value. */
export function fingerprintsIn(value: unknown): Path[] {
  const paths: Path[] = [];
  replaceFingerprints(value, (fingerprint, path) => {
    paths.push(path);
    return fingerprint;
  });
  return paths;
}

/** A value with replaced fingerprints; undefined removes a fingerprint. Unchanged parts stay the same objects. */
export function replaceFingerprints<V>(
  value: V,
  replace: (fingerprint: string, path: Path) => unknown,
  path: Path = [],
): V {
  // Each part keeps its type, and inputs keep their metadata.
  return replaceIn(value, replace, path) as V;
}

function replaceIn(
  value: unknown,
  replace: (fingerprint: string, path: Path) => unknown,
  path: Path,
): unknown {
  if (isFingerprint(value)) return replace(value, path);
  if (Array.isArray(value)) {
    const parts = value.map((part: unknown, index) => replaceIn(part, replace, [...path, index]));
    return parts.every((part, index) => part === value[index])
      ? value
      : parts.filter((part) => part !== undefined);
  }
  if (!isObject(value)) return value;
  return Object.entries(value).reduce<unknown>((all, [name, part]) => {
    const now = replaceIn(part, replace, [...path, name]);
    return now === part ? all : withPartAt(all, [name], now);
  }, value);
}

/** Caches fingerprints, because a command computes the fingerprint of a secret several times. */
const computed = new BoundedCache<string>(1_000_000);

function compute(salt: string, secret: string): string {
  const bare = withoutBreaks(secret);
  const key = `${salt}:${bare}`;
  const known = computed.get(key);
  if (known !== undefined) return known;
  const hash = scryptSync(bare, Buffer.from(salt, "base64url"), 32, COST).toString("base64url");
  const fingerprint = `quarterdeck:sealed:1:${salt}:${hash}`;
  computed.set(key, fingerprint, key.length + fingerprint.length);
  return fingerprint;
}

/** True if a fingerprint belongs to a text. Takes some hundredths of a second. */
export function matchesFingerprint(fingerprint: string, text: string): boolean {
  return isFingerprint(fingerprint) && compute(saltOf(fingerprint), text) === fingerprint;
}

/** A text without line breaks at its end: an editor adds them, and they do not count. */
export function withoutBreaks(text: string): string {
  let end = text.length;
  while (text[end - 1] === "\n" || text[end - 1] === "\r") end -= 1;
  return text.slice(0, end);
}

/**
 * The secrets of one call that no state contains, by their fingerprints. Comparisons and records use a fingerprint in place
 * of each secret, which distinguishes different secrets. Requests use the secret itself.
 */
export class Fingerprints {
  readonly #secrets = new Map<string, string>();

  /** @param places the paths at which the server returns these secrets in a response */
  constructor(
    readonly salt: string,
    private readonly places: readonly Path[] = [],
  ) {}

  /** The same secrets, with the paths at which the server returns them. */
  at(places: readonly Path[]): Fingerprints {
    const same = new Fingerprints(this.salt, places);
    for (const [fingerprint, secret] of this.#secrets) same.#secrets.set(fingerprint, secret);
    return same;
  }

  /** Adds a secret, and returns its fingerprint. */
  add(secret: string): string {
    const fingerprint = compute(this.salt, secret);
    if (!this.#secrets.has(fingerprint)) this.#secrets.set(fingerprint, secret);
    return fingerprint;
  }

  /** The secret of a fingerprint, if this call knows it. */
  secretOf(fingerprint: string): string | undefined {
    return this.#secrets.get(fingerprint);
  }

  /** Every secret that this call knows. */
  secrets(): string[] {
    return [...this.#secrets.values()];
  }

  /** An object from a response, with fingerprints instead of its secrets. */
  hide(body: { readonly [member: string]: Json }): { readonly [member: string]: Json } {
    return this.places.reduce((all, place) => this.#replaceAt(all, place), body);
  }

  /** The same for one path of a program's or a recorded value, which may already contain a fingerprint. */
  hideAt<V extends object>(value: V, path: Path): V {
    return isFingerprint(valueAt(value, path)) ? value : this.#replaceAt(value, path);
  }

  #replaceAt<V extends object>(value: V, path: Path): V {
    const secret = valueAt(value, path);
    return typeof secret === "string" && secret !== "" ? withPartAt(value, path, this.add(secret)) : value;
  }

  /**
   * A value with the secrets themselves, as far as they are known.
   * @param otherwise the replacement for a fingerprint whose secret is not known
   */
  reveal<V>(value: V, otherwise: (fingerprint: string) => unknown = (fingerprint) => fingerprint): V {
    return replaceFingerprints(value, (fingerprint) =>
      saltOf(fingerprint) === this.salt
        ? (this.#secrets.get(fingerprint) ?? otherwise(fingerprint))
        : fingerprint,
    );
  }
}

/** The source of a secret that a program does not write: an environment variable or a file. */
export type SecretSource = { readonly fromEnv: string } | { readonly fromFile: string };

/** The source in a value: an object with exactly that one member. A secret is never an object, because all secrets are text. */
export function sourceIn(value: unknown): SecretSource | undefined {
  if (!isObject(value)) return undefined;
  const [member, ...others] = Object.entries(value);
  if (member === undefined || others.length > 0) return undefined;
  const [kind, name] = member;
  if (typeof name !== "string" || name === "") return undefined;
  if (kind === "fromEnv") return { fromEnv: name };
  return kind === "fromFile" ? { fromFile: name } : undefined;
}

/** A source as a program writes it. */
export function sourceText(source: SecretSource): string {
  return "fromEnv" in source
    ? `fromEnv(${JSON.stringify(source.fromEnv)})`
    : `fromFile(${JSON.stringify(source.fromFile)})`;
}

/** True if two sources are the same. */
export function isSameSource(one: SecretSource | undefined, other: SecretSource | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return sourceText(one) === sourceText(other);
}
