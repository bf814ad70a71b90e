import type { Proposed } from "../../../provider/core/bridge/proposed";
import type { Provider } from "../../../provider/core/bridge/provider";
import { readObjects } from "../readObjects";
import { type ImportedResource, type Migration, type Reason, withoutPartial } from "./migration";

/** A migration whose objects exist, and the inputs of each resource as the server has them. */
export interface ReadMigration {
  readonly migration: Migration;
  readonly proposals: ReadonlyMap<ImportedResource, Proposed>;
}

/** Reads the objects of a migration. Objects that cannot be read are not migrated. */
export async function readMigration(
  { imports, skipped }: Migration,
  host: Provider,
  progress?: (done: number, all: number) => void,
): Promise<ReadMigration> {
  const readable = imports.filter(({ target }) => target.inputs === undefined);
  const results = new Map(
    (await readObjects(readable, host, progress)).map((result, index) => [readable[index], result] as const),
  );
  const proposals = new Map<ImportedResource, Proposed>();
  const unread: Reason[] = [];
  for (const imported of imports) {
    const result = results.get(imported) ?? unreadable(imported);
    const skip = (why: string) => unread.push(...imported.sources.map(({ address }) => ({ address, why })));
    if (result === "missing") {
      if (imported.target.isOptional !== true)
        skip(`${imported.type} ${imported.id} does not exist on the server`);
    } else if ("why" in result) skip(result.why);
    else proposals.set({ ...imported, id: result.id }, result);
  }
  const migration = withoutPartial({ imports: [...proposals.keys()], skipped: [...skipped, ...unread] });
  return { migration, proposals };
}

/** The inputs of an object that its server never returns. */
const unreadable = ({ id, target }: ImportedResource): Proposed => ({
  id,
  inputs: { ...target.inputs },
  secrets: (target.secretInputs ?? []).map((name) => [name]),
});
