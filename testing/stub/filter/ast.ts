/** The path to a field: names, list indexes and map keys alike. */
export type Selector = readonly [string, ...string[]];

/** What a selected value is compared with: always text, read as the selected value's own type. */
export interface Literal {
  readonly kind: "selector" | "number" | "string";
  readonly text: string;
}

/** An operator that compares with a value. `in` and `contains` are one operation, written two ways round. */
export type Comparison =
  | "=="
  | "!="
  | "in"
  | "not in"
  | "contains"
  | "not contains"
  | "matches"
  | "not matches";

export type Expression =
  | { readonly kind: "or" | "and"; readonly left: Expression; readonly right: Expression }
  | { readonly kind: "not"; readonly operand: Expression }
  | {
      readonly kind: "compare";
      readonly operator: Comparison;
      readonly selector: Selector;
      readonly value: Literal;
    }
  | { readonly kind: "empty"; readonly negated: boolean; readonly selector: Selector };
