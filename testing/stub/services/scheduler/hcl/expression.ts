import { inLines, readItems, readList, readObject, requireClosing, textSince } from "./brackets";
import type { Source } from "./source";
import type { Node } from "./syntax";
import { readHeredoc, readQuoted } from "./template";

/** Reads one expression, from the next character that is not a space. */
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

/** Lowest precedence first. */
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
  if (source.skip("[")) return readList(source, at, parseExpression);
  if (source.skip("{")) return readObject(source, at, parseExpression);
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
  const args = readItems(source, ")", at, parseExpression);
  return { kind: "call", name, ...args, at, source: textSince(source, at) };
}

const WORDS = new Map<string, null | boolean>([
  ["true", true],
  ["false", false],
  ["null", null],
]);
