import { ownOf } from "../../json";
import { evaluate, type TemplateContext, TemplateError, type TemplateValue } from "./template-functions";

/**
 * Renders a double-brace template: `.Field`, quoted strings, numbers, parentheses, functions and pipes. Omits actions with
 * other built-ins of the template language (`if`, `range`, `$x`, `len`…) instead of rejecting a template that Vault accepts;
 * text between such actions is rendered.
 */
export function render(template: string, context: TemplateContext): string {
  if (template.replace(ACTION, "").includes("{{")) throw new TemplateError("template: unclosed action");
  return template.replace(ACTION, (_match, action: string) => {
    if (isBeyond(action)) return "";
    const tokens = tokenize(action);
    const value = new Parser(tokens, context).pipeline();
    return Buffer.isBuffer(value) ? value.toString("latin1") : String(value);
  });
}

/** From `{{` to `}}`, which a literal or a comment may also contain. */
const ACTION = /\{\{-?((?:"(?:[^"\\\n]|\\.)*"|`[^`]*`|\/\*[\s\S]*?\*\/|(?!-?\}\})[^"`])*)-?\}\}/g;

const LANGUAGE = new Set(
  (
    "if else end range with define template block break continue nil true false " +
    "print println html js urlquery len index slice and or not eq ne lt le gt ge call"
  ).split(" "),
);

/** True if an action is a comment or contains built-ins or variables of the template language. */
function isBeyond(action: string): boolean {
  const bare = action.replace(/"(?:[^"\\\n]|\\.)*"|`[^`]*`/g, '""');
  const words = [...bare.matchAll(/(?<![\w.])[A-Za-z_]\w*/g)].map(([word]) => word);
  return /\$|\/\*/.test(bare) || words.some((word) => LANGUAGE.has(word));
}

type Token =
  | { readonly kind: "value"; readonly value: TemplateValue }
  | { readonly kind: "field" | "function" | "mark"; readonly text: string };

function tokenize(action: string): readonly Token[] {
  const tokens: Token[] = [];
  const pattern = /\s*(?:"((?:[^"\\]|\\.)*)"|`([^`]*)`|(-?\d+)|\.(\w+)|([a-z_]\w*)|([()|]))/giy;
  const end = action.trimEnd().length;
  while (pattern.lastIndex < end) {
    const start = pattern.lastIndex;
    const match = pattern.exec(action);
    if (match === null) throw new TemplateError(`template: cannot read "${action.slice(start).trim()}"`);
    const [, quoted, raw, number, field, name, mark] = match;
    if (quoted !== undefined) tokens.push({ kind: "value", value: unquote(quoted) });
    else if (raw !== undefined) tokens.push({ kind: "value", value: raw });
    else if (number !== undefined) tokens.push({ kind: "value", value: Number(number) });
    else if (field !== undefined) tokens.push({ kind: "field", text: field });
    else if (name !== undefined) tokens.push({ kind: "function", text: name });
    else tokens.push({ kind: "mark", text: mark ?? "" });
  }
  return tokens;
}

function unquote(text: string): string {
  return text.replace(/\\(.)/g, (_match, letter: string) =>
    letter === "n" ? "\n" : letter === "t" ? "\t" : letter,
  );
}

/**
 * Evaluates while parsing: a pipeline is a list of commands, and each command receives the previous result as its last
 * argument.
 */
class Parser {
  #position = 0;

  constructor(
    private readonly tokens: readonly Token[],
    private readonly context: TemplateContext,
  ) {}

  pipeline(): TemplateValue {
    const value = this.commands();
    if (this.#position < this.tokens.length) throw new TemplateError("template: unexpected )");
    return value;
  }

  private commands(): TemplateValue {
    let value = this.command(undefined);
    while (this.isMark("|")) {
      this.#position++;
      value = this.command(value);
    }
    return value;
  }

  private command(piped: TemplateValue | undefined): TemplateValue {
    const head = this.tokens[this.#position];
    const rest = piped === undefined ? [] : [piped];
    if (head?.kind !== "function") {
      const value = this.operand();
      if (rest.length > 0) throw new TemplateError("template: a pipe must end in a function");
      return value;
    }
    this.#position++;
    const given: TemplateValue[] = [];
    while (this.#position < this.tokens.length && !this.isMark("|") && !this.isMark(")")) {
      given.push(this.operand());
    }
    return evaluate(head.text, [...given, ...rest], this.context);
  }

  private operand(): TemplateValue {
    const token = this.tokens[this.#position++];
    if (token === undefined) throw new TemplateError("template: an operand is missing");
    if (token.kind === "value") return token.value;
    if (token.kind === "function") return evaluate(token.text, [], this.context);
    if (token.kind === "field") {
      const value = ownOf(this.context.fields, token.text);
      if (value === undefined) throw new TemplateError(`template: there is no field .${token.text}`);
      return value;
    }
    if (token.text !== "(") throw new TemplateError(`template: unexpected ${token.text}`);
    const value = this.commands();
    if (!this.isMark(")")) throw new TemplateError("template: ) is missing");
    this.#position++;
    return value;
  }

  private isMark(text: string): boolean {
    const token = this.tokens[this.#position];
    return token?.kind === "mark" && token.text === text;
  }
}
