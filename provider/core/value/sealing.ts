import { randomBytes, scryptSync } from "node:crypto";
import { isObject, type Json } from "./json";
import { BoundedCache } from "./memo";
import { type Path, valueAt, withPartAt } from "./path";

/** The prefix of every fingerprint. The salt and the hash follow. */
export const SEAL = "quarterdeck:sealed:1:";

const SEAL_FORM = /^quarterdeck:sealed:1:([A-Za-z0-9_-]{22}):[A-Za-z0-9_-]{43}$/;

/**
 * The cost of one guess: about 16 MiB and some hundredths of a second. A generated secret cannot be guessed at any cost.
 * This cost prevents millions of guesses at a secret that a person made up.
 */
const COST = { N: 16_384, r: 8, p: 1 } as const;

/**
 * True if a value is the fingerprint of a secret: a string with the salt and the hash of the secret, and nothing else of it.
 */
export function isSeal(value: unknown): value is string {
  return typeof value === "string" && SEAL_FORM.test(value);
}

/** The salt of a fingerprint. */
export function saltOf(seal: string): string {
  return SEAL_FORM.exec(seal)?.[1] ?? "";
}

/** A new random salt. */
export function newSalt(): string {
  return randomBytes(16).toString("base64url");
}

/** The paths of all fingerprints in a value. */
export function sealsIn(value: unknown, path: Path = []): Path[] {
  if (isSeal(value)) return [path];
  if (Array.isArray(value)) return value.flatMap((part, index) => sealsIn(part, [...path, index]));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => sealsIn(part, [...path, name]));
}

/** Caches fingerprints, because a command computes the fingerprint of a secret several times. */
const seals = new BoundedCache<string>(1_000_000);

function sealOf(salt: string, secret: string): string {
  const bare = withoutBreaks(secret);
  const key = `${salt}:${bare}`;
  const known = seals.get(key);
  if (known !== undefined) return known;
  const print = scryptSync(bare, Buffer.from(salt, "base64url"), 32, COST).toString("base64url");
  const made = `${SEAL}${salt}:${print}`;
  seals.set(key, made, key.length + made.length);
  return made;
}

/** True if a fingerprint belongs to a text. Takes some hundredths of a second. */
export function isSealOf(seal: string, text: string): boolean {
  return isSeal(seal) && sealOf(saltOf(seal), text) === seal;
}

/** A text without line breaks at its end: an editor adds them, and they do not count. */
export function withoutBreaks(text: string): string {
  let end = text.length;
  while (text[end - 1] === "\n" || text[end - 1] === "\r") end -= 1;
  return text.slice(0, end);
}

/** A secret that a request needs and that is not available. */
export class NotAtHand extends Error {
  override readonly name = "NotAtHand";
}

/**
 * The secrets of one call that no state contains. Comparisons and records use a fingerprint in place of each secret, which
 * distinguishes different secrets. Requests use the secret itself.
 */
export class Sealing {
  readonly #secrets = new Map<string, string>();

  /** @param places the paths at which the server returns these secrets in a response */
  constructor(
    readonly salt: string,
    private readonly places: readonly Path[] = [],
  ) {}

  /** The same secrets, with the paths at which the server returns them. */
  at(places: readonly Path[]): Sealing {
    const sealing = new Sealing(this.salt, places);
    for (const [seal, secret] of this.#secrets) sealing.#secrets.set(seal, secret);
    return sealing;
  }

  seal(secret: string): string {
    const seal = sealOf(this.salt, secret);
    if (!this.#secrets.has(seal)) this.#secrets.set(seal, secret);
    return seal;
  }

  /** The secret of a fingerprint, if this call knows it. */
  secretOf(seal: string): string | undefined {
    return this.#secrets.get(seal);
  }

  /** Every secret that this call knows. */
  secrets(): string[] {
    return [...this.#secrets.values()];
  }

  /** An object from a response, with fingerprints instead of its secrets. */
  sealed(body: { readonly [member: string]: Json }): { readonly [member: string]: Json } {
    return this.places.reduce((whole, place) => {
      const secret = valueAt(whole, place);
      return typeof secret === "string" && secret !== ""
        ? withPartAt(whole, place, this.seal(secret))
        : whole;
    }, body);
  }

  /**
   * A value with the secrets themselves, as far as they are known.
   * @param unknown the replacement for a fingerprint whose secret is not known
   */
  opened<V>(value: V, unknown: (seal: string) => unknown = (seal) => seal): V {
    // Each part keeps its type.
    return this.#opened(value, unknown) as V;
  }

  /**
   * The body to send, with the secrets themselves.
   * @throws NotAtHand if the body needs a secret that is not known
   */
  toSend(body: Json): Json {
    return this.opened(body, () => {
      throw new NotAtHand("a secret that is kept elsewhere is needed here, and is not at hand");
    });
  }

  #opened(value: unknown, unknown: (seal: string) => unknown): unknown {
    if (isSeal(value)) {
      if (saltOf(value) !== this.salt) return value;
      return this.#secrets.get(value) ?? unknown(value);
    }
    if (Array.isArray(value)) {
      const parts = value.map((part: unknown) => this.#opened(part, unknown));
      return parts.every((part, index) => part === value[index]) ? value : parts;
    }
    if (!isObject(value)) return value;
    let isOther = false;
    const members = Object.entries(value).map(([name, part]) => {
      const open = this.#opened(part, unknown);
      isOther ||= open !== part;
      return [name, open] as const;
    });
    // Inputs keep their metadata.
    return isOther ? { ...value, ...Object.fromEntries(members) } : value;
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
