import type { FunctionDefinition } from "../../provider/core/functions/define";
import type { AnyDefinition } from "../../provider/core/language/resource";
import type { Service } from "../../provider/core/language/service";
import { pageName } from "./docs";
import { functionPageName } from "./docsFunctions";
import { headerOf, table } from "./markdown";
import { servicesOf } from "./schema";
import { partsOf } from "./shape";

/** Writes the reference's first page: every resource by service, and links to the other pages. */
export function referenceIndex(
  definitions: readonly AnyDefinition[],
  functions: readonly FunctionDefinition[] = [],
): string {
  const sections = servicesOf(definitions).flatMap((service) => {
    const own = definitions.filter((definition) => definition.service === service);
    const rows = own.map((definition) => {
      const { type } = partsOf(definition);
      return [`[${service.name}.${type}](${pageName(definition)})`, definition.doc, definition.section];
    });
    return [
      `## ${service.name}\n`,
      table(["Resource", "What it is", "Specification"], rows),
      ...functionTable(service, functions),
    ];
  });
  return [
    headerOf(""),
    "# Reference\n",
    "Every resource with its inputs, outputs and rules. How services are reached: [configuration](configuration.md). Every endpoint of the specification, and what uses it: [endpoints](endpoints.md). What a token needs, and policies: [rights](rights.md).\n",
    ...sections,
  ].join("\n");
}

function functionTable(service: Service, functions: readonly FunctionDefinition[]): string[] {
  const own = functions.filter((definition) => definition.service === service);
  if (own.length === 0) return [];
  const page = functionPageName(service.name);
  const rows = own.map((definition) => {
    const { type: name } = partsOf(definition);
    return [`[${service.name}.${name}](${page}#${name.toLowerCase()})`, definition.doc, definition.section];
  });
  return [table(["Function", "What it answers", "Specification"], rows)];
}
