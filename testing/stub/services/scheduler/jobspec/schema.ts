/** The type that an attribute's value is converted to; a duration is written `30s` or as nanoseconds. */
export type AttributeType = "string" | "number" | "bool" | "duration" | "strings" | "strings-map" | "any";

export interface AttributeUse {
  readonly field: string;
  readonly type: AttributeType;
}

/** How a block is stored in its parent: as one object, an element of a list, or an entry of a map. */
export type BlockUse =
  | {
      readonly as: "object" | "list";
      readonly field: string;
      readonly label: string | undefined;
      readonly schema: () => BlockSchema;
    }
  | { readonly as: "map"; readonly field: string; readonly schema: () => BlockSchema }
  /** Attributes of any name, and if `nested`, blocks of any name. */
  | { readonly as: "free"; readonly field: string; readonly nested: boolean };

export interface BlockSchema {
  readonly attributes: Readonly<Record<string, AttributeUse>>;
  readonly blocks: Readonly<Record<string, BlockUse>>;
}

type Attributes = Readonly<Record<string, AttributeType | readonly [AttributeType, string]>>;

/** Defines a block's schema. A field's name defaults to the attribute's in Pascal case: `max_parallel` is `MaxParallel`. */
export function schema(attributes: Attributes, blocks: BlockSchema["blocks"] = {}): BlockSchema {
  const uses = Object.entries(attributes).map(([name, use]): [string, AttributeUse] => [
    name,
    typeof use === "string" ? { type: use, field: pascal(name) } : { type: use[0], field: use[1] },
  ]);
  return { attributes: Object.fromEntries(uses), blocks };
}

export function one(field: string, of: () => BlockSchema, label?: string): BlockUse {
  return { as: "object", field, schema: of, label };
}

export function many(field: string, of: () => BlockSchema, label?: string): BlockUse {
  return { as: "list", field, schema: of, label };
}

export function blockMap(field: string, of: () => BlockSchema): BlockUse {
  return { as: "map", field, schema: of };
}

export function free(field: string, nested = false): BlockUse {
  return { as: "free", field, nested };
}

function pascal(name: string): string {
  return name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
