/**
 * Writes filter expressions as the services take them, with every value quoted right, whatever is in it
 * (specification: Scheduler HTTP API, Filter expression grammar).
 *
 *     const { and, not, selector } = quarterdeck.filter;
 *     const running = and(selector("Status").equals("running"), not(selector("Meta", "owner team").isEmpty()));
 *     const { jobs } = await quarterdeck.scheduler.getJobs({ filter: running });
 */

/** An expression; every argument called `filter` takes it as it is. */
export class Expression {
  /** @internal */
  constructor(
    /** The expression as the services read it. */
    readonly filterText: string,
    /** How loosely its parts hold together: a looser one is put into brackets inside a tighter one. */
    private readonly looseness: 0 | 1 | 2 | 3,
  ) {}

  /** The expression as the services read it. */
  toString(): string {
    return this.filterText;
  }

  /** @internal */
  within(looseness: number): string {
    return this.looseness > looseness ? `(${this.filterText})` : this.filterText;
  }
}

/** A value to compare with. Numbers are written as they are; texts are quoted. */
export type Value = string | number | boolean;

/** What an expression looks at. */
export class Selector {
  /** @internal */
  constructor(private readonly text: string) {}

  /** Whether it is this value. */
  equals(value: Value): Expression {
    return comparison(`${this.text} == ${written(value)}`);
  }

  /** Whether it is another value. */
  notEquals(value: Value): Expression {
    return comparison(`${this.text} != ${written(value)}`);
  }

  /** Whether a list or a text contains this value. */
  contains(value: Value): Expression {
    return comparison(`${this.text} contains ${written(value)}`);
  }

  /** Whether a list or a text does not contain this value. */
  notContains(value: Value): Expression {
    return comparison(`${this.text} not contains ${written(value)}`);
  }

  /** Whether a regular expression matches it. */
  matches(pattern: string): Expression {
    return comparison(`${this.text} matches ${quoted(pattern)}`);
  }

  /** Whether no part of it matches a regular expression. */
  notMatches(pattern: string): Expression {
    return comparison(`${this.text} not matches ${quoted(pattern)}`);
  }

  /** Whether there is nothing in it. */
  isEmpty(): Expression {
    return comparison(`${this.text} is empty`);
  }

  /** Whether there is something in it. */
  isNotEmpty(): Expression {
    return comparison(`${this.text} is not empty`);
  }

  /** Whether this value is in it. */
  has(value: Value): Expression {
    return comparison(`${written(value)} in ${this.text}`);
  }

  /** Whether this value is not in it. */
  hasNot(value: Value): Expression {
    return comparison(`${written(value)} not in ${this.text}`);
  }
}

/**
 * Selects a member by its names, from the outside in; a name that is no plain word, such as the key of a map, is quoted.
 * @throws TypeError where the first name is no plain word: a member of the resource itself always is.
 */
export function selector(first: string, ...names: readonly string[]): Selector {
  if (!PLAIN.test(first)) throw new TypeError(`${JSON.stringify(first)} is no name of a member`);
  const rest = names.map((name) => (PLAIN.test(name) ? `.${name}` : `[${quoted(name)}]`));
  return new Selector(first + rest.join(""));
}

/** Whether all of these hold. */
export function and(first: Expression, ...others: readonly Expression[]): Expression {
  return joined([first, ...others], "and", 2);
}

/** Whether any of these holds. */
export function or(first: Expression, ...others: readonly Expression[]): Expression {
  return joined([first, ...others], "or", 3);
}

/** Whether this does not hold. */
export function not(expression: Expression): Expression {
  return new Expression(`not ${expression.within(1)}`, 1);
}

/**
 * What a program handed over as a filter, as text; anything but an expression is left as it is. An expression that
 * went through an output has lost its class, and kept its members.
 * @internal
 */
export function expressionText(filter: unknown): unknown {
  const isExpression = typeof filter === "object" && filter !== null && "filterText" in filter;
  return isExpression ? filter.filterText : filter;
}

const PLAIN = /^[A-Za-z][A-Za-z0-9_]*$/;

function joined(parts: readonly Expression[], word: "and" | "or", looseness: 2 | 3): Expression {
  const [only, ...others] = parts;
  if (only !== undefined && others.length === 0) return only;
  return new Expression(parts.map((part) => part.within(looseness - 1)).join(` ${word} `), looseness);
}

function comparison(text: string): Expression {
  return new Expression(text, 0);
}

function written(value: Value): string {
  if (typeof value === "string") return quoted(value);
  if (typeof value === "number" && !isPlainNumber(value)) return quoted(String(value));
  return typeof value === "number" ? String(value) : quoted(String(value));
}

/** The grammar's numbers have no exponent. */
function isPlainNumber(value: number): boolean {
  return /^-?\d+(\.\d+)?$/.test(String(value));
}

/**
 * A text in quotes. Neither kind of quote can stand inside its own, so a text with double quotes is written raw, and
 * one with both kinds has its double quotes as codes.
 */
function quoted(text: string): string {
  if (text.includes('"') && !/[`\r]/.test(text)) return `\`${text}\``;
  const escaped = text.replace(/[\\"\p{Cc}\p{Cs}]/gu, (character) =>
    character === "\\" ? "\\\\" : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `"${escaped}"`;
}
