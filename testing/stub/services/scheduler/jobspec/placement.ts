import { many, schema } from "./schema";

/** Operands that a block may write as an attribute of the same name. */
const CONSTRAINT_SUGAR = {
  distinct_hosts: "bool",
  distinct_property: "string",
  regexp: "string",
  set_contains: "string",
  set_contains_any: "string",
  set_contains_all: "string",
  version: "string",
  semver: "string",
  is_set: "bool",
  is_not_set: "bool",
} as const;

export const SUGAR: ReadonlySet<string> = new Set(Object.keys(CONSTRAINT_SUGAR));

const sugar = Object.fromEntries(
  Object.entries(CONSTRAINT_SUGAR).map(([name, type]) => [name, [type, `=${name}`] as const]),
);

export const constraint = schema({
  attribute: ["string", "LTarget"],
  value: ["string", "RTarget"],
  operator: ["string", "Operand"],
  ...sugar,
});

export const affinity = schema({
  attribute: ["string", "LTarget"],
  value: ["string", "RTarget"],
  operator: ["string", "Operand"],
  weight: "number",
  ...sugar,
});

export const spread = schema(
  { attribute: "string", weight: "number" },
  { target: many("SpreadTarget", () => schema({ percent: "number" }), "Value") },
);

export const placement = {
  constraint: many("Constraints", () => constraint),
  affinity: many("Affinities", () => affinity),
} as const;
