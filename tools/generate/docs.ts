import { inTypeScript } from "../../cli/programs/typescript";
import type { DefinitionBase } from "../../provider/core/language/fields";
import type { AnyDefinition } from "../../provider/core/language/resource";
import { isSteering, isWritable } from "../../provider/core/language/role";
import { formatJson } from "../../provider/core/value/json";
import { isEmpty } from "../../provider/core/value/scalar";
import { coverageSection } from "./docsContract";
import type { EndpointRow } from "./docsEndpoints";
import { lifeOf } from "./docsLife";
import { permissionsSection } from "./docsPermissions";
import { smallestProgram } from "./examples/smallest";
import { headerOf, isDocumented, requiredWords, shortTable, table, typeCell } from "./markdown";
import { oneOfAt } from "./oneOf";
import { defaultMountOf } from "./productPaths";
import { nounTitle } from "./products";
import { exclusiveSentences, ruleSentences } from "./ruleSentences";
import { isSecret } from "./secrecy";
import { defaultOf, notesOf, removalOf, replacementOf } from "./sentences";
import { type Property, partsOf, propertiesOf, type Shape } from "./shape";

/** The file name of a resource's page: `scheduler-Job.md`. */
export function pageName(definition: DefinitionBase): string {
  return `${definition.token.replace(":", "-")}.md`;
}

/**
 * Writes a resource's reference page: description, example, inputs, outputs, checks, ID, conflicts and deletion.
 * @param endpoints the requests that the resource sent in the tests, for its permissions
 * @param example an example program; default: the smallest possible program
 */
export function resourcePage(
  definition: AnyDefinition,
  example: string | undefined,
  endpoints: readonly EndpointRow[] = [],
): string {
  const { service } = partsOf(definition);
  const properties = propertiesOf(definition);
  return [
    headerOf(`${service}/`),
    `# ${titleOf(definition)}\n`,
    `${definition.doc}\n`,
    `${factLines(definition).join("\n")}\n`,
    "## Example\n",
    `\`\`\`ts\n${(example ?? inTypeScript(smallestProgram(definition))).trim()}\n\`\`\`\n`,
    "## Inputs\n",
    inputTables(definition, properties),
    "## Outputs\n",
    outputText(properties),
    ...rulesText(definition),
    ...lifeOf(definition),
    ...permissionsSection(definition, endpoints),
    ...coverageSection(definition),
  ].join("\n");
}

/** The title of a page: `secrets.QueueRole: RabbitMQ role (Vault)`. */
function titleOf(definition: AnyDefinition): string {
  const { service, type } = partsOf(definition);
  const noun = nounTitle(definition);
  return noun === undefined ? `${service}.${type}` : `${service}.${type}: ${noun}`;
}

/** The resource's type, its equivalent in Terraform, its product's documentation and its default mount, one line each. */
function factLines(definition: AnyDefinition): string[] {
  const { terraform, docs } = definition.product ?? {};
  const { names } = definition.service.products;
  const mount = defaultMountOf(definition);
  return [
    `- Type: \`quarterdeck:${definition.token}\``,
    ...(terraform === undefined ? [] : [`- Terraform: ${terraform}`]),
    ...(docs === undefined ? [] : [`- Product: ${names} ([documentation](${docs}))`]),
    ...(mount === undefined
      ? []
      : [`- Default mount: \`${mount}\`. The paths on this page contain the default mount.`]),
  ];
}

function inputTables(definition: AnyDefinition, properties: readonly Property[]): string {
  const inputs = properties.filter(({ facts }) => isWritable(facts));
  const own = inputs.filter(({ facts }) => !isSteering(facts));
  const options = inputs.filter(({ facts }) => isSteering(facts));
  return [
    inputTable(definition, own, oneOfAt(definition)),
    ...memberTables(definition, own),
    "### Provider options\n",
    "These inputs control Quarterdeck. Changing only these sends no request, unless noted. [Timeouts](README.md#timeouts) has the members of `timeouts`.\n",
    inputTable(definition, options),
    ...memberTables(
      definition,
      options.filter(({ name }) => name !== "timeouts"),
    ),
  ].join("\n");
}

