/** A template that cannot be read. */
export class TemplateSyntaxError extends Error {
  override readonly name = "TemplateSyntaxError";
}

/** One word of an action, and what it is. */
export type Token = readonly [kind: "literal" | "field" | "variable" | "word" | "mark", text: string];

/** Text, or the tokens of one action. */
export type Piece = string | readonly Token[];

const OPEN = "{{";
const TOKEN =
  /\s*(?:("(?:[^"\\\n]|\\.)*")|`([^`]*)`|('(?:[^'\\]|\\.)+')|(-?\d+(?:\.\d+)?)|\.(\w+(?:\.\w+)*)|(\$\w*(?:\.\w+)*)|(\.)|([A-Za-z_]\w*)|(:=|[()|=,]))/y;

/**
 * Cuts a template into text and actions, with the blanks that `{{-` and `-}}` take away.
 * @throws TemplateSyntaxError
 */
export function piecesOf(template: string): Piece[] {
  const pieces: Piece[] = [];
  let rest = template;
  for (let at = rest.indexOf(OPEN); at >= 0; at = rest.indexOf(OPEN)) {
    const opening = /^\{\{(?:-(?=\s))?/.exec(rest.slice(at))?.[0] ?? OPEN;
    const before = rest.slice(0, at);
    pieces.push(opening === OPEN ? before : before.trimEnd());
    const { tokens, after } = tokensOf(rest.slice(at + opening.length));
    pieces.push(tokens);
    rest = after;
  }
  return [...pieces, rest];
}

function tokensOf(text: string): { tokens: Token[]; after: string } {
  const comment = /^\s*\/\*[\s\S]*?\*\/\s*-?\}\}/.exec(text)?.[0];
  if (comment !== undefined) return { tokens: [], after: text.slice(comment.length) };
  const tokens: Token[] = [];
  let at = 0;
  for (;;) {
    const close = /^\s*\}\}|^\s+-\}\}/.exec(text.slice(at))?.[0];
    if (close !== undefined) {
      if (tokens.length === 0) throw new TemplateSyntaxError("an action is empty");
      const after = text.slice(at + close.length);
      return { tokens, after: close.includes("-") ? after.trimStart() : after };
    }
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (match === null) {
      throw new TemplateSyntaxError(
        text.includes("}}")
          ? `cannot read ${JSON.stringify(text.slice(at, at + 20).trim())}`
          : "}} is missing",
      );
    }
    at = TOKEN.lastIndex;
    tokens.push(tokenOf(match));
  }
}

function tokenOf(match: RegExpExecArray): Token {
  const [, quoted, raw, character, number, field, variable, dot, word, mark] = match;
  if (quoted !== undefined) return ["literal", unquoted(quoted)];
  if (raw !== undefined) return ["literal", raw];
  if (character !== undefined) return ["literal", character.slice(1, -1)];
  if (number !== undefined) return ["literal", number];
  if (field !== undefined) return ["field", field];
  if (variable !== undefined || dot !== undefined) return ["variable", variable ?? "."];
  return word !== undefined ? ["word", word] : ["mark", mark ?? ""];
}

function unquoted(text: string): string {
  return text.slice(1, -1).replace(/\\(.)/g, (_, letter: string) => ({ n: "\n", t: "\t" })[letter] ?? letter);
}
