import type { FunctionDefinition } from "../provider/core/functions/define";
import type { AnyDefinition } from "../provider/core/language/resource";
import { isWritable } from "../provider/core/language/role";
import type { Service } from "../provider/core/language/service";
import { commonSettings, environmentName } from "../provider/core/language/settings";
import { type DescribedFunction, describeFunction } from "./functions";
import { listInputs } from "./listInputs";
import { making } from "./making";
import { isSecret } from "./secrecy";
import { consequencesOf, defaultOf, isReplacing } from "./sentences";
import { membersOf, namedTypesIn, type Property, propertiesOf, type Shape, type TypeName } from "./shape";

/** What the schema says of the package itself. */
export interface PackageFacts {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly keywords: readonly string[];
}

/** A JSON value of the schema. */
type Part = string | boolean | readonly Part[] | { readonly [name: string]: Part };
type Parts = { [name: string]: Part };

const PACKAGE = "quarterdeck";

/** The package's schema, as Pulumi describes packages: its resources, their types and its configuration. */
export function schemaOf(
  definitions: readonly AnyDefinition[],
  facts: PackageFacts,
  functions: readonly FunctionDefinition[] = [],
): Parts {
  const services = servicesOf(definitions);
  const types: Parts = {};
  const settings = Object.fromEntries(services.map((service) => [service.name, settingsShape(service)]));
  const connection = connectionShape(settings);
  const variables = configuration(settings, connection);
  for (const shape of [...Object.values(settings), connection]) addTypes(types, shape);
  for (const definition of definitions) {
    for (const { shape } of propertiesOf(definition)) addTypes(types, shape);
  }
  const described = functions
    .map(describeFunction)
    .filter(({ definition }) => definition.asks.kind !== "watch");
  for (const { args, result } of described) {
    for (const { shape } of [...args, ...result]) addTypes(types, shape);
  }
  return {
    name: PACKAGE,
    displayName: "Quarterdeck",
    version: facts.version,
    description: facts.description,
    keywords: facts.keywords,
    license: facts.license,
    meta: { moduleFormat: "(.*)" },
    language: { nodejs: { packageName: facts.name } },
    config: { variables },
    provider: {
      description: "The provider of this package; its settings are the package's configuration.",
      inputProperties: variables,
    },
    types: sortedByName(types),
    resources: Object.fromEntries(
      definitions.map((definition) => [`${PACKAGE}:${definition.token}`, resourceOf(definition)]),
    ),
    ...(described.length > 0 && {
      functions: Object.fromEntries(
        described.map((one) => [`${PACKAGE}:${one.definition.token}`, functionPart(one)]),
      ),
    }),
  };
}

function functionPart({ definition, args, result }: DescribedFunction): Part {
  const object = (properties: readonly Property[]): Part => {
    const required = properties.filter((property) => property.required).map(({ name }) => name);
    return {
      type: "object",
      properties: byName(properties, (property) => ({
        ...typeOf(property.shape),
        description: property.doc,
        ...((isSecret(property) || definition.isCredential === true) && { secret: true }),
      })),
      ...(required.length > 0 && { required }),
    };
  };
  return {
    description: `${[definition.doc, ...making(definition)].join(" ")}\n\nSpecification: ${definition.section}.`,
    inputs: object(args),
    outputs: object(result),
  };
}

/** The services of these definitions, each once, in their order. */
export function servicesOf(definitions: readonly AnyDefinition[]): Service[] {
  return [...new Set(definitions.map(({ service }) => service))];
}

function resourceOf(definition: AnyDefinition): Part {
  const properties = propertiesOf(definition);
  const inputs = properties.filter(({ facts }) => isWritable(facts));
  const describe = (property: Property) => describedProperty(definition, property);
  return {
    description: `${definition.doc}\n\nSpecification: ${definition.section}.`,
    properties: byName(properties, describe),
    required: properties.filter(({ alwaysSet }) => alwaysSet).map(({ name }) => name),
    inputProperties: byName(inputs, describe),
    requiredInputs: inputs.filter(({ required }) => required).map(({ name }) => name),
    ...listPart(definition),
  };
}

