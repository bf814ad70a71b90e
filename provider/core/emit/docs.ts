import type { Definition, Route } from "../define";
import { smallestProgram } from "./example";
import { headerOf, isDocumented, shapeWords, table } from "./markdown";
import { ruleSentences } from "./ruleSentences";
import { isSecret } from "./secrecy";
import { consequencesOf, defaultOf } from "./sentences";
import { type Property, partsOf, propertiesOf } from "./shape";

/** The file name of a resource's page: `scheduler-Job.md`. */
export function pageName(definition: Definition): string {
  return `${definition.token.replace(":", "-")}.md`;
}

/**
 * A resource's page in the reference: what it is, a program, every input and output, what is checked, how it is
 * named and read, and what happens at a conflict and at a delete.
 * @param example a program that shows the resource in use; without one, the smallest there is
 */
export function resourcePage(definition: Definition, example: string | undefined): string {
  const { service, type } = partsOf(definition);
  const properties = propertiesOf(definition);
  return [
    headerOf(`${service}/`),
    `# ${service}.${type}\n`,
    `${definition.doc}\n`,
    `Token: \`quarterdeck:${definition.token}\`. Specification: ${definition.section}.\n`,
    "## Example\n",
    `\`\`\`ts\n${(example ?? smallestProgram(definition)).trim()}\n\`\`\`\n`,
    "## Inputs\n",
    inputTables(definition, properties),
    "## Outputs\n",
    outputText(properties),
    ...rulesText(definition),
    "## Id, and reading what exists\n",
    idText(definition),
    "## Conflicts\n",
    `${conflictSentences(definition).join(" ")}\n`,
    "## Deleting\n",
    `${deleteSentences(definition).join(" ")}\n`,
  ].join("\n");
}

function inputTables(definition: Definition, properties: readonly Property[]): string {
  const inputs = properties.filter(({ facts }) => !facts.serverOwned);
  const own = inputs.filter(({ facts }) => !facts.local);
  const steering = inputs.filter(({ facts }) => facts.local);
  return [
    inputTable(definition, own),
    ...memberTables(definition, own),
    "### What steers\n",
    "These are no part of the object: a change of one of them alone sends nothing. Only `connection` does more, because another connection leads to another object.\n",
    inputTable(definition, steering),
    ...memberTables(definition, steering),
  ].join("\n");
}

/** The tables of objects whose members are documented one by one. */
function memberTables(definition: Definition, properties: readonly Property[]): string[] {
  return properties.flatMap(({ name, shape }) =>
    shape.kind === "object" && isDocumented(shape)
      ? [`### ${name}\n`, inputTable(definition, shape.members)]
      : [],
  );
}

function inputTable(definition: Definition, properties: readonly Property[]): string {
  const rows = properties.map((property) => [
    `\`${property.name}\``,
    shapeWords(property.shape),
    property.required ? "yes" : "",
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
  const own = properties.filter(({ facts }) => facts.serverOwned);
  const lead = "Every input is an output too.";
  if (own.length === 0) return `${lead} The service adds none.\n`;
  const rows = own.map((property) => [
    `\`${property.name}\``,
    shapeWords(property.shape),
    isSecret(property) ? `${property.doc} Secret.` : property.doc,
  ]);
  return `${lead} The service sets these:\n\n${table(["Output", "Type", "Meaning"], rows)}`;
}

function rulesText(definition: Definition): string[] {
  const sentences = ruleSentences(definition);
  if (sentences.length === 0) return [];
  const list = sentences.map((sentence) => `- ${sentence}\n`).join("");
  return ["## Rules\n", `Checked in the preview, all at once, before anything is sent:\n\n${list}`];
}

function idText(definition: Definition): string {
  const { service, type } = partsOf(definition);
  const { template } = definition.id;
  const form = [
    `The id is \`${template}\`.`,
    "Each part is percent-encoded, and a part that nobody gave is empty.",
    `The name of a named connection stands in front of it: \`<connection>:${template}\`.`,
  ];
  const reading = [
    `\`quarterdeck.${service}.${type}.get(name, id)\` reads an object that exists, without managing it.`,
    "To manage what exists already, write the resource with `adopt: true`.",
  ];
  return `${form.join(" ")}\n\n${reading.join(" ")}\n`;
}

function conflictSentences(definition: Definition): string[] {
  const { checkAndSet } = definition;
  const checked =
    checkAndSet === undefined
      ? [
          "The service has no check-and-set, so the object is read just before each write, and compared with what was last seen; the window of that one round trip remains.",
        ]
      : [
          `Every create and every update is checked by the service itself, against \`${checkAndSet.token}\` as it was last seen.`,
        ];
  return [
    ...checked,
    ...creation(definition),
    'Where somebody else changed what this resource manages, nothing is written, and the error names each field with its base, ours and theirs. `onConflict: "overwrite"` insists.',
  ];
}

function creation({ checkAndSet, createRefusesExisting }: Definition): string[] {
  const existing = "What exists already is an error, unless `adopt` takes it over.";
  if (checkAndSet) return ["A create succeeds only where nothing is there.", existing];
  if (createRefusesExisting) return ["The service refuses to create what exists.", existing];
  return ["A create looks first whether the object is there.", existing];
}

function deleteSentences(definition: Definition): string[] {
  const { checkAndSet, gone, remove } = definition;
  const checked =
    checkAndSet?.onDelete === true
      ? `It is checked against \`${checkAndSet.token}\` as it was last seen: what moved since is not deleted.`
      : "The object is read just before: where somebody else changed what this resource manages, it is not deleted.";
  return [
    `A delete sends \`${requestText(definition, remove)}\`.`,
    checked,
    `Proof that the object is gone, for a delete as for a refresh: ${gone.evidence}. Any other answer is an error, and the state stays.`,
  ];
}

function requestText({ service }: Definition, { method, path }: Route): string {
  return `${method} ${service.prefix}${path.replaceAll("{+", "{")}`;
}