/** The tables of objects with documented members. */
function memberTables(definition: AnyDefinition, properties: readonly Property[]): string[] {
  const explained = new Map<string, string>();
  return properties.flatMap(({ name, shape }) => objectTables(definition, name, shape, explained));
}

/**
 * The tables of nested objects, titled with their path: `spec.routes[].match`.
 * @param explained the path of each type's table; later occurrences refer to it
 */
function objectTables(
  definition: AnyDefinition,
  path: string,
  shape: Shape,
  explained: Map<string, string>,
): string[] {
  switch (shape.kind) {
    case "object": {
      if (!isDocumented(shape)) return [];
      const before = explained.get(shape.type.name);
      if (before !== undefined) return [`### ${path}\n`, `Same members as \`${before}\`.\n`];
      explained.set(shape.type.name, path);
      return [
        `### ${path}\n`,
        inputTable(definition, shape.members, shape.oneOf),
        ...shape.members.flatMap((member) =>
          objectTables(definition, `${path}.${member.name}`, member.shape, explained),
        ),
      ];
    }
    case "list":
      return objectTables(definition, `${path}[]`, shape.of, explained);
    case "map":
      return objectTables(definition, `${path}.*`, shape.of, explained);
    default:
      return [];
  }
}

/** Writes the table of some inputs. */
export function inputTable(
  definition: AnyDefinition,
  properties: readonly Property[],
  oneOf?: readonly string[],
): string {
  const rows = properties.map((property) => [
    `\`${property.name}\``,
    typeCell(property.shape),
    requiredWords(property, oneOf),
    defaultOf(property) === undefined ? "" : `\`${defaultOf(property)}\``,
    REPLACES[replacementOf(definition, property)],
    removalCell(property),
    [property.doc, ...deprecation(property), ...notesOf(definition, property)].join(" "),
  ]);
  return shortTable(["Name", "Type", "Required", "Default", "Replaces", "If removed", "Description"], rows);
}

const REPLACES = { none: "", "create first": "yes", "delete first": "yes (delete first)" } as const;

function removalCell(property: Property): string {
  const removal = removalOf(property);
  if (removal === undefined) return "";
  if (removal === "stays") return "unchanged";
  return isEmpty(removal.to) ? "cleared" : `reset to \`${formatJson(removal.to)}\``;
}

function deprecation({ facts }: Property): string[] {
  return facts.deprecated === undefined ? [] : [`**Deprecated:** ${facts.deprecated}`];
}

function outputText(properties: readonly Property[]): string {
  const own = properties.filter(({ facts }) => !isWritable(facts));
  const lead = "All inputs are also outputs.";
  if (own.length === 0) return `${lead}\n`;
  const rows = own.map((property) => [
    `\`${property.name}\``,
    typeCell(property.shape),
    isSecret(property) ? `${property.doc} Secret.` : property.doc,
  ]);
  return `${lead} Additional outputs:\n\n${table(["Name", "Type", "Description"], rows)}`;
}

function rulesText(definition: AnyDefinition): string[] {
  const sentences = ruleSentences(definition);
  if (sentences.length === 0) return [];
  const listOf = (all: readonly string[]) => all.map((sentence) => `- ${sentence}\n`).join("");
  const exclusive = exclusiveSentences(definition);
  return [
    "## Validation\n",
    `Validated during preview:\n\n${listOf(sentences)}`,
    ...(exclusive.length === 0
      ? []
      : [
          `While the program sets one property of an exclusive pair, Quarterdeck manages the other property as empty. A value from another user is then drift:\n\n${listOf(exclusive)}`,
        ]),
  ];
}
