import { isDeepStrictEqual } from "node:util";
import { isObject, type JsonValue } from "../../../json";
import { callFunction } from "./functions";
import { HclError } from "./source";
import type { Node } from "./syntax";

/** The values of names: `var`, `local`, and loop variables. */
export type Scope = Readonly<Record<string, JsonValue>>;

/** The value of an expression. References to names outside the scope stay as text, for the client node to interpolate. */
export function evaluate(node: Node, scope: Scope): JsonValue {
  switch (node.kind) {
    case "literal":
      return node.value;
    case "template":
      return evaluateTemplate(node, scope);
    case "list":
      return node.items.map((item) => evaluate(item, scope));
    case "object":
      return Object.fromEntries(
        node.entries.map(([key, value]) => [textOf(evaluate(key, scope), key), evaluate(value, scope)]),
      );
    case "variable":
      return Object.hasOwn(scope, node.name) ? (scope[node.name] ?? null) : unknownVariable(node);
    case "index":
      return indexValue(evaluate(node.of, scope), evaluate(node.key, scope), node);
    case "call":
      return call(node, scope);
    case "unary":
      return node.operator === "-"
        ? -numberOf(evaluate(node.operand, scope), node)
        : !booleanOf(evaluate(node.operand, scope), node);
    case "binary":
      return evaluateBinary(node, scope);
    case "choice":
      return evaluate(booleanOf(evaluate(node.condition, scope), node.condition) ? node.yes : node.no, scope);
    case "for":
      return evaluateLoop(node, scope);
  }
}

/** The first name of a reference. */
function rootOf(node: Node): string | undefined {
  if (node.kind === "variable") return node.name;
  return node.kind === "index" ? rootOf(node.of) : undefined;
}

function evaluateTemplate({ parts }: Extract<Node, { kind: "template" }>, scope: Scope): JsonValue {
  const values = parts.map((part) => {
    if (typeof part === "string") return part;
    const root = rootOf(part);
    const isForTheNode = root !== undefined && !Object.hasOwn(scope, root);
    return isForTheNode ? part.source : evaluate(part, scope);
  });
  // A template of a single expression has that expression's value, of any type.
  const [only] = values;
  if (values.length === 1 && only !== undefined) return only;
  return values
    .map((value, index) => (typeof value === "string" ? value : textOf(value, parts[index])))
    .join("");
}

function call(node: Extract<Node, { kind: "call" }>, scope: Scope): JsonValue {
  const args = node.args.map((argument) => evaluate(argument, scope));
  const last = node.spreads ? args.pop() : undefined;
  const spread = Array.isArray(last) ? last : [];
  return callFunction(node.name, [...args, ...spread], node.at);
}

function evaluateBinary(node: Extract<Node, { kind: "binary" }>, scope: Scope): JsonValue {
  const left = evaluate(node.left, scope);
  const right = evaluate(node.right, scope);
  const [a, b] = [() => numberOf(left, node.left), () => numberOf(right, node.right)];
  switch (node.operator) {
    case "||":
      return booleanOf(left, node.left) || booleanOf(right, node.right);
    case "&&":
      return booleanOf(left, node.left) && booleanOf(right, node.right);
    case "==":
      return isDeepStrictEqual(left, right);
    case "!=":
      return !isDeepStrictEqual(left, right);
    case "<":
      return a() < b();
    case "<=":
      return a() <= b();
    case ">":
      return a() > b();
    case ">=":
      return a() >= b();
    case "+":
      return a() + b();
    case "-":
      return a() - b();
    case "*":
      return a() * b();
    case "/":
      return a() / b();
    default:
      return a() % b();
  }
}

function evaluateLoop(node: Extract<Node, { kind: "for" }>, scope: Scope): JsonValue {
  const over = evaluate(node.over, scope);
  const pairs: readonly (readonly [JsonValue, JsonValue])[] = Array.isArray(over)
    ? over.map((item, index) => [index, item] as const)
    : Object.entries(isObject(over) ? over : {}).map(([key, item]) => [key, item] as const);
  const results = pairs.flatMap(([key, value]) => {
    const names = { [node.valueName]: value, ...(node.keyName === undefined ? {} : { [node.keyName]: key }) };
    const inner = { ...scope, ...names };
    const isKept = node.condition === undefined || booleanOf(evaluate(node.condition, inner), node.condition);
    return isKept ? [{ inner, value: evaluate(node.value, inner) }] : [];
  });
  const { key } = node;
  if (key === undefined) return results.map(({ value }) => value);
  return Object.fromEntries(results.map(({ inner, value }) => [textOf(evaluate(key, inner), key), value]));
}

function indexValue(of: JsonValue, key: JsonValue, node: Node): JsonValue {
  const value =
    Array.isArray(of) && Number.isInteger(Number(key))
      ? of[Number(key)]
      : isObject(of) && Object.hasOwn(of, String(key))
        ? // The members of a JSON object are JSON values.
          (of[String(key)] as JsonValue)
        : undefined;
  if (value === undefined) {
    throw new HclError(
      "Unsupported attribute",
      `This object does not have an attribute named "${String(key)}".`,
      node.at,
    );
  }
  return value;
}

function unknownVariable(node: Extract<Node, { kind: "variable" }>): never {
  throw new HclError("Unknown variable", `There is no variable named "${node.name}".`, node.at);
}

/** Converts numbers and booleans to strings; throws for other types. */
export function textOf(value: JsonValue, node: Node | string | undefined): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  throw new HclError("Incorrect value type", "A string is required here.", positionOf(node));
}

export function numberOf(value: JsonValue, node: Node): number {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof number === "number" && !Number.isNaN(number)) return number;
  throw new HclError("Incorrect value type", "A number is required here.", node.at);
}

export function booleanOf(value: JsonValue, node: Node): boolean {
  if (typeof value === "boolean") return value;
  if (value === "true" || value === "false") return value === "true";
  throw new HclError("Incorrect value type", "A bool is required here.", node.at);
}

function positionOf(node: Node | string | undefined): number {
  return typeof node === "object" ? node.at : 0;
}
