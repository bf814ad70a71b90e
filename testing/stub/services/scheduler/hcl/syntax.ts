import type { Offset } from "./source";

export interface Body {
  readonly attributes: readonly Attribute[];
  readonly blocks: readonly Block[];
  readonly at: Offset;
}

export interface Attribute {
  readonly name: string;
  readonly value: Node;
  readonly at: Offset;
}

export interface Block {
  readonly type: string;
  readonly labels: readonly string[];
  readonly body: Body;
  readonly at: Offset;
}

/** An expression. `source` is its own text, for expressions that a client node evaluates later. */
export type Node = { readonly at: Offset; readonly source: string } & (
  | { readonly kind: "literal"; readonly value: null | boolean | number | string }
  | { readonly kind: "template"; readonly parts: readonly (string | Node)[] }
  | { readonly kind: "list"; readonly items: readonly Node[] }
  | { readonly kind: "object"; readonly entries: readonly (readonly [key: Node, value: Node])[] }
  | { readonly kind: "variable"; readonly name: string }
  | { readonly kind: "index"; readonly of: Node; readonly key: Node }
  | {
      readonly kind: "call";
      readonly name: string;
      readonly args: readonly Node[];
      readonly spreads: boolean;
    }
  | { readonly kind: "unary"; readonly operator: "-" | "!"; readonly operand: Node }
  | { readonly kind: "binary"; readonly operator: string; readonly left: Node; readonly right: Node }
  | { readonly kind: "choice"; readonly condition: Node; readonly yes: Node; readonly no: Node }
  | {
      readonly kind: "for";
      readonly keyName: string | undefined;
      readonly valueName: string;
      readonly over: Node;
      /** Undefined in a list. */
      readonly key: Node | undefined;
      readonly value: Node;
      readonly condition: Node | undefined;
    }
);
