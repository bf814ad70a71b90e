import type { Source } from "./source";
import type { Node } from "./syntax";
import { readHeredoc, readQuoted } from "./template";

/** Reads one expression, from the next character that is no space. */
export function parseExpression(source: Source): Node {
  source.skipSpace();
  const at = source.at;
  const condition = binary(source, 0);
  source.skipSpace();
  if (!source.skip("?")) return condition;
  const yes = inLines(source, parseExpression);
  if (!source.skip(":")) {
    throw source.refuse(
      "Missing false expression in conditional",
      "A colon and a second expression are expected here.",
    );
  }
  const no = inLines(source, parseExpression);
  return { kind: "choice", condition, yes, no, at, source: textSince(source, at) };
}

/** Loosest first. */
const OPERATORS: readonly (readonly string[])[] = [
  ["||"],
  ["&&"],
  ["==", "!="],
  ["<=", ">=", "<", ">"],
  ["+", "-"],
  ["*", "/", "%"],
];

function binary(source: Source, level: number): Node {
  const operators = OPERATORS[level];
  if (operators === undefined) return unary(source);
  const at = source.at;
  let left = binary(source, level + 1);
  for (;;) {
    source.skipSpace();
    const operator = operators.find((candidate) => source.skip(candidate));
    if (operator === undefined) return left;
    source.skipLines();
    const right = binary(source, level + 1);
    left = { kind: "binary", operator, left, right, at, source: textSince(source, at) };
  }
}

function unary(source: Source): Node {
  source.skipSpace();
  const at = source.at;
  const operator = (["-", "!"] as const).find((candidate) => source.skip(candidate));
  if (operator === undefined) return postfix(source, primary(source), at);
  const operand = unary(source);
  return { kind: "unary", operator, operand, at, source: textSince(source, at) };
}

function postfix(source: Source, start: Node, at: number): Node {
  let node = start;
  for (;;) {
    if (source.startsWith(".") && !source.startsWith("...")) {
      source.skip(".");
      const name = source.take(/[\p{L}_][\p{L}\p{N}_-]*|\d+/uy);
      if (name === undefined)
        throw source.refuse("Invalid attribute name", "An attribute name is required after a dot.");
      const key: Node = { kind: "literal", value: name, at: source.at, source: name };
      node = { kind: "index", of: node, key, at, source: textSince(source, at) };
    } else if (source.skip("[")) {
      const key = inLines(source, parseExpression);
      requireClosing(source, "]", at);
      node = { kind: "index", of: node, key, at, source: textSince(source, at) };
    } else return node;
  }
}

function primary(source: Source): Node {
  const at = source.at;
  const heredoc = readHeredoc(source, parseExpression);
  if (heredoc !== undefined) return heredoc;
  if (source.startsWith('"')) return readQuoted(source, parseExpression);
  if (source.skip("[")) return list(source, at);
  if (source.skip("{")) return object(source, at);
  if (source.skip("(")) {
    const inner = inLines(source, parseExpression);
    requireClosing(source, ")", at);
    return { ...inner, at, source: textSince(source, at) };
  }
  const number = source.take(/\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y);
  if (number !== undefined) return { kind: "literal", value: Number(number), at, source: number };
  const name = source.take(/[\p{L}_][\p{L}\p{N}_-]*/uy);
  if (name === undefined)
    throw source.refuse(
      "Invalid expression",
      "Expected the start of an expression, but found an invalid expression token.",
    );
  const word = WORDS.get(name);
  if (word !== undefined) return { kind: "literal", value: word, at, source: name };
  if (!source.skip("(")) return { kind: "variable", name, at, source: name };
  const args = items(source, ")", at);
  return { kind: "call", name, ...args, at, source: textSince(source, at) };
}

const WORDS = new Map<string, null | boolean>([
  ["true", true],
  ["false", false],
  ["null", null],
]);

function list(source: Source, at: number): Node {
  source.skipLines();
  if (source.take(/for(?=\s)/y) !== undefined) return comprehension(source, at, "]");
  const { args } = items(source, "]", at);
  return { kind: "list", items: args, at, source: textSince(source, at) };
}

function items(
  source: Source,
  closing: string,
  at: number,
): { readonly args: readonly Node[]; readonly spreads: boolean } {
  const args: Node[] = [];
  for (;;) {
    source.skipLines();
    if (source.skip(closing)) return { args, spreads: false };
    args.push(parseExpression(source));
    source.skipLines();
    if (source.skip("...")) {
      requireClosing(source, closing, at);
      return { args, spreads: true };
    }
    if (!source.skip(",")) {
      requireClosing(source, closing, at);
      return { args, spreads: false };
    }
  }
}

function object(source: Source, at: number): Node {
  source.skipLines();
  if (source.take(/for(?=\s)/y) !== undefined) return comprehension(source, at, "}");
  const entries: (readonly [Node, Node])[] = [];
  for (;;) {
    source.skipLines();
    if (source.skip("}")) return { kind: "object", entries, at, source: textSince(source, at) };
    const key = objectKey(source);
    source.skipSpace();
    if (!source.skip("=") && !source.skip(":")) {
      throw source.refuse(
        "Missing attribute value",
        'Expected an attribute value, introduced by an equals sign ("=").',
      );
    }
    entries.push([key, inLines(source, parseExpression)]);
    source.skipSpace();
    source.skip(",");
  }
}

/** A bare name is its own text; any other key is an expression. */
function objectKey(source: Source): Node {
  const at = source.at;
  const name = source.take(/[\p{L}_][\p{L}\p{N}_-]*(?=[ \t]*[=:])/uy);
  return name === undefined ? parseExpression(source) : { kind: "literal", value: name, at, source: name };
}

/** `for key, value in collection : … if …`, after its first word. */
function comprehension(source: Source, at: number, closing: string): Node {
  const names = [loopName(source)];
  source.skipLines();
  if (source.skip(",")) names.push(loopName(source));
  source.skipLines();
  if (source.take(/in(?=\s)/y) === undefined)
    throw source.refuse("Invalid 'for' expression", "The word in is expected here.");
  const over = inLines(source, parseExpression);
  if (!source.skip(":")) throw source.refuse("Invalid 'for' expression", "A colon is expected here.");
  const first = inLines(source, parseExpression);
  const isObject = source.skip("=>");
  const second = isObject ? inLines(source, parseExpression) : undefined;
  source.skip("...");
  source.skipLines();
  const condition = source.take(/if(?=\s)/y) === undefined ? undefined : inLines(source, parseExpression);
  requireClosing(source, closing, at);
  const [only = "", value] = names;
  return {
    kind: "for",
    keyName: value === undefined ? undefined : only,
    valueName: value ?? only,
    over,
    key: second === undefined ? undefined : first,
    value: second ?? first,
    condition,
    at,
    source: textSince(source, at),
  };
}

function loopName(source: Source): string {
  source.skipLines();
  const name = source.take(/[\p{L}_][\p{L}\p{N}_-]*/uy);
  if (name === undefined)
    throw source.refuse("Invalid 'for' expression", "A variable name is expected here.");
  return name;
}

/** Within brackets an expression may stand on lines of its own. */
function inLines(source: Source, read: (source: Source) => Node): Node {
  source.skipLines();
  const node = read(source);
  source.skipLines();
  return node;
}

function requireClosing(source: Source, closing: string, at: number): void {
  source.skipLines();
  if (source.skip(closing)) return;
  throw source.refuse(
    "Missing item separator or closing bracket",
    `Expected "${closing}" here.`,
    source.isAtEnd ? at : source.at,
  );
}

function textSince(source: Source, at: number): string {
  return source.text.slice(at, source.at);
}
