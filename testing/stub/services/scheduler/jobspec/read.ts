import { isObject, type JsonValue, ownOf } from "../../../json";
import { evaluate, type Scope } from "../hcl/evaluate";
import { HclError } from "../hcl/source";
import type { Block, Body } from "../hcl/syntax";
import { SUGAR } from "./placement";
import type { BlockSchema, BlockUse } from "./schema";
import { convert } from "./values";

type Document = Readonly<Record<string, JsonValue>>;

/** Reads a block's body by its schema; throws for anything the schema lacks. */
export function readBlock(body: Body, schema: BlockSchema, scope: Scope): Document {
  const document: Record<string, JsonValue> = {};
  for (const { name, value, at } of body.attributes) {
    const use = ownOf(schema.attributes, name);
    if (use === undefined) {
      throw new HclError("Unsupported argument", `An argument named "${name}" is not expected here.`, at);
    }
    const evaluated = evaluate(value, scope);
    if (evaluated !== null) document[use.field] = convert(evaluated, use.type, name, value.at);
  }
  for (const block of body.blocks) {
    const use = ownOf(schema.blocks, block.type);
    if (use === undefined) {
      throw new HclError(
        "Unsupported block type",
        `Blocks of type "${block.type}" are not expected here.`,
        block.at,
      );
    }
    document[use.field] = addBlock(document[use.field], block, use, scope);
  }
  return normalizeNotation(document);
}

/** Adds a block to its parent, next to earlier blocks of its type. */
function addBlock(before: JsonValue | undefined, block: Block, use: BlockUse, scope: Scope): JsonValue {
  if (use.as === "free") return { ...asDocument(before), ...readFree(block.body, use.nested, scope) };
  const label = theLabel(block, use);
  const inner = readBlock(block.body, use.schema(), scope);
  switch (use.as) {
    case "object":
      if (before !== undefined) {
        throw new HclError("Duplicate block", `Only one ${block.type} block is allowed.`, block.at);
      }
      return withLabel(inner, use.label, label);
    case "list":
      return [...(Array.isArray(before) ? before : []), withLabel(inner, use.label, label)];
    case "map":
      return { ...asDocument(before), [label ?? ""]: { Name: label ?? "", ...inner } };
  }
}

function theLabel(block: Block, use: Exclude<BlockUse, { as: "free" }>): string | undefined {
  const isLabeled = use.as === "map" || use.label !== undefined;
  const [label] = block.labels;
  if (isLabeled && label === undefined) {
    throw new HclError(
      "Missing name for block",
      `All ${block.type} blocks must have 1 labels (name).`,
      block.at,
    );
  }
  if (block.labels.length > (isLabeled ? 1 : 0)) {
    const allowed = isLabeled ? "Only 1 labels (name) are" : "No labels are";
    throw new HclError(
      "Extraneous label for block",
      `${allowed} expected for ${block.type} blocks.`,
      block.at,
    );
  }
  return label;
}

function withLabel(inner: Document, field: string | undefined, label: string | undefined): Document {
  return field === undefined || label === undefined ? inner : { [field]: label, ...inner };
}

/** Reads attributes and blocks of any name; in a driver's configuration each nested block is an element of a list. */
function readFree(body: Body, nested: boolean, scope: Scope): Document {
  const document = new Map<string, JsonValue>();
  for (const { name, value } of body.attributes) {
    const evaluated = evaluate(value, scope);
    const type = isScalar(evaluated) ? "string" : "any";
    document.set(name, nested ? evaluated : convert(evaluated, type, name, value.at));
  }
  for (const block of body.blocks) {
    if (!nested) {
      throw new HclError(
        "Unsupported block type",
        `Blocks of type "${block.type}" are not expected here.`,
        block.at,
      );
    }
    const before = document.get(block.type);
    const inner = readFree(block.body, nested, scope);
    document.set(block.type, [...(Array.isArray(before) ? before : []), inner]);
  }
  return Object.fromEntries(document);
}

function isScalar(value: JsonValue): boolean {
  return typeof value === "number" || typeof value === "boolean" || typeof value === "string";
}

/** Normalizes notations that the job does not have: kinds of ports, and short forms of operands. */
function normalizeNotation(document: Document): Document {
  return withOperand(withPorts(document));
}

function withPorts({ Ports: ports, ...document }: Document): Document {
  if (!Array.isArray(ports)) return document;
  const isReserved = (port: JsonValue) => asDocument(port).Value !== undefined;
  return {
    ...document,
    ReservedPorts: ports.filter(isReserved),
    DynamicPorts: ports.filter((port) => !isReserved(port)),
  };
}

function withOperand(document: Document): Document {
  const sugar = Object.entries(document).find(
    ([field]) => field.startsWith("=") && SUGAR.has(field.slice(1)),
  );
  const isCondition = sugar !== undefined || "LTarget" in document || "RTarget" in document;
  if (!isCondition) return document;
  const rest = Object.fromEntries(Object.entries(document).filter(([field]) => !field.startsWith("=")));
  if (sugar === undefined) return { Operand: "=", ...rest };
  const [operand, value] = [sugar[0].slice(1), sugar[1]];
  if (operand === "distinct_property") return { ...rest, LTarget: value, Operand: operand };
  if (typeof value === "boolean") return { ...rest, Operand: operand };
  return { ...rest, RTarget: value, Operand: operand };
}

function asDocument(value: JsonValue | undefined): Document {
  // The members of a JSON object are JSON values.
  return isObject(value) ? (value as Document) : {};
}
