import { haystackOf } from "./haystack";
import { piecesIn } from "./pieces";
import { merged, outside, placesBehind, placesOf, type Range, replaced } from "./ranges";
import { PIECE, type Secret, SHORTEST, type ShortSecret, type Sought, soughtIn } from "./secret";
import { shortsIn } from "./shorts";
import { userinfoIn } from "./userinfo";
import { viewsOf } from "./views";

/** What stands in the place of a secret. */
export const MASK = "[secret]";

/** How much of a text is read, and shown, at most: code units. */
export const MOST_TEXT = 256 * 1024;

/** Where secrets come from: another redactor with all that it learns, or a list, made only when it is needed. */
export type SecretSource = Redactor | Iterable<Secret> | (() => Iterable<Secret>);

/**
 * Masks secrets in text from elsewhere, however they are spelled there: the text is read, with its escapes and
 * encodings undone, and what of it stands in a secret is masked where it stands in the raw text. A run of 12
 * characters of a secret is enough; what is shorter is found whole. The userinfo of every URL is masked as well.
 *
 * It costs nothing until it masks, and then what the text and the secrets are long. It never throws.
 */
export class Redactor {
  readonly #sources: SecretSource[];
  readonly #above: Redactor[] = [];
  readonly #onlyKnown = new Set<Redactor>();
  readonly #sought = new Map<Secret, Sought>();
  readonly #spared = new Set<string>();

  constructor(...sources: SecretSource[]) {
    this.#sources = sources;
  }

  /** Adds further secrets. */
  add(source: SecretSource): void {
    this.#sources.push(source);
  }

  /** What may stand in every text although it is a secret, too: a resource's own id, name and type. */
  spare(...texts: readonly (string | undefined)[]): void {
    for (const text of texts) if (text !== undefined && text.length >= SHORTEST) this.#spared.add(text);
  }

  /** Adds secrets that `known` returns and `mask` leaves: a token such as `root` may be a word of our own messages. */
  addKnown(redactor: Redactor): void {
    this.#onlyKnown.add(redactor);
  }

  /** Every secret that is known by now. */
  *known(): Generator<Secret> {
    yield* this.#all().keys();
    for (const redactor of this.#onlyKnown) yield* redactor.known();
  }

  /** The text, as far as it is read, with every secret in it replaced by `[secret]`. */
  mask(text: string): string {
    try {
      return this.#masked(text);
    } catch {
      // What was thrown may quote what it was given.
      return WITHHELD;
    }
  }

  #masked(whole: string): string {
    const text = whole.length > MOST_TEXT ? whole.slice(0, MOST_TEXT) : whole;
    const sought = [...this.#all().values()];
    const ranges = sought.length === 0 && !MAY_HOLD_USERINFO.test(text) ? [] : secretRanges(text, sought);
    const apart = merged(outside(ranges, this.#allSpared(), text), text);
    return `${replaced(text, apart, MASK)}${text === whole ? "" : "…"}`;
  }

  /** Every secret once, whoever knows of it. */
  #all(into = new Map<Secret, Sought>()): Map<Secret, Sought> {
    // One that fails stays, so that no later text is shown without it.
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
    if (!this.#sought.has(secret)) this.#sought.set(secret, soughtIn(secret));
  }

  #allSpared(): string[] {
    return [...this.#above.flatMap((redactor) => redactor.#allSpared()), ...this.#spared];
  }
}

/** Also with its sign spelled otherwise. */
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
    ...sought.flatMap(({ literal = "" }) => placesOf(literal, text)),
    // What could not be read to its end is not shown.
    ...undecoded.flatMap(placesBehind),
  ];
}

function* longsOf(sought: readonly Sought[]): Generator<Uint16Array> {
  for (const { long } of sought) yield* long;
}

/** How long runs of digits are at least that can hold a secret: those of a piece of one, or of the shortest whole. */
function shortestRuns(shorts: readonly ShortSecret[]) {
  const text = shorts.reduce((least, short) => Math.min(least, short.text.length), PIECE);
  return { text, base64: Math.min(16, Math.ceil((text * 8) / 6)), hex: Math.min(16, text * 2) };
}
