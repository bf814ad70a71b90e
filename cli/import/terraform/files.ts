import { fieldNamed } from "../../../provider/core/language/fields";
import type { ListInputs } from "../../list/discover";
import { objectKey } from "../../list/discover";
import { type Setting, settingsOf } from "../../programs/program";
import { inTypeScript } from "../../programs/typescript";
import { definitionOf } from "../definitionOf";
import importFile from "../importFile";
import type { ReferencesByAddress } from "./dependencies";
import { importBlocks } from "./importBlocks";
import { type ImportedResource, type Migration, migrationOf, type Reason, withoutPartial } from "./migration";
import { migrationProgram } from "./program";
import { readMigration } from "./readMigration";
import { removalOf, shellText } from "./removal";
import { reportText } from "./report";
import { connectionsOf, notesOf, secretsOf, secretsToSet } from "./reportContents";
import type { MigrationSource } from "./source";

export interface MigrationOptions extends Pick<ListInputs, "host" | "names" | "known"> {
  /** The references of the configuration, if the user gave a plan. */
  readonly references?: ReferencesByAddress | undefined;
  /** The folder for the files, as the report names it. */
  readonly outDir: string;
  /** False: an import file instead of a program. */
  readonly hasProgram: boolean;
  readonly hasComponents: boolean;
  /** True for the types to migrate. Default: all. */
  readonly isSelected?: (token: string) => boolean;
  readonly progress?: ((done: number, all: number) => void) | undefined;
}

/** The files of a migration by name, and what they contain. */
export interface MigrationFiles {
  readonly files: ReadonlyMap<string, string>;
  readonly imports: readonly ImportedResource[];
  /** How many of the resources are in the stack already. */
  readonly inStack: number;
  readonly skipped: readonly Reason[];
  /** The secret settings that the program reads. */
  readonly settings: readonly Setting[];
}

/** An element of `resources.json`: a Terraform address and the resource that it became. */
export interface ImportedAddress {
  readonly address: string;
  readonly type: string;
  readonly name: string;
  readonly id: string;
}

/**
 * Finds and reads the objects of another tool, and writes the files of their migration. It writes nothing to a server. Resources
 * that the stack contains already, after an earlier migration, are in all files except the program.
 */
export async function migrationFiles(
  source: MigrationSource,
  options: MigrationOptions,
): Promise<MigrationFiles> {
  const { host, names, known, hasProgram, hasComponents, references, outDir, progress } = options;
  const found = selectedOf(await migrationOf(source, host, names), options);
  const read = await readMigration(found, host, progress);
  const { skipped } = read.migration;
  const imports = read.migration.imports.map((imported) => ({
    ...imported,
    label: known.get(objectKey(imported.type, imported.id)) ?? imported.label,
  }));
  const added = read.migration.imports.filter(({ type, id }) => !known.has(objectKey(type, id)));
  const program = migrationProgram({ ...read, migration: { imports: added, skipped } }, source, {
    references,
    hasComponents,
  });
  const settings = hasProgram ? settingsOf(program) : [];
  const migrated = new Set(imports.flatMap(({ sources }) => sources.map(({ address }) => address)));
  const removal = source.tool === "pulumi" ? undefined : removalOf(source, migrated);
  const back = source.tool === "pulumi" ? undefined : importBlocks(imports, source);
  const files = new Map(
    Object.entries({
      "index.ts": hasProgram && added.length > 0 ? inTypeScript(program) : "",
      "import.json": hasProgram || added.length === 0 ? "" : jsonText(importFile(added.map(importOf))),
      "removed.tf": removal?.blocks ?? "",
      "state-rm.sh": removal?.script ?? "",
      "state-delete.sh": source.tool === "pulumi" ? deleteScript(imports) : "",
      "import.tf": back?.text ?? "",
      "resources.json": jsonText(importedAddresses(imports)),
    }).filter(([, text]) => text !== ""),
  );
  const inStack = imports.length - added.length;
  const report = reportText({
    tool: source.tool,
    outDir,
    hasProgram,
    imports,
    inStack,
    skipped,
    secrets: hasProgram ? secretsOf(program, added) : secretsToSet(added, read.proposals),
    connections: connectionsOf(added),
    notes: notesOf(added),
    notImportable: back?.missing ?? [],
    files: new Set(files.keys()),
  });
  files.set("report.md", report);
  return { files, imports, inStack, skipped, settings };
}

const importOf = ({ type, label, id }: ImportedResource) => ({ type, name: label, id });

/** A migration without the objects that the user does not select, or that cannot be adopted. */
function selectedOf(migration: Migration, options: MigrationOptions): Migration {
  const imports: ImportedResource[] = [];
  const skipped = [...migration.skipped];
  for (const imported of migration.imports) {
    const why = whySkipped(imported, options);
    if (why === undefined) imports.push(imported);
    else for (const { address } of imported.sources) skipped.push({ address, why });
  }
  return withoutPartial({ imports, skipped });
}

function whySkipped(
  { type, id, target }: ImportedResource,
  { isSelected = () => true, known, hasProgram }: MigrationOptions,
): string | undefined {
  if (!isSelected(type)) return `${type} is not selected`;
  if (known.has(objectKey(type, id))) return undefined;
  // The program creates an object that no server returns; it cannot create any other object a second time.
  if (target.inputs !== undefined)
    return hasProgram ? undefined : `no server returns ${type}: use --program, which writes it again`;
  const canAdopt = fieldNamed(definitionOf(type), "adopt") !== undefined;
  return !hasProgram || canAdopt ? undefined : `a program cannot adopt ${type}: migrate it without --program`;
}

const jsonText = (value: unknown) => `${JSON.stringify(value, undefined, 2)}\n`;

const importedAddresses = (imports: readonly ImportedResource[]): ImportedAddress[] =>
  imports.flatMap(({ type, label, id, sources }) =>
    sources.map(({ address }) => ({ address, type, name: label, id })),
  );

function deleteScript(imports: readonly ImportedResource[]): string {
  const urns = new Set(imports.flatMap(({ sources }) => sources.map(({ address }) => address)));
  const lines = [...urns].reverse().map((urn) => `pulumi state delete --yes ${shellText(urn)}`);
  return ["#!/bin/sh", "set -e", ...lines, ""].join("\n");
}
