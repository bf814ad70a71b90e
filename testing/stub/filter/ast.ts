/** The path to a field: names, list indexes and map keys alike. */
export type Selector = readonly [string, ...string[]];

/** The literal of a comparison: always text, parsed as the selected value's type. */
export interface Literal {
  readonly kind: "selector" | "number" | "string";
  readonly text: string;
}

/** A comparison operator. `in` and `contains` are the same operation with swapped operands. */
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
