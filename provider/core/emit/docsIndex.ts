import type { Described } from "../define";
import { pageName } from "./docs";
import { headerOf, table } from "./markdown";
import { servicesOf } from "./schema";
import { partsOf } from "./shape";

/** The reference's first page: every resource by service, and where the rest is. */
export function referenceIndex(definitions: readonly Described[]): string {
  const sections = servicesOf(definitions).flatMap((service) => {
    const own = definitions.filter((definition) => definition.service === service);
    const rows = own.map((definition) => {
      const { type } = partsOf(definition);
      return [`[${service.name}.${type}](${pageName(definition)})`, definition.doc, definition.section];
    });
    return [`## ${service.name}\n`, table(["Resource", "What it is", "Specification"], rows)];
  });
  return [
    headerOf(""),
    "# Reference\n",
    "Every resource with its inputs, outputs and rules. How services are reached: [configuration](configuration.md).\n",
    ...sections,
  ].join("\n");
}
