import { type Piece, piecesOf, TemplateSyntaxError, type Token } from "./tokens";

/** One part of a template: text, a value in its place, or a choice between several sequences. */
export interface Action {
  readonly kind: "text" | "value" | "choice" | "repetition";
  /** The text, where it is that. */
  readonly text: string;
  /** What is computed: the value, or the conditions of a choice. */
  readonly pipelines: readonly Operand[];
  /** The sequences of which one is taken; a choice without `else` has an empty one. */
  readonly branches: readonly (readonly Action[])[];
}

/** One operand of a pipeline. A pipe's result is the last operand of the call after it. */
export interface Operand {
  readonly kind: "literal" | "field" | "variable" | "call";
  /** A literal's text, or the name. */
  readonly name: string;
  readonly inner: readonly Operand[];
}

/**
 * The parts of a template in double braces, in order: text, `.Field`, literals, calls, pipes, parentheses, `if`,
 * `with` and `range`, variables and comments.
 * @throws TemplateSyntaxError
 */
export function actionsIn(template: string): readonly Action[] {
  return new TemplateReader(piecesOf(template)).whole();
}

/** Reads the pieces from left to right. */
class TemplateReader {
  #at = 0;

  constructor(private readonly pieces: readonly Piece[]) {}

  whole(): readonly Action[] {
    const { actions, end } = this.sequence();
    if (end !== undefined) throw new TemplateSyntaxError(`${end} stands without if, with or range`);
    return actions;
  }

  /** Actions up to the end of the template, or to an `else` or `end` that belongs to what is outside. */
  private sequence(): { actions: Action[]; end?: "else" | "end"; condition?: readonly Token[] } {
    const actions: Action[] = [];
    while (this.#at < this.pieces.length) {
      const piece = this.pieces[this.#at++];
      if (typeof piece === "string") {
        actions.push({ kind: "text", text: piece, pipelines: [], branches: [] });
        continue;
      }
      const [first, ...rest] = piece ?? [];
      if (first === undefined) continue;
      const [kind, word] = first;
      if (kind !== "word" || !KEYWORDS.has(word)) {
        actions.push(shownValue(piece ?? []));
      } else if (word === "end" || word === "else") {
        return { actions, end: word, condition: rest };
      } else if (word === "if" || word === "with" || word === "range") {
        actions.push(this.structure(word, rest));
      } else throw new TemplateSyntaxError(`${word} cannot be used here`);
    }
    return { actions };
  }

  private structure(word: "if" | "with" | "range", condition: readonly Token[]): Action {
    const pipelines = [pipelineOf(condition)];
    const branches: (readonly Action[])[] = [];
    let hasElse = false;
    for (;;) {
      const { actions, end, condition: next = [] } = this.sequence();
      branches.push(actions);
      if (end === undefined) throw new TemplateSyntaxError(`${word} has no end`);
      if (end === "end") break;
      hasElse = next.length === 0;
      // `else if` and `else with` have conditions of their own.
      if (!hasElse) pipelines.push(pipelineOf(next.slice(1)));
    }
    if (!hasElse) branches.push([]);
    // What is repeated may be repeated never, unless `else` stands in for that.
    return { kind: word === "range" && !hasElse ? "repetition" : "choice", text: "", pipelines, branches };
  }
}

const KEYWORDS = new Set([
  "if",
  "else",
  "end",
  "range",
  "with",
  "define",
  "template",
  "block",
  "break",
  "continue",
]);

function shownValue(tokens: readonly Token[]): Action {
  // An assignment renders nothing.
  const kind = assignedIn(tokens) === tokens ? "value" : "repetition";
  return { kind, text: "", pipelines: [pipelineOf(tokens)], branches: [] };
}

/** What is assigned in `$x := .Field`, or `$i, $x := .Field`; all of it where nothing is. */
function assignedIn(tokens: readonly Token[]): readonly Token[] {
  const sign = tokens.findIndex(([kind, text]) => kind === "mark" && /^:?=$/.test(text));
  return sign > 0 && tokens[0]?.[0] === "variable" ? tokens.slice(sign + 1) : tokens;
}

function pipelineOf(tokens: readonly Token[]): Operand {
  const reader = new PipelineReader(assignedIn(tokens));
  const operand = reader.pipeline();
  if (!reader.isDone) throw new TemplateSyntaxError("a parenthesis is closed that was not opened");
  return operand;
}

class PipelineReader {
  #at = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  get isDone(): boolean {
    return this.#at >= this.tokens.length;
  }

  pipeline(): Operand {
    let result = this.command();
    while (this.takes("|")) result = this.command(result);
    return result;
  }

  private command(piped?: Operand): Operand {
    const [kind, text] = this.tokens[this.#at] ?? [];
    const given = piped === undefined ? [] : [piped];
    if (kind !== "word") {
      if (piped !== undefined) throw new TemplateSyntaxError("a pipe must lead to a function");
      const operand = this.operand();
      if (this.startsOperand()) throw new TemplateSyntaxError("a value takes no arguments");
      return operand;
    }
    this.#at++;
    const inner: Operand[] = [];
    while (this.startsOperand()) inner.push(this.operand());
    return { kind: "call", name: text ?? "", inner: [...inner, ...given] };
  }

  private operand(): Operand {
    if (this.takes("(")) {
      const inner = this.pipeline();
      if (!this.takes(")")) throw new TemplateSyntaxError("a parenthesis is not closed");
      return inner;
    }
    const token = this.tokens[this.#at++];
    if (token === undefined || token[0] === "mark") throw new TemplateSyntaxError("a value is missing");
    const [kind, name] = token;
    return { kind: kind === "word" ? "call" : kind, name, inner: [] };
  }

  private startsOperand(): boolean {
    const token = this.tokens[this.#at];
    return token !== undefined && (token[0] !== "mark" || token[1] === "(");
  }

  private takes(mark: string): boolean {
    const [kind, text] = this.tokens[this.#at] ?? [];
    if (kind !== "mark" || text !== mark) return false;
    this.#at++;
    return true;
  }
}
