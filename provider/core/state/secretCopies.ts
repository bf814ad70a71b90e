import { type Secret, SHORTEST } from "../../../packages/redact";
import { isObject } from "../value/json";
import { withoutBreaks } from "../value/sealing";

/** A shorter text may be a common word: it counts only if it is the complete value. */
const SHORTEST_PART = 8;

/** Finds known secrets in other values: a long secret anywhere in a text, a short one as the complete value. */
export class SecretCopies {
  readonly #short = new Set<string>();
  /** The long secrets by their first characters, so that the number of secrets does not slow the search down. */
  readonly #long = new Map<string, string[]>();

  constructor(secrets: Iterable<Secret>) {
    for (const secret of secrets) this.#add(secret);
  }

  /** Whether a text, a number, a name in a map, or anything inside a value is or contains a secret. */
  isIn(value: unknown): boolean {
    if (this.#short.size + this.#long.size === 0) return false;
    if (Array.isArray(value)) return value.some((part) => this.isIn(part));
    if (isObject(value))
      return Object.entries(value).some(([name, part]) => this.isScalar(name) || this.isIn(part));
    return this.isScalar(value);
  }

  /** The same for a text or a number alone. */
  isScalar(value: unknown): boolean {
    if (typeof value !== "string" && typeof value !== "number" && typeof value !== "bigint") return false;
    const text = String(value);
    return this.#short.has(text) || this.#containsLong(text);
  }

  #add(secret: Secret): void {
    const text = withoutBreaks(String(secret));
    if (text === "" || (typeof secret !== "string" && text.length < SHORTEST)) return;
    if (text.length < SHORTEST_PART) {
      this.#short.add(text);
      return;
    }
    const escaped = JSON.stringify(text).slice(1, -1);
    for (const each of new Set([text, escaped])) {
      const start = each.slice(0, SHORTEST_PART);
      this.#long.set(start, [...(this.#long.get(start) ?? []), each]);
    }
  }

  #containsLong(text: string): boolean {
    if (this.#long.size === 0) return false;
    for (let at = 0; at + SHORTEST_PART <= text.length; at += 1) {
      const found = this.#long.get(text.slice(at, at + SHORTEST_PART));
      if (found?.some((secret) => text.startsWith(secret, at))) return true;
    }
    return false;
  }
}
