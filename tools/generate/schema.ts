import { deprecationOf, type FunctionDefinition } from "../../provider/core/functions/define";
import type { AnyDefinition } from "../../provider/core/language/resource";
import { isWritable } from "../../provider/core/language/role";
import type { Service } from "../../provider/core/language/service";
import { type DescribedFunction, describeFunction } from "./functions";
import { listInputs } from "./listInputs";
import { resourceParagraphs } from "./products";
import { configurationOf } from "./schemaConfiguration";
import { languagesOf } from "./schemaLanguages";
import {
  addTypes,
  asAnswered,
  byName,
  PACKAGE,
  type Part,
  type Parts,
  secretSourceType,
  typeOf,
} from "./schemaTypes";
import { inEachLanguage } from "./schemaWords";
import { isSecret } from "./secrecy";
import { consequencesOf, defaultOf, isReplacing } from "./sentences";
import { mayBeElsewhere, type Property, propertiesOf } from "./shape";

/** The package's metadata in the schema. */
export interface PackageFacts {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly keywords: readonly string[];
  /** The page that describes it, in its repository. */
  readonly homepage: string;
}

/** The example section in the description of a resource or a function, by its token. */
export type Examples = ReadonlyMap<string, string>;

/** The path of the logo in the repository. */
const LOGO = "docs/logo.svg";

/** The keywords by which the Pulumi Registry sorts packages. */
const REGISTRY_KEYWORDS = ["category/infrastructure", "kind/native"] as const;

/** Writes the Pulumi package schema: resources, functions, types and configuration. */
export function schemaOf(
  definitions: readonly AnyDefinition[],
  facts: PackageFacts,
  functions: readonly FunctionDefinition[] = [],
  examples: Examples = new Map(),
): Parts {
  const services = servicesOf(definitions);
  const isElsewhere = definitions.flatMap(propertiesOf).some(({ shape }) => mayBeElsewhere(shape));
  const types: Parts = isElsewhere ? { ...secretSourceType } : {};
  const { settings, ofStacks } = configurationOf(services);
  for (const { shape } of [...settings, ...ofStacks]) addTypes(types, shape);
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
    keywords: [...REGISTRY_KEYWORDS, ...facts.keywords],
    license: facts.license,
    homepage: facts.homepage,
    repository: repositoryOf(facts),
    publisher: "Quarterdeck",
    logoUrl: `${repositoryOf(facts).replace("https://github.com/", "https://raw.githubusercontent.com/")}/main/${LOGO}`,
    meta: { moduleFormat: "(.*)" },
    language: languagesOf(facts.name, repositoryOf(facts)),
    config: { variables: byName([...settings, ...ofStacks], describedSetting) },
    provider: {
      description: "An explicit provider. Its settings are those of the package's configuration.",
      inputProperties: byName(settings, describedSetting),
    },
    types: sortedByName(types),
    resources: Object.fromEntries(
      definitions.map((definition) => [`${PACKAGE}:${definition.token}`, resourceOf(definition, examples)]),
    ),
    ...(described.length > 0 && {
      functions: Object.fromEntries(
        described.map((one) => [`${PACKAGE}:${one.definition.token}`, functionPart(one, examples)]),
      ),
    }),
  };
}

function functionPart({ definition, args, result }: DescribedFunction, examples: Examples): Part {
  const why = deprecationOf(definition);
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
    description: describedUse([definition.doc], definition, examples),
    ...(why !== undefined && { deprecationMessage: why }),
    inputs: object(args),
    outputs: object(result),
  };
}

function describedUse(
  paragraphs: readonly string[],
  { token }: { readonly token: string },
  examples: Examples,
): string {
  const example = examples.get(token);
  return [...paragraphs, ...(example === undefined ? [] : [example])].join("\n\n");
}

/** The services of these definitions, without duplicates, in their order. */
export function servicesOf(definitions: readonly AnyDefinition[]): Service[] {
  return [...new Set(definitions.map(({ service }) => service))];
}

function resourceOf(definition: AnyDefinition, examples: Examples): Part {
  const properties = propertiesOf(definition);
  const inputs = properties.filter(({ facts }) => isWritable(facts));
  const describe = (at: "properties" | "inputProperties", own: readonly Property[]) =>
    byName(own, (property) =>
      describedProperty(definition, at === "properties" ? asAnswered(property) : property, (text) =>
        inEachLanguage(
          text,
          `resources/${PACKAGE}:${definition.token}/${at}`,
          own.map(({ name }) => name),
        ),
      ),
    );
  return {
    description: describedUse(resourceParagraphs(definition), definition, examples),
    properties: describe("properties", properties),
    required: properties.filter(({ alwaysSet }) => alwaysSet).map(({ name }) => name),
    inputProperties: describe("inputProperties", inputs),
    requiredInputs: inputs.filter(({ required }) => required).map(({ name }) => name),
    // The dynamic bridge's type is an alias for the same object.
    aliases: [{ type: `pulumi-nodejs:dynamic/${PACKAGE}/${definition.token}` }],
    ...listPart(definition),
  };
}

/** The filters for listing objects; missing if the server cannot list them. */
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

/** Command-line flags support strings, not choices, so the description lists the values. */
function flagPart({ shape, doc }: Property): Parts {
  if (shape.kind !== "choice") return { ...typeOf(shape), description: doc };
  const values = shape.values.map((value) => `\`${value}\``).join(", ");
  return { type: "string", description: `${doc} Allowed values: ${values}.` };
}

function describedProperty(
  definition: AnyDefinition,
  property: Property,
  worded: (text: string) => string,
): Part {
  const { deprecated } = property.facts;
  const value = defaultOf(property);
  const replaces = isReplacing(definition, property);
  return {
    ...typeOf(property.shape),
    description: worded(
      [
        property.doc,
        ...(value === undefined ? [] : [`Default: \`${value}\`.`]),
        ...consequencesOf(definition, property),
      ].join(" "),
    ),
    ...(isSecret(property) && { secret: true }),
    ...(replaces && { willReplaceOnChanges: true }),
    ...(deprecated !== undefined && { deprecationMessage: deprecated }),
  };
}

/** The import path of the Go SDK. */
export function goSdkOf(facts: PackageFacts): string {
  return languagesOf(facts.name, repositoryOf(facts)).go.importBasePath;
}

/** The URL of the package's repository. */
function repositoryOf({ homepage }: PackageFacts): string {
  return homepage.replace(/#.*/, "");
}

function describedSetting({ shape, doc, facts }: Property): Part {
  return { ...typeOf(shape), description: doc, ...(facts.secret && { secret: true }) };
}

function sortedByName(parts: Parts): Parts {
  return Object.fromEntries(Object.entries(parts).sort(([a], [b]) => (a < b ? -1 : 1)));
}
