import { deprecationOf, type FunctionDefinition } from "../../provider/core/functions/define";
import type { EndpointRow } from "./docsEndpoints";
import { permissionsSentence } from "./docsPermissions";
import { type DescribedFunction, describeFunction } from "./functions";
import { headerOf, isDocumented, requiredWords, shortTable, table, typeCell } from "./markdown";
import { oneOfAt } from "./oneOf";
import { ruleSentences } from "./ruleSentences";
import { isSecret } from "./secrecy";
import { defaultOf } from "./sentences";
import { namedTypesIn, type Property } from "./shape";

/** The file name of the page with a service's functions. */
export function functionPageName(service: string): string {
  return `${service}-functions.md`;
}

/** Writes the pages of all functions, by path: one page per service, with each function's arguments, rules and result. */
export function functionPages(
  functions: readonly FunctionDefinition[],
  examples: Readonly<Record<string, string>>,
  endpoints: readonly EndpointRow[] = [],
): [string, string][] {
  const described = functions.map(describeFunction);
  const services = [...new Set(described.map(({ definition }) => definition.service))];
  return services.map(({ name: service, products }) => [
    `docs/reference/${functionPageName(service)}`,
    [
      headerOf(`${service}/`),
      `# ${service} functions (${products.names})\n`,
      "Functions read data and change nothing. `get…` returns a promise, and `get…Output` returns an output. `each…` yields the elements of a list one by one. `watch…` yields a result after every change.\n",
      ...described
        .filter((one) => one.service === service)
        .flatMap((one) => section(one, examples[one.definition.token], endpoints)),
    ].join("\n"),
  ]);
}

function section(
  described: DescribedFunction,
  example: string | undefined,
  endpoints: readonly EndpointRow[],
): string[] {
  const { definition, name, args, result } = described;
  const rules = ruleSentences(definition);
  return [
    `## ${name}\n`,
    `${definition.doc}\n`,
    `${formsText(described)}\n`,
    ...(example === undefined ? [] : [`\`\`\`ts\n${example.trim()}\n\`\`\`\n`]),
    "Arguments:\n",
    shortTable(
      ["Name", "Type", "Required", "Default", "Description"],
      args.map((property) => argumentRow(property, oneOfAt(definition))),
    ),
    ...(rules.length === 0
      ? []
      : [`Validated before the request is sent:\n\n${rules.map((sentence) => `- ${sentence}\n`).join("")}`]),
    "Result:\n",
    table(["Name", "Type", "Description"], result.map(resultRow)),
    ...result.flatMap(memberTables),
    ...(definition.replaced === undefined ? permissionsSentence(definition, endpoints) : []),
  ];
}

function formsText({ definition, name }: DescribedFunction): string {
  const { asks } = definition;
  if (asks.kind === "watch") return `Form: \`${name}\`.`;
  const why = deprecationOf(definition);
  if (why !== undefined) return `Form: \`${name}Output\`. **Deprecated:** ${why}`;
  if (definition.isCredential)
    return `Form: \`${name}Output\` only. The result is always secret. A preview sends no request, and the result is unknown there.`;
  const forms = [`\`${name}\``, `\`${name}Output\``, ...(asks.kind === "list" ? [`\`${asks.each}\``] : [])];
  return `Forms: ${forms.join(", ")}.`;
}

function argumentRow(property: Property, oneOf?: readonly string[]): string[] {
  const value = defaultOf(property);
  return [
    `\`${property.name}\``,
    property.facts.isFilter ? "`string | Expression`" : typeCell(property.shape),
    requiredWords(property, oneOf),
    value === undefined ? "" : `\`${value}\``,
    property.doc,
  ];
}

function resultRow(property: Property): string[] {
  return [
    `\`${property.name}\``,
    typeCell(property.shape),
    isSecret(property) ? `${property.doc} Secret.` : property.doc,
  ];
}

/** The tables of objects in the result with documented members. */
function memberTables({ shape }: Property): string[] {
  return namedTypesIn(shape).flatMap((named) =>
    named.kind === "object" && isDocumented(named)
      ? [`### ${named.type.name}\n`, table(["Name", "Type", "Description"], named.members.map(resultRow))]
      : [],
  );
}
