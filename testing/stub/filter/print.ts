import type { Expression, Literal, Selector } from "./ast";

/** Formats an expression so that parsing it returns the same expression; adds brackets only if needed. */
export function printFilter(expression: Expression): string {
  switch (expression.kind) {
    case "or":
      // Connectors group to the right, so only the left side needs brackets for its own kind.
      return `${bracket(expression.left, ["or"])} or ${printFilter(expression.right)}`;
    case "and":
      return `${bracket(expression.left, ["or", "and"])} and ${bracket(expression.right, ["or"])}`;
    case "not":
      return `not ${bracket(expression.operand, ["or", "and"])}`;
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

function bracket(expression: Expression, kinds: readonly Expression["kind"][]): string {
  const printed = printFilter(expression);
  return kinds.includes(expression.kind) ? `(${printed})` : printed;
}

function printSelector([first, ...rest]: Selector): string {
  const parts = rest.map((name) =>
    /^[A-Za-z][A-Za-z0-9_]*$/.test(name) ? `.${name}` : `[${quoteText(name)}]`,
  );
  return `${first}${parts.join("")}`;
}

function printValue({ kind, text }: Literal): string {
  return kind === "string" ? quoteText(text) : text;
}

/**
 * Uses double quotes with escapes; a string with double quotes becomes a raw string, or its quotes become character codes.
 */
function quoteText(text: string): string {
  if (text.includes('"') && !/[`\r]/.test(text)) return `\`${text}\``;
  const escaped = text.replace(/[\\"\p{Cc}\p{Cs}]/gu, (character) =>
    character === "\\" ? "\\\\" : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `"${escaped}"`;
}
