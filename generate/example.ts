import type { DefinitionBase } from "../provider/core/language/specified";
import { type Property, partsOf, propertiesOf, type Shape } from "./shape";

/**
 * The smallest program with a resource: what it must write, and no more. The page of a resource for which
 * somebody wrote a better one shows that.
 */
export function smallestProgram(definition: DefinitionBase): string {
  const { service, type } = partsOf(definition);
  const required = propertiesOf(definition).filter((property) => property.required);
  const args = required.length === 0 ? "" : `, ${objectText(required, "")}`;
  return [
    'import * as quarterdeck from "pulumi-quarterdeck";',
    "",
    `new quarterdeck.${service}.${type}("example"${args});`,
    "",
  ].join("\n");
}

function objectText(members: readonly Property[], indent: string): string {
  const inner = `${indent}  `;
  const lines = members.map(({ name, shape }) => `${inner}${name}: ${valueText(shape, name, inner)},\n`);
  return `{\n${lines.join("")}${indent}}`;
}

function valueText(shape: Shape, name: string, indent: string): string {
  switch (shape.kind) {
    case "text":
      return JSON.stringify(`<${name}>`);
    case "number":
    case "integer":
      return "1";
    case "boolean":
      return "true";
    case "choice":
      return JSON.stringify(shape.values[0] ?? "");
    case "list":
      return `[${valueText(shape.of, name, indent)}]`;
    case "either":
      return shape.of[0] === undefined ? "{}" : valueText(shape.of[0], name, indent);
    case "object":
      return objectText(
        shape.members.filter((member) => member.required),
        indent,
      );
    default:
      return "{}";
  }
}
