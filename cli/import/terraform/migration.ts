import type { Provider } from "../../../provider/core/bridge/provider";
import { listObjects, questionOf } from "../../../provider/core/functions/objects";
import { addressOf, idOf, knownAddress } from "../../../provider/core/language/address";
import type { AnyDefinition } from "../../../provider/core/language/resource";
import type { TakenNames } from "../../list/names";
import { definitionOf } from "../definitionOf";
import { labelsOf } from "./labels";
import { mappingOf } from "./mappings";
import { type Target, withoutMissing } from "./mappings/mapping";
import { onlyRegion } from "./regions";
import type { MigrationSource, SourceObject } from "./source";

/** An object of this package, and the objects of the other tool that describe it. */
export interface ImportedResource {
  /** For example `scheduler:Job`. */
  readonly type: string;
  readonly id: string;
  /** The resource's name in the program. */
  readonly label: string;
  readonly target: Target;
  /** The first one has the object itself; the others have parts of it. */
  readonly sources: readonly [SourceObject, ...SourceObject[]];
}

/** An address or a type of the other tool, and what the user has to know about it. */
export interface Reason {
  readonly address: string;
  readonly why: string;
}

/** The resources of a migration, and the objects that are not migrated. */
export interface Migration {
  readonly imports: readonly ImportedResource[];
  readonly skipped: readonly Reason[];
}

/** A target with its ID, and the object that it comes from. */
interface Resolved {
  readonly type: string;
  readonly id: string;
  readonly target: Target;
  readonly source: SourceObject;
}

/**
 * Finds the object of this package for each managed object of another tool, and its ID. It reads only lists, and only for
 * objects whose ID is not in the state.
 * @param used the names of the resources in the stack
 */
export async function migrationOf(
  { objects }: MigrationSource,
  host: Provider,
  used: TakenNames = new Set(),
): Promise<Migration> {
  const resolver = new Resolver(host);
  const resolved: Resolved[] = [];
  const skipped: Reason[] = [];
  for (const source of objects) {
    if (source.mode === "data") continue;
    const found = await resolver.resolve(source);
    if ("why" in found) skipped.push({ address: source.address, why: found.why });
    else resolved.push(...found.targets);
  }
  const groups = Map.groupBy(resolved, ({ type, id }) => JSON.stringify([type, id]));
  const merged = [...groups.values()].map((group) => {
    const [first, ...rest] = [...group].sort((one, other) => partNumber(one) - partNumber(other));
    // A group has at least one element.
    const { type, id, target, source } = first as Resolved;
    return {
      type,
      id,
      target,
      sources: [source, ...rest.map((each) => each.source)] as ImportedResource["sources"],
    };
  });
  const labels = labelsOf(merged, used);
  return {
    imports: merged.map((imported, index) => ({ ...imported, label: labels[index] ?? imported.id })),
    skipped,
  };
}

/**
 * Removes objects that could be migrated only in part: the other tool and this package would both manage them.
 */
export function withoutPartial({ imports, skipped }: Migration): Migration {
  const addresses = new Set(skipped.map(({ address }) => address));
  const partial = imports.filter(({ sources }) => sources.some(({ address }) => addresses.has(address)));
  if (partial.length === 0) return { imports, skipped };
  const others = partial.flatMap(({ type, sources }) =>
    sources.flatMap(({ address }) =>
      addresses.has(address) ? [] : [{ address, why: `another part of its ${type} is skipped` }],
    ),
  );
  return withoutPartial({
    imports: imports.filter((imported) => !partial.includes(imported)),
    skipped: [...skipped, ...new Map(others.map((one) => [one.address, one])).values()],
  });
}

const partNumber = ({ source }: Resolved) => Number(mappingOf(source.type)?.isPart ?? false);

/** Computes IDs, and asks the servers' lists for those that the state does not contain. */
class Resolver {
  private readonly lists = new Map<string, Promise<ReadonlyMap<string, string>>>();
  private readonly regions = new Map<string | undefined, Promise<string | undefined>>();

  constructor(private readonly host: Provider) {}

  async resolve(source: SourceObject): Promise<{ targets: readonly Resolved[] } | { why: string }> {
    if (source.unusable !== undefined) return { why: source.unusable };
    const mapping = mappingOf(source.type);
    if (mapping === undefined) return { why: "this package has no resource for this type" };
    const targets = mapping.targets(source.attributes);
    if (targets.length === 0) return { why: "this package has no resource for this object" };
    try {
      const resolved = targets.map(async (target): Promise<Resolved> => {
        return { type: target.token, id: await this.idOf(target, source.alias), target, source };
      });
      return { targets: await Promise.all(resolved) };
    } catch (error) {
      // Errors of connections and lists are written for users.
      return { why: (error as Error).message };
    }
  }

  /** @throws Error if the list does not contain the object */
  private async idOf({ token, address, listedAs }: Target, alias: string | undefined): Promise<string> {
    const definition = definitionOf(token);
    const connection = this.host.connection(definition.service, alias);
    const { id } = definition.where;
    if (listedAs !== undefined) {
      const realm = id.realm === undefined ? undefined : address[id.realm];
      const found = (await this.listOf(definition, alias, realm)).get(listedAs);
      if (found === undefined) throw new Error(`the server has no ${token} ${JSON.stringify(listedAs)}`);
      return found;
    }
    const said = withoutMissing(address);
    const complete = { ...knownAddress(addressOf(definition, connection, said)), ...said };
    const asked = { ...address };
    const { region } = asked;
    if (id.realm === "region" && region !== undefined && region === (await this.onlyRegion(alias)))
      delete asked.region;
    return idOf(definition, connection, complete, asked);
  }

  private onlyRegion(alias: string | undefined): Promise<string | undefined> {
    const known = this.regions.get(alias) ?? onlyRegion(this.host, alias);
    this.regions.set(alias, known);
    return known;
  }

  /** The IDs of a type's objects by their names. */
  private listOf(definition: AnyDefinition, alias: string | undefined, realm: string | undefined) {
    const key = JSON.stringify([definition.token, alias, realm]);
    const known = this.lists.get(key) ?? this.list(definition, alias, realm);
    this.lists.set(key, known);
    return known;
  }

  private async list(definition: AnyDefinition, alias: string | undefined, realm: string | undefined) {
    const question = questionOf(definition);
    const name = definition.where.id.realm;
    if (question === undefined) throw new TypeError(`${definition.token} has no list`);
    const args = realm === undefined || name === undefined ? {} : { [name]: realm };
    const caller = { connection: this.host.connection(definition.service, alias), log: () => {} };
    const ids = new Map<string, string>();
    const size = Number.POSITIVE_INFINITY;
    for await (const object of listObjects(question, args, { size }, caller)) ids.set(object.name, object.id);
    return ids;
  }
}
