import type { ImportedResource, Migration } from "./migration";
import type { MigrationSource, SourceObject } from "./source";

/** The direct references of a configuration: the resources that a resource refers to, both without instance keys. */
export type ReferencesByAddress = ReadonlyMap<string, ReadonlySet<string>>;

/** The objects that an imported resource depends on. */
export interface Dependencies {
  readonly imports: readonly ImportedResource[];
  /** Data sources. */
  readonly lookups: readonly SourceObject[];
}

/**
 * The dependencies of each imported resource: the state's, or those of the configuration if it contains the resource. The state's
 * are not only direct ones. If one object becomes several, the first one, such as a mount, comes before the others.
 */
export function dependenciesOf(
  { imports }: Migration,
  { objects }: MigrationSource,
  references: ReferencesByAddress | undefined,
): ReadonlyMap<ImportedResource, Dependencies> {
  const bySource = groupedBy(imports, (imported) => imported.sources.map(({ resource }) => resource));
  const mainOf = Map.groupBy(imports, ({ sources: [main] }) => main);
  const data = groupedBy(
    objects.filter(({ mode }) => mode === "data"),
    ({ resource }) => [resource],
  );
  return new Map(
    imports.map((imported) => {
      // A part of an object depends on the object itself.
      const own = new Set(imported.sources.map(({ resource }) => resource));
      const wanted = imported.sources.flatMap((source) =>
        [...(references?.get(source.resource) ?? source.dependencies)]
          .filter((resource) => !own.has(resource))
          .map((resource) => ({ source, resource })),
      );
      const found = wanted.flatMap(({ source, resource }) =>
        (bySource.get(resource) ?? []).filter(({ sources }) =>
          sources.some((other) => isNear(source, other)),
        ),
      );
      const [main] = imported.sources;
      const [first] = mainOf.get(main) ?? [];
      const before = first === undefined || first.type === imported.type ? [] : [first];
      const lookups = wanted.flatMap(({ source, resource }) =>
        (data.get(resource) ?? []).filter((other) => isNear(source, other)),
      );
      const unique = [...new Set([...before, ...found])].filter((other) => other !== imported);
      return [imported, { imports: unique, lookups: [...new Set(lookups)] }];
    }),
  );
}

/** Sorts resources so that each one follows its dependencies. */
export function sortByDependency(
  imports: readonly ImportedResource[],
  dependencies: ReadonlyMap<ImportedResource, Dependencies>,
): ImportedResource[] {
  const ordered = new Set<ImportedResource>();
  const entered = new Set<ImportedResource>();
  const visit = (imported: ImportedResource) => {
    if (entered.has(imported)) return;
    entered.add(imported);
    for (const other of dependencies.get(imported)?.imports ?? []) visit(other);
    ordered.add(imported);
  };
  for (const imported of imports) visit(imported);
  return [...ordered];
}

/** The dependencies of a resource that no other dependency implies. */
export function directDependencies(
  imported: ImportedResource,
  dependencies: ReadonlyMap<ImportedResource, Dependencies>,
): ImportedResource[] {
  const of = (each: ImportedResource) => dependencies.get(each)?.imports ?? [];
  const reachable = new Set<ImportedResource>();
  const visit = (each: ImportedResource) => {
    for (const other of of(each)) {
      if (reachable.has(other)) continue;
      reachable.add(other);
      visit(other);
    }
  };
  for (const other of of(imported)) visit(other);
  return of(imported).filter((other) => !reachable.has(other));
}

/** True if both objects are in the same instances of the modules that contain both. */
function isNear(one: SourceObject, other: SourceObject): boolean {
  for (const [index, call] of one.modules.entries()) {
    const theirs = other.modules[index];
    if (theirs === undefined || theirs.name !== call.name) return true;
    if (theirs.key !== call.key) return false;
  }
  return true;
}

function groupedBy<T>(values: readonly T[], keysOf: (value: T) => readonly string[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) {
    for (const key of new Set(keysOf(value))) {
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [value]);
      else group.push(value);
    }
  }
  return groups;
}
