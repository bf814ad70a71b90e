import { definitionOf } from "../definitionOf";
import { hclText } from "./hcl";
import { mappingOf } from "./mappings";
import { textOf } from "./mappings/mapping";
import type { ImportedResource, Reason } from "./migration";
import type { MigrationSource, SourceObject } from "./source";

/** `import` blocks for a rollback to Terraform, and the objects that Terraform cannot import. */
export interface ImportBlocks {
  readonly text: string;
  readonly missing: readonly Reason[];
}

/** Writes an `import` block for each migrated object of Terraform. */
export function importBlocks(
  imports: readonly ImportedResource[],
  { objects }: MigrationSource,
): ImportBlocks {
  const byId = new Map(objects.map((object) => [`${object.type} ${textOf(object.attributes.id)}`, object]));
  const find = (type: string, id: string | undefined) => byId.get(`${type} ${id}`)?.attributes;
  const idsOf = new Map(
    imports.flatMap(({ type, id, sources }) => sources.map((source) => [source, { type, id }])),
  );
  const missing: Reason[] = [];
  const blocks = [...idsOf].flatMap(([source, { type, id: ownId }]) => {
    // The state has no organization if the provider's configuration names it.
    const parts = definitionOf(type).where.id.parse(ownId)?.address;
    const organization = textOf(source.attributes.organization) ?? parts?.organization ?? null;
    const id = importIdOf({ ...source, attributes: { ...source.attributes, organization } }, find);
    if (id === "none") missing.push({ address: source.address, why: "its provider cannot import this type" });
    else if (id === undefined)
      missing.push({ address: source.address, why: "the state does not contain all parts of its ID" });
    else return [`import {\n  to = ${source.address}\n  id = ${hclText(id)}\n}\n`];
    return [];
  });
  return { text: blocks.join("\n"), missing };
}

function importIdOf(
  { type, attributes }: SourceObject,
  find: (type: string, id: string | undefined) => SourceObject["attributes"] | undefined,
): string | undefined {
  const importId = mappingOf(type)?.importId;
  if (importId === "none") return "none";
  return importId === undefined ? textOf(attributes.id) : importId(attributes, find);
}
