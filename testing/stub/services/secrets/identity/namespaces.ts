import type { StubResponse } from "../../../service";
import { absent } from "../errors";
import { answer, type Operation } from "../operation";
import type { Namespace } from "../world";

/** An item and the namespace that it belongs to. */
export interface Owned<Item> {
  readonly owner: Namespace;
  readonly item: Item;
}

/** The items that are "visible in the current and parent namespaces", the current one's first. */
export function visible<Item>(
  { world, namespace }: Operation,
  itemsOf: (namespace: Namespace) => ReadonlyMap<string, Item>,
): readonly Owned<Item>[] {
  return world
    .lineage(namespace)
    .flatMap((owner) => [...itemsOf(owner).values()].map((item) => ({ owner, item })));
}

/** The fields that identify an item's namespace. */
export function namespaceFields({ id, path }: Namespace): Readonly<Record<string, string>> {
  return { namespace_id: id, namespace_path: path === "" ? "" : `${path}/` };
}

/** A list of keys with information on each; throws a 404 for an empty one. */
export function answerList(
  operation: Operation,
  entries: readonly (readonly [key: string, info: unknown])[],
): StubResponse {
  if (entries.length === 0) throw absent();
  const info = new Map([...entries].reverse());
  return answer(operation, {
    keys: [...new Set(entries.map(([key]) => key))],
    key_info: Object.fromEntries(info),
  });
}
