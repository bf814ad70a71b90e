import type { z } from "zod";

type Issue = z.core.$ZodIssue;

const TYPES: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "an integer",
  boolean: "true or false",
  array: "a list",
  object: "a map",
  record: "a map",
};

/** Describes a schema violation by the values that the schema allows. */
export function issueText(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return isMissing(issue) ? `is missing: ${allowedValues(issue)}` : `must be ${allowedValues(issue)}`;
    case "invalid_value":
    case "invalid_union":
      return `must be ${allowedValues(issue)}`;
    case "too_small":
      if (issue.origin !== "number" && Number(issue.minimum) === 1) return "must not be empty";
      return `must be ${sizeOf(issue.origin, `${issue.inclusive ? "at least" : "more than"} ${issue.minimum}`)}`;
    case "too_big":
      return `must be ${sizeOf(issue.origin, `${issue.inclusive ? "at most" : "less than"} ${issue.maximum}`)}`;
    case "invalid_format":
      // Definitions have their own messages for their patterns.
      if (issue.format === "regex" && !/^Invalid/.test(issue.message)) return issue.message;
      if (issue.format === "regex") return `must match ${issue.pattern}`;
      return `must be a ${issue.format === "uuid" ? "UUID" : issue.format}`;
    default:
      return issue.message;
  }
}

function isMissing(issue: Issue): boolean {
  return issue.input === undefined && /received undefined/.test(issue.message);
}

function allowedValues(issue: Issue): string {
  if (issue.code === "invalid_type") return TYPES[issue.expected] ?? issue.expected;
  if (issue.code === "invalid_value") return issue.values.map((value) => JSON.stringify(value)).join(" or ");
  if (issue.code === "invalid_union") {
    const each = issue.errors.flatMap(([first]) => (first === undefined ? [] : [allowedValues(first)]));
    return [...new Set(each)].join(" or ");
  }
  return issue.message;
}

function sizeOf(origin: string, bound: string): string {
  if (origin === "string") return `a string of ${bound} characters`;
  if (origin === "array" || origin === "set") return `a list of ${bound} elements`;
  return bound;
}
