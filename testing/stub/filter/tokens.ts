import { FilterError } from "./error";

export type Token =
  | { readonly kind: "name" | "number"; readonly text: string; readonly at: number }
  | { readonly kind: "string"; readonly text: string; readonly at: number }
  | { readonly kind: "symbol"; readonly text: Punctuation; readonly at: number }
  | { readonly kind: "end"; readonly text: ""; readonly at: number };

export type Punctuation = "(" | ")" | "[" | "]" | "." | "==" | "!=";

/** Splits an expression into tokens. "Whitespace is ignored outside strings." */
export function tokenize(expression: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  for (;;) {
    at += /^[ \t\r\n]*/.exec(expression.slice(at))?.[0].length ?? 0;
    if (at === expression.length) return [...tokens, { kind: "end", text: "", at }];
    const token = tokenAt(expression, at);
    tokens.push(token);
    at = token.until;
  }
}

type Cut = Token & { readonly until: number };

function tokenAt(expression: string, at: number): Cut {
  const rest = expression.slice(at);
  const symbol = SYMBOLS.find((candidate) => rest.startsWith(candidate));
  if (symbol !== undefined) return { kind: "symbol", text: symbol, at, until: at + symbol.length };
  const name = /^[A-Za-z][A-Za-z0-9_]*/.exec(rest)?.[0];
  if (name !== undefined) return { kind: "name", text: name, at, until: at + name.length };
  if (rest.startsWith('"') || rest.startsWith("`")) return stringAt(expression, at);
  if (/^[-\d]/.test(rest)) return numberAt(rest, at);
  throw new FilterError(`unexpected ${JSON.stringify(rest[0])}`, at);
}

const SYMBOLS: readonly Punctuation[] = ["(", ")", "[", "]", ".", "==", "!="];

/** "Base 10 integer or floating point"; whitespace, a bracket or the end must follow. */
function numberAt(rest: string, at: number): Cut {
  const text = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?=[ \t\r\n)]|$)/.exec(rest)?.[0];
  if (text === undefined) throw new FilterError("Invalid number literal", at);
  return { kind: "number", text, at, until: at + text.length };
}

/** "In double quotes or backticks (backtick strings are raw)"; neither can contain its own quote. */
function stringAt(expression: string, at: number): Cut {
  const end = expression.indexOf(expression.charAt(at), at + 1);
  if (end < 0) throw new FilterError("Unterminated string literal", at);
  const inside = expression.slice(at + 1, end);
  const text = expression[at] === "`" ? inside : unescapeText(inside, at + 1);
  return { kind: "string", text, at, until: end + 1 };
}

const ESCAPES: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
};

function unescapeText(text: string, at: number): string {
  const newline = text.indexOf("\n");
  if (newline >= 0) throw new FilterError("invalid syntax", at + newline);
  return text.replace(
    /\\(?:x([\da-f]{2})|u([\da-f]{4})|([\s\S])|$)/gi,
    (whole, hex, unicode, single, offset) => {
      const code: string | undefined = hex ?? unicode;
      if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
      const escaped = ESCAPES[single ?? ""];
      if (escaped === undefined)
        throw new FilterError(`invalid escape ${JSON.stringify(whole)}`, at + Number(offset));
      return escaped;
    },
  );
}
