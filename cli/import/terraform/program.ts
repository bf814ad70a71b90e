import type { Proposed } from "../../../provider/core/bridge/proposed";
import { ownMember } from "../../../provider/core/value/json";
import {
  type CallStatement,
  type Program,
  type ResourceStatement,
  referencedVariables,
  type Statement,
} from "../../programs/program";
import { adoptStatement, type FindReference } from "../adoptStatement";
import { definitionOf } from "../definitionOf";
import { componentOf, componentsOf } from "./components";
import {
  type Dependencies,
  dependenciesOf,
  directDependencies,
  type ReferencesByAddress,
  sortByDependency,
} from "./dependencies";
import { lookups, textsOf } from "./lookups";
import { secretDocumentOf } from "./mappings";
import type { ImportedResource } from "./migration";
import type { ReadMigration } from "./readMigration";
import { type Referred, referenceFinder } from "./references";
import type { MigrationSource, SourceObject } from "./source";
import { Variables } from "./variables";

interface ProgramOptions {
  /** The references of the configuration, if the user gave a plan. */
  readonly references?: ReferencesByAddress | undefined;
  /** True if modules become components. */
  readonly hasComponents: boolean;
}

/** Writes a program that adopts all objects of a migration, with references between them. */
export function migrationProgram(
  { migration, proposals }: ReadMigration,
  source: MigrationSource,
  { references, hasComponents }: ProgramOptions,
): Program {
  const dependencies = dependenciesOf(migration, source, references);
  const imports = sortByDependency(migration.imports, dependencies);
  const variables = new Variables();
  const components = hasComponents ? componentsOf(imports, variables) : [];
  const resources = new Map(
    imports.map((imported) => [imported, referredResource(imported, proposals, variables)]),
  );
  const data = new Set(imports.flatMap((imported) => dependencies.get(imported)?.lookups ?? []));
  const calls = new Map([...data].flatMap((object) => lookupCall(object, variables)));
  const statements = imports.map((imported): ResourceStatement & Statement => {
    const { imports: others = [], lookups: asked = [] } = dependencies.get(imported) ?? {};
    const known = [
      ...others.flatMap((other) => resources.get(other) ?? []),
      ...asked.flatMap((object) => calls.get(object)?.referred ?? []),
    ];
    const parent = hasComponents ? componentOf(imported, components) : undefined;
    return adoptStatement(
      { token: imported.type, label: imported.label, ...(parent !== undefined && { parent }) },
      withSecretDocument(imported, proposals.get(imported) as Proposed),
      secretsFirst(imported, referenceFinder(imported.type, known)),
    );
  });
  const complete = statements.map((statement, index) => {
    const dependsOn = remaining(statement, imports[index] as ImportedResource, dependencies, resources);
    return { ...statement, dependsOn };
  });
  const used = referencedVariables({ statements: complete });
  const asked = [...calls.values()].flatMap(({ statement }) =>
    used.has(statement.variable) ? [statement] : [],
  );
  const named = complete.map((statement, index) => {
    const { variable } = resources.get(imports[index] as ImportedResource) as Referred;
    return used.has(variable) ? { ...statement, variable } : statement;
  });
  return { components, statements: [...asked, ...named] };
}

/** A resource as others refer to it. */
function referredResource(
  imported: ImportedResource,
  proposals: ReadMigration["proposals"],
  variables: Variables,
): Referred {
  const { type: token, id, label, target } = imported;
  const parts = definitionOf(token).where.id.parse(id)?.address;
  const outputs = { ...proposals.get(imported)?.inputs, ...parts, ...target.outputs };
  return { token, outputs, variable: variables.choose(label, token) };
}

/** The function call for a data source; none if this package has no function for it. */
function lookupCall(
  data: SourceObject,
  variables: Variables,
): [SourceObject, { readonly referred: Referred; readonly statement: CallStatement & Statement }][] {
  const lookup = ownMember(lookups, data.type);
  if (lookup === undefined) return [];
  const { token, finds } = lookup;
  const variable = variables.choose(data.name, finds);
  const connection = data.alias === undefined ? {} : { connection: data.alias };
  const args = Object.fromEntries(
    Object.entries({ ...textsOf(data.attributes, lookup.args), ...connection }).map(([name, text]) => [
      name,
      { kind: "text" as const, text },
    ]),
  );
  const referred = { token: finds, outputs: textsOf(data.attributes, lookup.outputs), variable };
  return [[data, { referred, statement: { kind: "call", token, variable, args, comment: [] } }]];
}

/** The variables of the direct dependencies that no property refers to. An optional object is not one. */
function remaining(
  statement: Statement,
  imported: ImportedResource,
  dependencies: ReadonlyMap<ImportedResource, Dependencies>,
  resources: ReadonlyMap<ImportedResource, Referred>,
): string[] {
  const own = referencedVariables({ statements: [statement] });
  const isReferred = (other: ImportedResource) => own.has(resources.get(other)?.variable ?? "");
  const all = dependencies.get(imported)?.imports ?? [];
  // A reference to one instance of a resource stands for the dependency on the resource.
  const referred = new Set(all.filter(isReferred).flatMap(resourcesOf));
  const isOpen = (other: ImportedResource) => !resourcesOf(other).some((one) => referred.has(one));
  return directDependencies(imported, dependencies)
    .filter((other) => other.target.isOptional !== true && isOpen(other))
    .flatMap((other) => resources.get(other)?.variable ?? []);
}

/** The source resources of an imported resource, each with its type here: all their instances count as one. */
const resourcesOf = ({ type, sources }: ImportedResource) =>
  sources.map(({ resource }) => `${type} ${resource}`);

/** The proposal with a document as one secret if a part of it is sensitive. */
function withSecretDocument({ sources }: ImportedResource, proposed: Proposed): Proposed {
  const properties = new Set(sources.flatMap((source) => secretDocumentOf(source)?.property ?? []));
  if (properties.size === 0) return proposed;
  const others = proposed.secrets.filter(([name]) => !properties.has(String(name)));
  return { ...proposed, secrets: [...others, ...[...properties].map((name) => [name])] };
}

/** Replaces each text that the source's state marks as sensitive with a secret setting; other texts with references. */
function secretsFirst({ label, sources }: ImportedResource, findReference: FindReference): FindReference {
  // A secret document is a setting as a whole. Its texts are not secret elsewhere: one of them can be the namespace.
  const others = sources.filter((source) => secretDocumentOf(source) === undefined);
  const sensitive = new Set(others.flatMap((source) => source.sensitive));
  const names = new Map<string, string>();
  const nameOf = (path: string, text: string) => {
    const known = names.get(text);
    if (known !== undefined) return known;
    const used = new Set(names.values());
    const own = `${label}.${path}`;
    let name = own;
    for (let number = 2; used.has(name); number += 1) name = `${own}-${number}`;
    names.set(text, name);
    return name;
  };
  return (path, text) =>
    sensitive.has(text)
      ? { kind: "setting", name: nameOf(path, text), isSecret: true, type: "text" }
      : findReference(path, text);
}
