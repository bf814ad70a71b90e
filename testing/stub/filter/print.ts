import type { Expression, Literal, Selector } from "./ast";

/** Formats an expression so that parsing it returns the same expression; adds brackets only if needed. */
export function printFilter(expression: Expression): string {
  switch (expression.kind) {
    case "or":
      // Connectors group to the right, so only the left side needs brackets for its own kind.
      return `${bracketed(expression.left, ["or"])} or ${printFilter(expression.right)}`;
    case "and":
      return `${bracketed(expression.left, ["or", "and"])} and ${bracketed(expression.right, ["or"])}`;
    case "not":
      return `not ${bracketed(expression.operand, ["or", "and"])}`;
    case "empty":
      return `${printSelector(expression.selector)} is ${expression.negated ? "not " : ""}empty`;
    case "compare": {
      const { operator } = expression;
      const selector = printSelector(expression.selector);
      const value = printValue(expression.value);
      const isValueFirst = operator === "in" || operator === "not in";
      return isValueFirst ? `${value} ${operator} ${selector}` : `${selector} ${operator} ${value}`;
    }
  }
}

function bracketed(expression: Expression, kinds: readonly Expression["kind"][]): string {
  const printed = printFilter(expression);
  return kinds.includes(expression.kind) ? `(${printed})` : printed;
}

function printSelector([first, ...rest]: Selector): string {
  const parts = rest.map((name) => (/^[A-Za-z][A-Za-z0-9_]*$/.test(name) ? `.${name}` : `[${quoted(name)}]`));
  return `${first}${parts.join("")}`;
}

function printValue({ kind, text }: Literal): string {
  return kind === "string" ? quoted(text) : text;
}

/**
 * Uses double quotes with escapes; a string with double quotes becomes a raw string, or its quotes become character codes.
 */
function quoted(text: string): string {
  if (text.includes('"') && !/[`\r]/.test(text)) return `\`${text}\``;
  const escaped = text.replace(/[\\"\p{Cc}\p{Cs}]/gu, (character) =>
    character === "\\" ? "\\\\" : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `"${escaped}"`;
}
