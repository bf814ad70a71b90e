import { haystackOf } from "./haystack";
import { piecesIn } from "./pieces";
import { mergeRanges, occurrencesOf, outside, placesBehind, type Range, replaceRanges } from "./ranges";
import { PIECE, type Secret, SHORTEST, type ShortSecret, type Sought, searchTextsOf } from "./secret";
import { shortsIn } from "./shorts";
import { userinfoIn } from "./userinfo";
import { viewsOf } from "./views";

/** The replacement for a secret in a text. */
export const MASK = "[secret]";

/** The longest text that is read and shown, in code units. */
export const MOST_TEXT = 256 * 1024;

/**
 * A source of secrets: another redactor with everything that it learns, a list, or a function that creates a list when
 * needed.
 */
export type SecretSupplier = Redactor | Iterable<Secret> | (() => Iterable<Secret>);

/**
 * Masks secrets in external text, in any spelling. Decodes the escapes and encodings of the text, and masks the raw text of
 * every part that belongs to a secret. A run of 12 characters of a secret is enough; a shorter secret is masked only if it
 * is complete. Also masks the userinfo of every URL.
 *
 * No work until `mask`; then linear in the lengths of the text and the secrets. It never throws.
 */
export class Redactor {
  readonly #sources: SecretSupplier[];
  readonly #above: Redactor[] = [];
  readonly #onlyKnown = new Set<Redactor>();
  readonly #sought = new Map<Secret, Sought>();
  readonly #spared = new Set<string>();

  constructor(...sources: SecretSupplier[]) {
    this.#sources = sources;
  }

  /** Adds further secrets. */
  add(source: SecretSupplier): void {
    this.#sources.push(source);
  }

  /** Texts that every message may contain although they are also secrets: a resource's own ID, name and type. */
  spare(...texts: readonly (string | undefined)[]): void {
    for (const text of texts) if (text !== undefined && text.length >= SHORTEST) this.#spared.add(text);
  }

  /** Adds secrets that `knownSecrets` returns and `mask` leaves: a token such as `root` may be a word in our own messages. */
  addKnown(redactor: Redactor): void {
    this.#onlyKnown.add(redactor);
  }

  /** Every secret that is known so far. */
  *knownSecrets(): Generator<Secret> {
    yield* this.#all().keys();
    for (const redactor of this.#onlyKnown) yield* redactor.knownSecrets();
  }

  /** The text, up to the longest length that is read, with every secret replaced by `[secret]`. */
  mask(text: string): string {
    try {
      return this.#masked(text);
    } catch {
      // The error may quote the text or a secret.
      return WITHHELD;
    }
  }

  #masked(whole: string): string {
    const text = whole.length > MOST_TEXT ? whole.slice(0, MOST_TEXT) : whole;
    const sought = [...this.#all().values()];
    const ranges = sought.length === 0 && !MAY_HOLD_USERINFO.test(text) ? [] : secretRanges(text, sought);
    const apart = mergeRanges(outside(ranges, this.#allSpared(), text), text);
    return `${replaceRanges(text, apart, MASK)}${text === whole ? "" : "…"}`;
  }

  /** Every secret once, from all redactors. */
  #all(into = new Map<Secret, Sought>()): Map<Secret, Sought> {
    // A source that throws stays in the list, so that no later text is shown without its secrets.
    for (let source = this.#sources[0]; source !== undefined; source = this.#sources[0]) {
      if (source instanceof Redactor) this.#above.push(source);
      else for (const secret of [...(typeof source === "function" ? source() : source)]) this.#learn(secret);
      this.#sources.shift();
    }
    for (const redactor of this.#above) redactor.#all(into);
    for (const [secret, sought] of this.#sought) into.set(secret, sought);
    return into;
  }

  #learn(secret: Secret): void {
    if (!this.#sought.has(secret)) this.#sought.set(secret, searchTextsOf(secret));
  }

  #allSpared(): string[] {
    return [...this.#above.flatMap((redactor) => redactor.#allSpared()), ...this.#spared];
  }
}

/** The at sign of userinfo, also in its other spellings. */
const MAY_HOLD_USERINFO = /@|%40|u0040|x40|&#|&commat/i;

const WITHHELD = "[text withheld: it could not be searched for secrets]";

function secretRanges(text: string, sought: readonly Sought[]): Range[] {
  const shorts = sought.flatMap(({ short }) => short);
  const { plain, decoded, undecoded } = viewsOf(text, shortestRuns(shorts));
  const haystack = haystackOf([...plain, ...decoded]);
  return [
    ...plain.flatMap(userinfoIn),
    ...piecesIn(haystack, longsOf(sought)),
    ...shortsIn(haystack, shorts),
    ...sought.flatMap(({ literal = "" }) => occurrencesOf(literal, text)),
    // Masks text that was not decoded completely.
    ...undecoded.flatMap(placesBehind),
  ];
}

function* longsOf(sought: readonly Sought[]): Generator<Uint16Array> {
  for (const { long } of sought) yield* long;
}

/** The shortest run of digits that can contain a secret: a piece of a secret, or the shortest complete secret. */
function shortestRuns(shorts: readonly ShortSecret[]) {
  const text = shorts.reduce((least, short) => Math.min(least, short.text.length), PIECE);
  return { text, base64: Math.min(16, Math.ceil((text * 8) / 6)), hex: Math.min(16, text * 2) };
}
