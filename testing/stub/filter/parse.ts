import type { Comparison, Expression, Literal, Selector } from "./ast";
import { FilterError } from "./error";
import { type Punctuation, type Token, tokenize } from "./tokens";

/**
 * Parses an expression of the grammar in the section "General conventions". No word is reserved: `not == 3` compares a field
 * named `not`. Throws a {@link FilterError} at the first invalid position.
 */
export function parseFilter(expression: string): Expression {
  const reader = new Reader(tokenize(expression));
  try {
    const parsed = or(reader);
    if (reader.token.kind !== "end") throw reader.unexpected("a connector or the end");
    return parsed;
  } catch (error) {
    throw error instanceof FilterError ? reader.later(error) : error;
  }
}

function or(reader: Reader): Expression {
  const left = and(reader);
  return reader.word("or") ? { kind: "or", left, right: or(reader) } : left;
}

function and(reader: Reader): Expression {
  const left = not(reader);
  return reader.word("and") ? { kind: "and", left, right: and(reader) } : left;
}

function not(reader: Reader): Expression {
  const negation = reader.attempt(() => (reader.word("not") ? not(reader) : undefined));
  return negation === undefined ? primary(reader) : { kind: "not", operand: negation };
}

function primary(reader: Reader): Expression {
  if (!reader.symbol("(")) return match(reader);
  const inner = or(reader);
  if (!reader.symbol(")")) throw reader.unexpected('")"');
  return inner;
}

function match(reader: Reader): Expression {
  const bySelector = reader.attempt(() => selectorFirst(reader));
  if (bySelector !== undefined) return bySelector;
  const byValue = reader.attempt(() => valueFirst(reader));
  if (byValue !== undefined) return byValue;
  throw reader.unexpected("an expression");
}

function selectorFirst(reader: Reader): Expression | undefined {
  const selector = readSelector(reader);
  if (reader.words("is", "not", "empty")) return { kind: "empty", negated: true, selector };
  if (reader.words("is", "empty")) return { kind: "empty", negated: false, selector };
  const operator = comparison(reader);
  if (operator === undefined) throw reader.unexpected("an operator");
  return { kind: "compare", operator, selector, value: readValue(reader) };
}

function comparison(reader: Reader): Comparison | undefined {
  if (reader.symbol("==")) return "==";
  if (reader.symbol("!=")) return "!=";
  for (const word of ["contains", "matches"] as const) {
    if (reader.words("not", word)) return `not ${word}`;
    if (reader.word(word)) return word;
  }
  return undefined;
}

function valueFirst(reader: Reader): Expression {
  const value = readValue(reader);
  const negated = reader.words("not", "in");
  if (!negated && !reader.word("in")) throw reader.unexpected("an operator");
  return { kind: "compare", operator: negated ? "not in" : "in", selector: readSelector(reader), value };
}

/** "Names separated by `.` … A map key may be written `["<key>"]`." */
function readSelector(reader: Reader): Selector {
  const selector: [string, ...string[]] = [reader.take("name", "a selector")];
  for (;;) {
    if (reader.symbol(".")) selector.push(reader.take("name", "a name"));
    else if (reader.symbol("[")) {
      selector.push(reader.take("string", "a quoted key"));
      if (!reader.symbol("]")) throw reader.unexpected('"]"');
    } else return selector;
  }
}

/** "A selector, a number … or a string." A selector counts as its own text. */
function readValue(reader: Reader): Literal {
  const { kind } = reader.token;
  if (kind === "name") return { kind: "selector", text: readSelector(reader).join(".") };
  if (kind === "number" || kind === "string") return { kind, text: reader.take(kind, "a value") };
  throw reader.unexpected("a value");
}

/** The tokens with a read position; if every attempt fails, the error of the furthest one is reported. */
class Reader {
  #next = 0;
  #furthest: FilterError | undefined;

  constructor(private readonly tokens: readonly Token[]) {}

  get token(): Token {
    return this.#peek(0);
  }

  word(word: string): boolean {
    return this.words(word);
  }

  words(...words: readonly string[]): boolean {
    const wrong = words.findIndex((word, index) => {
      const token = this.#peek(index);
      return token.kind !== "name" || token.text !== word;
    });
    if (wrong < 0) this.#next += words.length;
    // The first words matched, so the next one was expected.
    if (wrong > 0) this.#furthest = this.later(this.#unexpectedAt(wrong, JSON.stringify(words[wrong])));
    return wrong < 0;
  }

  symbol(symbol: Punctuation): boolean {
    const isThere = this.token.kind === "symbol" && this.token.text === symbol;
    if (isThere) this.#next += 1;
    return isThere;
  }

  take(kind: "name" | "number" | "string", what: string): string {
    const { token } = this;
    if (token.kind !== kind) throw this.unexpected(what);
    this.#next += 1;
    return token.text;
  }

  /** Runs a reader; if it fails, restores the position. */
  attempt<Result>(read: () => Result | undefined): Result | undefined {
    const start = this.#next;
    try {
      const result = read();
      if (result !== undefined) return result;
    } catch (error) {
      if (!(error instanceof FilterError)) throw error;
      this.#furthest = this.later(error);
    }
    this.#next = start;
    return undefined;
  }

  unexpected(wanted: string): FilterError {
    return this.#unexpectedAt(0, wanted);
  }

  /** Of this error and those of the failed attempts, the one furthest in the text. */
  later(error: FilterError): FilterError {
    const before = this.#furthest;
    return before !== undefined && (before.position ?? 0) >= (error.position ?? 0) ? before : error;
  }

  #unexpectedAt(ahead: number, wanted: string): FilterError {
    const { kind, text, at } = this.#peek(ahead);
    const found = kind === "end" ? "the end of the expression" : JSON.stringify(text);
    return new FilterError(`expected ${wanted}, found ${found}`, at);
  }

  #peek(ahead: number): Token {
    const token = this.tokens[this.#next + ahead] ?? this.tokens.at(-1);
    if (token === undefined) throw new RangeError("an expression has at least its end");
    return token;
  }
}
