import { formNames, formTexts } from "./forms";
import { defaultOf } from "./sentences";
import type { Property, Shape, TypeName } from "./shape";

/** The side of a resource that a type is for: inputs or outputs. */
export type Side = "input" | "output";

/** A named object type of a shape. */
export type ObjectShape = Extract<Shape, { kind: "object" }>;

/**
 * Writes a property of an interface or a class, with its doc comment.
 * @param isForm true if the key must be present, although its value may become undefined
 */
export function memberText(
  property: Property,
  side: Side,
  sentences: readonly string[],
  isForm = false,
): string {
  const { name, shape } = property;
  const required = property.required || isForm;
  const type = property.facts.isFilter ? `${typeText(shape, side)} | Expression` : typeText(shape, side);
  const comment = commentText([property.doc, ...sentences], property);
  if (side === "output") return `${comment}  readonly ${name}${required ? "" : "?"}: ${type};\n`;
  const given = isForm && !property.required ? `NonNullable<pulumi.Input<${type} | undefined>>` : undefined;
  return `${comment}  readonly ${name}${required ? "" : "?"}: ${given ?? inputText(type, required)};\n`;
}

/** An input accepts a plain or a later value and, if it is optional, undefined. */
function inputText(type: string, required: boolean): string {
  if (type === "unknown") return type;
  return required ? `pulumi.Input<${type}>` : `pulumi.Input<${type} | undefined> | undefined`;
}

/** Writes a shape as a TypeScript type. */
export function typeText(shape: Shape, side: Side): string {
  const inside = (part: Shape) => {
    const text = typeText(part, side);
    return side === "input" && text !== "unknown" ? `pulumi.Input<${text}>` : text;
  };
  switch (shape.kind) {
    case "text":
      return "string";
    case "secretText":
      return side === "input" ? "string | SecretSource" : "string";
    case "number":
    case "integer":
      return "number";
    case "boolean":
      return "boolean";
    case "anything":
      return "unknown";
    case "choice":
      return shape.values.map((value) => JSON.stringify(value)).join(" | ");
    case "list":
      return listText(inside(shape.of));
    case "map":
      return `{ readonly [name: string]: ${inside(shape.of)} }`;
    case "either":
      return shape.of.map((part) => typeText(part, side)).join(" | ");
    case "object":
      return side === "input"
        ? formNames(objectName(shape.type, side), shape.oneOf)
        : objectName(shape.type, side);
  }
}

function listText(element: string): string {
  return element.includes(" | ") ? `readonly (${element})[]` : `readonly ${element}[]`;
}

/** The name of an object type's interface on one side. */
export function objectName({ name }: TypeName, side: Side): string {
  return side === "input" ? `${name}Args` : name;
}

/** Writes the interface of an object type. */
export function interfaceText({ type, members, oneOf }: ObjectShape, side: Side, doc: string): string {
  const written = { name: objectName(type, side), doc, ...(side === "input" && oneOf && { oneOf }) };
  return writtenText(written, members, (member, isForm) => {
    const value = defaultOf(member);
    return memberText(member, side, value === undefined ? [] : [`Default: \`${value}\`.`], isForm);
  });
}

/** Writes the type of inputs or outputs: one interface, or one per form. */
export function writtenText(
  { name, doc, oneOf }: { readonly name: string; readonly doc: string; readonly oneOf?: readonly string[] },
  properties: readonly Property[],
  textOf: (property: Property, isForm: boolean) => string,
): string {
  if (oneOf !== undefined) return formTexts({ name, doc, oneOf }, properties, textOf);
  if (properties.length === 0) return `/** ${doc} */\nexport type ${name} = Record<string, never>;\n`;
  return `/** ${doc} */\nexport interface ${name} {\n${properties.map((one) => textOf(one, false)).join("")}}\n`;
}

/** Writes a doc comment; empty if there is no text. */
export function commentText(sentences: readonly string[], { facts }: Property): string {
  const tags = facts.deprecated === undefined ? [] : [`@deprecated ${facts.deprecated}`];
  const text = sentences.filter((sentence) => sentence !== "").join(" ");
  const [first, ...more] = [...(text === "" ? [] : [text]), ...tags].flatMap(wrapped);
  if (first === undefined) return "";
  if (more.length === 0) return `  /** ${first} */\n`;
  return `  /**\n${[first, ...more].map((line) => `   * ${line}\n`).join("")}   */\n`;
}

const LONGEST_LINE = 105;

/** Wraps a comment's text to the formatter's width. */
export function wrapped(text: string): string[] {
  const lines: string[] = [];
  for (const word of escaped(text).split(" ")) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > LONGEST_LINE) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

/** Escapes a text for a comment. */
function escaped(text: string): string {
  return text.replaceAll("*/", "*\\/");
}
