import { RE2JS } from "re2js";
import type { Expression, Literal, Selector } from "./ast";
import { FilterError } from "./error";

/** The fields that are maps with user-defined keys: a missing key in them is not an error. */
export type MapNames = ReadonlySet<string>;

type Test = (item: unknown) => boolean;

/** Compiles an expression to a test; throws immediately for an invalid regular expression. */
export function testOf(expression: Expression, maps: MapNames): Test {
  switch (expression.kind) {
    case "or": {
      const [left, right] = [testOf(expression.left, maps), testOf(expression.right, maps)];
      return (item) => left(item) || right(item);
    }
    case "and": {
      const [left, right] = [testOf(expression.left, maps), testOf(expression.right, maps)];
      return (item) => left(item) && right(item);
    }
    case "not": {
      const operand = testOf(expression.operand, maps);
      return (item) => !operand(item);
    }
    case "empty":
      return selecting(expression.selector, maps, !expression.negated, (value) => {
        return isEmpty(value, expression.selector) !== expression.negated;
      });
    case "compare": {
      const { operator, selector, value } = expression;
      const negated = operator.startsWith("not ") || operator === "!=";
      const holds = comparing(operator, selector, value);
      return selecting(selector, maps, negated, (selected) => holds(selected) !== negated);
    }
  }
}

function comparing(
  operator: Extract<Expression, { kind: "compare" }>["operator"],
  selector: Selector,
  value: Literal,
): Test {
  switch (operator) {
    case "==":
    case "!=":
      return (selected) => isEqual(selected, value.text);
    case "in":
    case "not in":
    case "contains":
    case "not contains":
      return (selected) => contains(selected, value.text, selector);
    case "matches":
    case "not matches": {
      const pattern = compile(value.text);
      return (selected) => {
        if (typeof selected !== "string") {
          throw new FilterError(`value of type ${typeName(selected)} is not convertible to []byte`);
        }
        return pattern.matcher(selected).find();
      };
    }
  }
}

function selecting(selector: Selector, maps: MapNames, whereMissing: boolean, test: Test): Test {
  return (item) => {
    const found = select(item, selector, maps);
    return found.isMissing ? whereMissing : test(found.value);
  };
}

/** A key missing from a map is not an error; every other unknown name is. */
function select(
  item: unknown,
  selector: Selector,
  maps: MapNames,
): { readonly isMissing: boolean; readonly value?: unknown } {
  let value = item;
  for (const [at, name] of selector.entries()) {
    const next = step(value, name);
    if (next === undefined) {
      const isLast = at === selector.length - 1;
      const parent = at === 0 ? undefined : selector[at - 1];
      if (isLast && parent !== undefined && maps.has(parent) && !Array.isArray(value))
        return { isMissing: true };
      throw new FilterError(
        `error finding value in datum: /${selector.join("/")} at part ${at}: couldn't find key: struct field with name "${name}"`,
      );
    }
    value = next.value;
  }
  return { isMissing: false, value };
}

function step(value: unknown, name: string): { readonly value: unknown } | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (Array.isArray(value)) {
    const index = /^\d+$/.test(name) ? Number(name) : value.length;
    return index < value.length ? { value: value[index] } : undefined;
  }
  const field = Object.getOwnPropertyDescriptor(value, name);
  return field === undefined ? undefined : { value: field.value };
}

function isEqual(selected: unknown, text: string): boolean {
  switch (typeof selected) {
    case "string":
      return selected === text;
    case "number":
      return selected === numberOf(text);
    case "boolean":
      return selected === booleanOf(text);
    default:
      throw new FilterError("unable to find suitable primitive comparison function for matching");
  }
}

/** An empty list or map is null on the wire. */
function contains(selected: unknown, text: string, selector: Selector): boolean {
  if (selected === null) return false;
  if (typeof selected === "string") return selected.includes(text);
  if (Array.isArray(selected)) return selected.some((element) => isElement(element, text));
  if (typeof selected === "object") return Object.hasOwn(selected, text);
  throw new FilterError(
    `cannot perform in/contains operations on type ${typeName(selected)} for selector: "${selector.join(".")}"`,
  );
}

/** In a list of mixed types, elements whose type does not match the text are simply not equal. */
function isElement(element: unknown, text: string): boolean {
  if (typeof element === "number") return Number(text) === element && text.trim() !== "";
  if (typeof element === "boolean") return TRUE.has(text) ? element : FALSE.has(text) && !element;
  if (typeof element === "string") return element === text;
  throw new FilterError('unable to find suitable primitive comparison function for "in" comparison');
}

function isEmpty(selected: unknown, selector: Selector): boolean {
  if (selected === null) return true;
  if (typeof selected === "string" || Array.isArray(selected)) return selected.length === 0;
  if (typeof selected === "object") return Object.keys(selected).length === 0;
  throw new FilterError(
    `cannot perform is-empty operations on type ${typeName(selected)} for selector: "${selector.join(".")}"`,
  );
}

function numberOf(text: string): number {
  const value = text.trim() === text && text !== "" ? Number(text) : Number.NaN;
  if (Number.isNaN(value)) throw invalidSyntax("ParseFloat", text);
  return value;
}

const TRUE: ReadonlySet<string> = new Set(["1", "t", "T", "true", "TRUE", "True"]);
const FALSE: ReadonlySet<string> = new Set(["0", "f", "F", "false", "FALSE", "False"]);

function booleanOf(text: string): boolean {
  if (TRUE.has(text)) return true;
  if (FALSE.has(text)) return false;
  throw invalidSyntax("ParseBool", text);
}

function invalidSyntax(parser: string, text: string): FilterError {
  return new FilterError(
    `error getting match value in expression: strconv.${parser}: parsing ${JSON.stringify(text)}: invalid syntax`,
  );
}

/** The services' regular expressions: RE2, without look-around and back-references. */
function compile(text: string): RE2JS {
  try {
    return RE2JS.compile(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new FilterError(`failed to compile regular expression ${JSON.stringify(text)}: ${reason}`);
  }
}

function typeName(value: unknown): string {
  if (value === null) return "invalid";
  if (Array.isArray(value)) return "slice";
  const names: Readonly<Record<string, string>> = { number: "int", boolean: "bool", object: "struct" };
  return names[typeof value] ?? typeof value;
}
