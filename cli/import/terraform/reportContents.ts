import type { Proposed } from "../../../provider/core/bridge/proposed";
import { formatPath } from "../../../provider/core/value/path";
import { nameKey } from "../../list/names";
import { type Program, settingsOf } from "../../programs/program";
import { serviceOf } from "../../state/deployment";
import { secretCommand } from "../adoptStatement";
import { mappingOf, secretDocumentOf } from "./mappings";
import type { ImportedResource, Reason } from "./migration";
import type { SourceObject } from "./source";

const firstAddress = ({ sources: [{ address }] }: ImportedResource) => address;

/** The secret settings of a program, and the object that each belongs to. */
export function secretsOf({ statements }: Program, added: readonly ImportedResource[]): Reason[] {
  const byName = new Map(added.map((imported) => [nameKey(imported.type, imported.label), imported]));
  return statements.flatMap((statement) => {
    const imported =
      statement.kind === "resource" ? byName.get(nameKey(statement.token, statement.label)) : undefined;
    if (imported === undefined) return [];
    const settings = settingsOf({ statements: [statement] });
    return settings.map((setting) => ({
      address: firstAddress(imported),
      why: `\`${secretCommand(setting)}\``,
    }));
  });
}

/** The secret properties of imported resources, which the program of an import does not contain. */
export function secretsToSet(
  added: readonly ImportedResource[],
  proposals: ReadonlyMap<ImportedResource, Proposed>,
): Reason[] {
  return added.flatMap((imported) =>
    (proposals.get(imported)?.secrets ?? []).map((path) => ({
      address: firstAddress(imported),
      why: `set \`${formatPath(path)}\` of the resource ${JSON.stringify(imported.label)} to its current value`,
    })),
  );
}

/** The services of the imported objects, by the provider alias that becomes a connection. */
export function connectionsOf(
  imports: readonly ImportedResource[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const services = new Map<string, Set<string>>();
  for (const { type, sources } of imports) {
    for (const { alias } of sources) {
      if (alias === undefined) continue;
      services.set(alias, (services.get(alias) ?? new Set()).add(serviceOf(type)));
    }
  }
  return services;
}

/** The differences of types, and the write-only arguments of resources, which no state contains. */
export function notesOf(imports: readonly ImportedResource[]): Reason[] {
  const sources = [...new Set(imports.flatMap((imported) => imported.sources))];
  const notes = sources.flatMap((source) => [
    ...[mappingOf(source.type)?.note].flatMap((why) =>
      why === undefined ? [] : [{ address: source.type, why }],
    ),
    ...[secretDocumentOf(source)].flatMap((document) =>
      document === undefined
        ? []
        : [
            {
              address: source.address,
              why: `a part of it is sensitive, so \`${document.property}\` is a secret: set it to the output of \`${document.shownBy}\``,
            },
          ],
    ),
    ...writeOnlyArguments(source).map((name) => ({
      address: source.resource,
      why: `\`${name}\` is write-only: no state contains it, so set it in the program`,
    })),
  ]);
  return [...new Map(notes.map((note) => [`${note.address} ${note.why}`, note])).values()];
}

/** Terraform stores a version for each write-only argument: `password_wo_version` for `password_wo`. */
function writeOnlyArguments({ attributes }: SourceObject): string[] {
  return Object.entries(attributes).flatMap(([name, value]) => {
    const argument = /^(.+_wo)_version$/.exec(name)?.[1];
    return argument === undefined || value === null ? [] : [argument];
  });
}
