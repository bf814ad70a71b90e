import type { Property, Shape, TypeName } from "./shape";
import { namedTypesIn } from "./shape";

/** A JSON value of the schema. */
export type Part = string | boolean | readonly Part[] | { readonly [name: string]: Part };
export type Parts = { [name: string]: Part };

/** What the package is called, in front of every token. */
export const PACKAGE = "quarterdeck";

/** What a program writes in place of a secret that is kept elsewhere. */
const SECRET_SOURCE: TypeName = { module: "index", name: "SecretSource" };

/** The type of where a secret is. */
export const secretSourceType: Parts = {
  [tokenOf(SECRET_SOURCE)]: {
    type: "object",
    properties: {
      fromEnv: {
        type: "string",
        description:
          "The environment variable that holds the secret, where the engine runs. Give this or `fromFile`.",
      },
      fromFile: {
        type: "string",
        description:
          "The file that holds the secret, absolute or from the program's folder; a line break at its end is left out.",
      },
    },
  },
};

/** Adds the types of a shape to those that the schema lists. */
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

/** What a word is called where languages could make no name of it: `-created-at` sorts the other way round. */
function wordNamed(value: string): { readonly name?: string } {
  if (!value.startsWith("-")) return {};
  const words = value.split(/\W+/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return { name: `${words.join("")}Descending` };
}

/** A property as it is answered: a secret that is kept elsewhere is in no answer. */
export function asAnswered(property: Property): Property {
  return { ...property, shape: answeredShape(property.shape) };
}

function answeredShape(shape: Shape): Shape {
  if (shape.kind === "secretText") return { kind: "text" };
  return shape.kind === "list" ? { ...shape, of: answeredShape(shape.of) } : shape;
}

/** The type of a shape, as the schema says it beside a description. */
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
 * The one type that stands for several. Several plain types are a union. Where one of them is a list or a map, that is the
 * type: the text that says the same is a spelling for people, and no SDK tells them apart (Python's fails at a union that
 * holds a list). A free map is anything, so that its text may be written too.
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

/** What there is to say of properties, by their names. */
export function byName(properties: readonly Property[], describe: (property: Property) => Part): Part {
  return Object.fromEntries(properties.map((property) => [property.name, describe(property)]));
}
