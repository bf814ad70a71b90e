import type { Members, Program, ProgramValue } from "../../../cli/programs/program";
import type { DefinitionBase } from "../../../provider/core/language/fields";
import type { DescribedFunction } from "../functions";
import { oneOfAt } from "../oneOf";
import { type Property, partsOf, propertiesOf, type Shape } from "../shape";

/**
 * The smallest program with a resource: only its required inputs. A handwritten example replaces it on the resource's page.
 */
export function smallestProgram(definition: DefinitionBase): Program {
  const { service, type } = partsOf(definition);
  return {
    statements: [
      {
        kind: "resource",
        token: `${service}:${type}`,
        label: "example",
        variable: undefined,
        args: smallestMembers(propertiesOf(definition), oneOfAt(definition)),
        dependsOn: [],
        comment: [],
      },
    ],
  };
}

/** The smallest program that calls a function, and exports the first property of its result. */
export function smallestCall({ definition, args, result }: DescribedFunction): Program {
  const property = result[0]?.name;
  if (property === undefined) throw new TypeError(`${definition.token} answers nothing`);
  return {
    statements: [
      {
        kind: "call",
        token: definition.token,
        variable: "answer",
        args: smallestMembers(args, oneOfAt(definition)),
        comment: [],
      },
      {
        kind: "output",
        name: property,
        value: { kind: "reference", variable: "answer", property, orEmpty: false },
        comment: [],
      },
    ],
  };
}

/**
 * The required properties.
 * @param oneOf the alternatives of which one is required; the first is used
 */
function smallestMembers(properties: readonly Property[], oneOf: readonly string[] = []): Members {
  const required = properties.filter((property) => property.required || property.name === oneOf[0]);
  return Object.fromEntries(required.map(({ name, shape }) => [name, smallestValue(shape, name)]));
}

function smallestValue(shape: Shape, name: string): ProgramValue {
  switch (shape.kind) {
    case "text":
    case "secretText":
      return { kind: "text", text: `<${name}>` };
    case "number":
    case "integer":
      return { kind: "number", number: 1 };
    case "boolean":
      return { kind: "boolean", boolean: true };
    case "choice":
      return { kind: "text", text: shape.values[0] ?? "" };
    case "list":
      return { kind: "list", elements: [smallestValue(shape.of, name)] };
    case "either":
      return shape.of[0] === undefined ? { kind: "object", members: {} } : smallestValue(shape.of[0], name);
    case "object":
      return { kind: "object", members: smallestMembers(shape.members, shape.oneOf) };
    default:
      return { kind: "object", members: {} };
  }
}
