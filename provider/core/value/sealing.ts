import { randomBytes, scryptSync } from "node:crypto";
import { isObject, type Json } from "./json";
import { BoundedCache } from "./memo";
import { type Path, valueAt, withPartAt } from "./path";

/** What every seal begins with; then come the salt and the fingerprint. */
export const SEAL = "quarterdeck:sealed:1:";

const SEAL_FORM = /^quarterdeck:sealed:1:([A-Za-z0-9_-]{22}):[A-Za-z0-9_-]{43}$/;

/**
 * What trying one guess costs: about 16 MiB and some hundredths of a second. A guess at a generated secret is hopeless at
 * any cost; this keeps what a person made up from being tried by the million.
 */
const COST = { N: 16_384, r: 8, p: 1 } as const;

/** Whether a value stands in for a secret: a text with the salt and the fingerprint of the secret, and nothing else of it. */
export function isSeal(value: unknown): value is string {
  return typeof value === "string" && SEAL_FORM.test(value);
}

/** The salt of a seal. */
export function saltOf(seal: string): string {
  return SEAL_FORM.exec(seal)?.[1] ?? "";
}

/** A salt that nobody has. */
export function newSalt(): string {
  return randomBytes(16).toString("base64url");
}

/** The places in a value at which a secret is sealed. */
export function sealsIn(value: unknown, path: Path = []): Path[] {
  if (isSeal(value)) return [path];
  if (Array.isArray(value)) return value.flatMap((part, index) => sealsIn(part, [...path, index]));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => sealsIn(part, [...path, name]));
}

/** The same secret is sealed several times in a command. */
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

/** Whether a fingerprint is that of a text. It takes some hundredths of a second. */
export function isSealOf(seal: string, text: string): boolean {
  return isSeal(seal) && sealOf(saltOf(seal), text) === seal;
}

/** A text without line breaks at its end: those are an editor's, and count for nothing. */
export function withoutBreaks(text: string): string {
  let end = text.length;
  while (text[end - 1] === "\n" || text[end - 1] === "\r") end -= 1;
  return text.slice(0, end);
}

/** A secret that a request needs, and that is not at hand. */
export class NotAtHand extends Error {
  override readonly name = "NotAtHand";
}

/**
 * The secrets of one call that stand in no state: in what is compared and recorded a seal stands for each of them, by which
 * two of them can be told apart; in what is sent, the secret itself.
 */
export class Sealing {
  readonly #secrets = new Map<string, string>();

  /** @param places where in an answered object the service shows what is sealed */
  constructor(
    readonly salt: string,
    private readonly places: readonly Path[] = [],
  ) {}

  /** The same secrets, with the places at which the service shows them. */
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

  /** The secret that a seal stands for, where this call knows it. */
  secretOf(seal: string): string | undefined {
    return this.#secrets.get(seal);
  }

  /** Every secret that this call knows. */
  secrets(): string[] {
    return [...this.#secrets.values()];
  }

  /** An object as its service answered it, with what is sealed here sealed. */
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
   * @param unknown what becomes of a seal whose secret is not
   */
  opened<V>(value: V, unknown: (seal: string) => unknown = (seal) => seal): V {
    // Each part is of the type that it was.
    return this.#opened(value, unknown) as V;
  }

  /**
   * What is to be sent.
   * @throws NotAtHand where a secret is needed for it that is not known
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
    // What goes along with inputs stays with them.
    return isOther ? { ...value, ...Object.fromEntries(members) } : value;
  }
}

/** Where a secret is that a program does not write: in an environment variable, or in a file. */
export type SecretSource = { readonly fromEnv: string } | { readonly fromFile: string };

/** The source that a value says: an object with that one member, which no secret is, because each of them is text. */
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

/** Whether two sources are one. */
export function isSameSource(one: SecretSource | undefined, other: SecretSource | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return sourceText(one) === sourceText(other);
}
