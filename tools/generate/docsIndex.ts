import type { FunctionDefinition } from "../../provider/core/functions/define";
import type { AnyDefinition } from "../../provider/core/language/resource";
import type { Service } from "../../provider/core/language/service";
import { inputTable, pageName } from "./docs";
import { functionPageName } from "./docsFunctions";
import { headerOf, table } from "./markdown";
import { nounTitle } from "./products";
import { servicesOf } from "./schema";
import { partsOf, propertiesOf } from "./shape";

/** Writes the reference's first page: every resource by service, and links to the other pages. */
export function referenceIndex(
  definitions: readonly AnyDefinition[],
  functions: readonly FunctionDefinition[] = [],
): string {
  const sections = servicesOf(definitions).flatMap((service) => {
    const own = definitions.filter((definition) => definition.service === service);
    const rows = own.map((definition) => {
      const { type } = partsOf(definition);
      const { terraform = "" } = definition.product ?? {};
      return [
        `[${service.name}.${type}](${pageName(definition)})`,
        nounTitle(definition) ?? "",
        terraform,
        firstSentence(definition),
      ];
    });
    return [
      `## ${service.name} (${service.products.names})\n`,
      table(["Resource", "Product name", "Terraform", "Description"], rows),
      ...functionTable(service, functions),
    ];
  });
  return [
    headerOf(""),
    "# Reference\n",
    "The reference documents every resource and function with its inputs, outputs and validation rules.\n",
    "- [Configuration](configuration.md): addresses, tokens and other settings of each product",
    "- [Permissions](permissions.md): the permissions that a token needs, with example policies",
    "- [Endpoints](endpoints.md): for contributors, the endpoints that each resource uses\n",
    ...sections,
    ...timeoutsText(definitions),
  ].join("\n");
}

/** The first sentence of a description. The page has the rest. */
function firstSentence({ doc }: Pick<AnyDefinition, "doc">): string {
  return doc.split(/(?<=\.) (?=[A-Z`])/)[0] ?? "";
}

function functionTable(service: Service, functions: readonly FunctionDefinition[]): string[] {
  const own = functions.filter((definition) => definition.service === service);
  if (own.length === 0) return [];
  const page = functionPageName(service.name);
  const rows = own.map((definition) => {
    const { type: name } = partsOf(definition);
    return [`[${service.name}.${name}](${page}#${name.toLowerCase()})`, firstSentence(definition)];
  });
  return [table(["Function", "Description"], rows)];
}

/** The section about the input `timeouts`, which is the same for every resource. */
function timeoutsText(definitions: readonly AnyDefinition[]): string[] {
  return definitions.slice(0, 1).flatMap((definition) => {
    const timeouts = propertiesOf(definition).find(({ name }) => name === "timeouts");
    if (timeouts?.shape.kind !== "object") return [];
    return [
      "## Timeouts\n",
      "The input `timeouts` of every resource contains timeouts in seconds, including retries and waits.\n",
      inputTable(definition, timeouts.shape.members),
    ];
  });
}