/** What narrows a list of them; a resource without it is none that a service lists. */
function listPart(definition: AnyDefinition): Parts {
  const inputs = listInputs(definition);
  if (inputs === undefined) return {};
  const required = inputs.filter((property) => property.required).map(({ name }) => name);
  return {
    listInputs: {
      type: "object",
      properties: byName(inputs, flagPart),
      ...(required.length > 0 && { required }),
    },
  };
}

/** A command has flags for texts, and none for a choice: of that the text says what it may be. */
function flagPart({ shape, doc }: Property): Parts {
  if (shape.kind !== "choice") return { ...typeOf(shape), description: doc };
  const values = shape.values.map((value) => `\`${value}\``).join(", ");
  return { type: "string", description: `${doc} One of ${values}.` };
}

function describedProperty(definition: AnyDefinition, property: Property): Part {
  const { deprecated } = property.facts;
  const value = defaultOf(property);
  const replaces = isReplacing(definition, property);
  return {
    ...typeOf(property.shape),
    description: [
      property.doc,
      ...(value === undefined ? [] : [`Default: \`${value}\`.`]),
      ...consequencesOf(definition, property),
    ].join(" "),
    ...(isSecret(property) && { secret: true }),
    ...(replaces && { willReplaceOnChanges: true }),
    ...(deprecated !== undefined && { deprecationMessage: deprecated }),
  };
}

function configuration(settings: Readonly<Record<string, Shape>>, connection: Shape): Part {
  const services = Object.entries(settings).map(([name, shape]) => [
    name,
    { ...typeOf(shape), description: `Where the ${name} service is, and how it is spoken to.` },
  ]);
  const connections = {
    ...typeOf({ kind: "map", of: connection }),
    description: "Further connections by name; a resource picks one with its input `connection`.",
  };
  return { ...Object.fromEntries(services), connections };
}

/** A service's settings as one object. */
export function settingsShape(service: Service): Shape {
  const type = {
    module: "index",
    name: `${service.name.charAt(0).toUpperCase()}${service.name.slice(1)}Settings`,
  };
  const members = membersOf({ ...commonSettings, ...service.settings }, type).map((member) => ({
    ...member,
    doc: `${member.doc} Environment: \`${environmentName(service, member.name)}\`.`,
  }));
  return { kind: "object", type, members };
}

/** A named connection's settings of every service as one object. */
export function connectionShape(settings: Readonly<Record<string, Shape>>): Shape {
  const aliases: Property = {
    name: "aliases",
    doc: "Former names of this connection: what was made under one of them is the same object.",
    shape: { kind: "list", of: { kind: "text" } },
    required: false,
    alwaysSet: false,
    facts: {},
  };
  const services = Object.entries(settings).map(([name, shape]) => ({
    name,
    doc: `The ${name} service of this connection.`,
    shape,
    required: false,
    alwaysSet: false,
    facts: {},
  }));
  return { kind: "object", type: { module: "index", name: "Connection" }, members: [aliases, ...services] };
}

function addTypes(types: Parts, shape: Shape): void {
  for (const named of namedTypesIn(shape)) types[tokenOf(named.type)] = definitionOf(named);
}

function definitionOf(shape: Extract<Shape, { type: TypeName }>): Part {
  if (shape.kind === "choice") return { type: "string", enum: shape.values.map((value) => ({ value })) };
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

function typeOf(shape: Shape): Parts {
  switch (shape.kind) {
    case "text":
      return { type: "string" };
    case "anything":
      return { $ref: "pulumi.json#/Any" };
    case "list":
      return { type: "array", items: typeOf(shape.of) };
    case "map":
      return { type: "object", additionalProperties: typeOf(shape.of) };
    case "either":
      return { oneOf: shape.of.map(typeOf) };
    case "object":
    case "choice":
      return { $ref: `#/types/${tokenOf(shape.type)}` };
    default:
      return { type: shape.kind };
  }
}

function tokenOf({ module, name }: TypeName): string {
  return `${PACKAGE}:${module}:${name}`;
}

function byName(properties: readonly Property[], describe: (property: Property) => Part): Part {
  return Object.fromEntries(properties.map((property) => [property.name, describe(property)]));
}

function sortedByName(parts: Parts): Parts {
  return Object.fromEntries(Object.entries(parts).sort(([a], [b]) => (a < b ? -1 : 1)));
}
