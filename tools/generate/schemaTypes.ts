import type { Property, Shape, TypeName } from "./shape";
import { namedTypesIn, upper } from "./shape";

/** A JSON value of the schema. */
export type Part = string | boolean | readonly Part[] | { readonly [name: string]: Part };
export type Parts = { [name: string]: Part };

/** The package's name, the prefix of every token. */
export const PACKAGE = "quarterdeck";

/** The input type for a secret that is stored elsewhere. */
const SECRET_SOURCE: TypeName = { module: "index", name: "SecretSource" };

/** The schema type of a secret's source. */
export const secretSourceType: Parts = {
  [tokenOf(SECRET_SOURCE)]: {
    type: "object",
    properties: {
      fromEnv: {
        type: "string",
        description:
          "Environment variable with the secret, on the machine that runs Pulumi. Set either this or `fromFile`.",
      },
      fromFile: {
        type: "string",
        description:
          "File with the secret; a relative path starts at the program's folder. A line break at its end is removed.",
      },
    },
  },
};

/** Adds the named types of a shape to the schema's types. */
export function addTypes(types: Parts, shape: Shape): void {
  for (const named of namedTypesIn(shape)) types[tokenOf(named.type)] = definitionOf(named);
}

function definitionOf(shape: Extract<Shape, { type: TypeName }>): Part {
  if (shape.kind === "choice") return choiceOf(shape);
  const required = shape.members.filter((member) => member.required).map(({ name }) => name);
  return {
    type: "object",
    properties: byName(shape.members, (member) => ({
      ...typeOf(member.shape),
      ...(member.doc !== "" && { description: member.doc }),
      ...(member.facts.secret && { secret: true }),
    })),
    ...(required.length > 0 && { required }),
  };
}

function choiceOf({ values, meanings = {} }: Extract<Shape, { kind: "choice" }>): Part {
  const words = values.map((value) => ({
    ...wordNamed(value),
    value,
    ...(meanings[value] !== undefined && { description: meanings[value] }),
  }));
  return { type: "string", enum: words };
}

/** A name for a value that is not a valid identifier: `-created-at` sorts in descending order. */
function wordNamed(value: string): { readonly name?: string } {
  if (!value.startsWith("-")) return {};
  const words = value.split(/\W+/).map(upper);
  return { name: `${words.join("")}Descending` };
}

/** A property as an output: the source of a secret is never part of an output. */
export function asAnswered(property: Property): Property {
  return { ...property, shape: answeredShape(property.shape) };
}

function answeredShape(shape: Shape): Shape {
  if (shape.kind === "secretText") return { kind: "text" };
  return shape.kind === "list" ? { ...shape, of: answeredShape(shape.of) } : shape;
}

/** The schema type of a shape. */
export function typeOf(shape: Shape): Parts {
  switch (shape.kind) {
    case "text":
      return { type: "string" };
    case "secretText":
      return { oneOf: [{ type: "string" }, { $ref: `#/types/${tokenOf(SECRET_SOURCE)}` }] };
    case "anything":
      return ANYTHING;
    case "list":
      return { type: "array", items: typeOf(shape.of) };
    case "map":
      return { type: "object", additionalProperties: typeOf(shape.of) };
    case "either":
      return typeOfEither(shape);
    case "object":
    case "choice":
      return { $ref: `#/types/${tokenOf(shape.type)}` };
    default:
      return { type: shape.kind };
  }
}

const ANYTHING: Parts = { $ref: "pulumi.json#/Any" };

function typeOfEither(shape: Extract<Shape, { kind: "either" }>): Parts {
  const declared = declaredShape(shape);
  return declared.kind === "either" ? { oneOf: declared.of.map(typeOf) } : typeOf(declared);
}

/**
 * The declared type for several alternatives. Plain types become a union. If one of them is a list or a map, that is the
 * declared type: the equivalent string is only a convenience, and the SDKs cannot tell them apart (Python's fails at a union
 * that contains a list). A free-form map becomes any type, so that it can also be written as a string.
 */
export function declaredShape(shape: Shape): Shape {
  if (shape.kind !== "either") return shape;
  const structure = shape.of.find(({ kind }) => ["list", "map", "object"].includes(kind));
  if (structure === undefined) return shape;
  return structure.kind === "map" && structure.of.kind === "anything" ? { kind: "anything" } : structure;
}

function tokenOf({ module, name }: TypeName): string {
  return `${PACKAGE}:${module}:${name}`;
}

/** Describes properties by name. */
export function byName(properties: readonly Property[], describe: (property: Property) => Part): Part {
  return Object.fromEntries(properties.map((property) => [property.name, describe(property)]));
}
