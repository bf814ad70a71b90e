import { inTypeScript } from "../../cli/programs/typescript";
import type { DefinitionBase } from "../../provider/core/language/fields";
import type { AnyDefinition } from "../../provider/core/language/resource";
import { isSteering, isWritable } from "../../provider/core/language/role";
import type { EndpointRow } from "./docsEndpoints";
import { lifeOf } from "./docsLife";
import { rightsSection } from "./docsRights";
import { smallestProgram } from "./examples/smallest";
import { headerOf, isDocumented, requiredWords, shapeWords, table } from "./markdown";
import { oneOfAt } from "./oneOf";
import { exclusiveSentences, ruleSentences } from "./ruleSentences";
import { isSecret } from "./secrecy";
import { consequencesOf, defaultOf } from "./sentences";
import { type Property, partsOf, propertiesOf, type Shape } from "./shape";

/** The file name of a resource's page: `scheduler-Job.md`. */
export function pageName(definition: DefinitionBase): string {
  return `${definition.token.replace(":", "-")}.md`;
}

/**
 * Writes a resource's reference page: description, example, inputs, outputs, checks, id, conflicts and deletion.
 * @param endpoints the requests that the resource sent in the tests, for its rights
 * @param example an example program; default: the smallest possible program
 */
export function resourcePage(
  definition: AnyDefinition,
  example: string | undefined,
  endpoints: readonly EndpointRow[] = [],
): string {
  const { service, type } = partsOf(definition);
  const properties = propertiesOf(definition);
  return [
    headerOf(`${service}/`),
    `# ${service}.${type}\n`,
    `${definition.doc}\n`,
    `Token: \`quarterdeck:${definition.token}\`. Specification: ${definition.section}.\n`,
    "## Example\n",
    `\`\`\`ts\n${(example ?? inTypeScript(smallestProgram(definition))).trim()}\n\`\`\`\n`,
    "## Inputs\n",
    inputTables(definition, properties),
    "## Outputs\n",
    outputText(properties),
    ...rulesText(definition),
    ...lifeOf(definition),
    ...rightsSection(definition, endpoints),
  ].join("\n");
}

function inputTables(definition: AnyDefinition, properties: readonly Property[]): string {
  const inputs = properties.filter(({ facts }) => isWritable(facts));
  const own = inputs.filter(({ facts }) => !isSteering(facts));
  const steering = inputs.filter(({ facts }) => isSteering(facts));
  return [
    inputTable(definition, own, oneOfAt(definition)),
    ...memberTables(definition, own),
    "### What steers\n",
    "These are no part of the object: a change of one of them alone sends nothing, unless the table says otherwise.\n",
    inputTable(definition, steering),
    ...memberTables(definition, steering),
  ].join("\n");
}

/** The tables of objects with documented members. */
function memberTables(definition: AnyDefinition, properties: readonly Property[]): string[] {
  const explained = new Map<string, string>();
  return properties.flatMap(({ name, shape }) => objectTables(definition, name, shape, explained));
}

/**
 * The tables of nested objects, titled with their path: `spec.routes[].match`.
 * @param told the path of each type's table; later occurrences refer to it
 */
function objectTables(
  definition: AnyDefinition,
  path: string,
  shape: Shape,
  told: Map<string, string>,
): string[] {
  switch (shape.kind) {
    case "object": {
      if (!isDocumented(shape)) return [];
      const before = told.get(shape.type.name);
      if (before !== undefined) return [`### ${path}\n`, `As \`${before}\`.\n`];
      told.set(shape.type.name, path);
      return [
        `### ${path}\n`,
        inputTable(definition, shape.members, shape.oneOf),
        ...shape.members.flatMap((member) =>
          objectTables(definition, `${path}.${member.name}`, member.shape, told),
        ),
      ];
    }
    case "list":
      return objectTables(definition, `${path}[]`, shape.of, told);
    case "map":
      return objectTables(definition, `${path}.*`, shape.of, told);
    default:
      return [];
  }
}

function inputTable(
  definition: AnyDefinition,
  properties: readonly Property[],
  oneOf?: readonly string[],
): string {
  const rows = properties.map((property) => [
    `\`${property.name}\``,
    shapeWords(property.shape),
    requiredWords(property, oneOf),
    defaultOf(property) === undefined ? "" : `\`${defaultOf(property)}\``,
    [property.doc, ...deprecation(property)].join(" "),
    consequencesOf(definition, property).join(" "),
  ]);
  return table(["Input", "Type", "Required", "Default", "Meaning", "What to know"], rows);
}

function deprecation({ facts }: Property): string[] {
  return facts.deprecated === undefined ? [] : [`**Deprecated:** ${facts.deprecated}`];
}

function outputText(properties: readonly Property[]): string {
  const own = properties.filter(({ facts }) => !isWritable(facts));
  const lead = "Every input is an output too.";
  if (own.length === 0) return `${lead} The service adds none.\n`;
  const rows = own.map((property) => [
    `\`${property.name}\``,
    shapeWords(property.shape),
    isSecret(property) ? `${property.doc} Secret.` : property.doc,
  ]);
  return `${lead} The service sets these:\n\n${table(["Output", "Type", "Meaning"], rows)}`;
}

function rulesText(definition: AnyDefinition): string[] {
  const sentences = ruleSentences(definition);
  if (sentences.length === 0) return [];
  const listOf = (all: readonly string[]) => all.map((sentence) => `- ${sentence}\n`).join("");
  const exclusive = exclusiveSentences(definition);
  return [
    "## Rules\n",
    `Checked in the preview, all at once, before anything is sent:\n\n${listOf(sentences)}`,
    ...(exclusive.length === 0
      ? []
      : [`A value that another user gives to an exclusive property is drift:\n\n${listOf(exclusive)}`]),
  ];
}
