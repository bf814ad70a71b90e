import { isDeepStrictEqual } from "node:util";
import type { Members } from "../../json";
import type { ServiceId } from "./kinds/define";

/** What the service's own controller says of an entry; the time is the stub's. */
export interface Condition {
  readonly Type: string;
  readonly Status: "True" | "False" | "Unknown";
  readonly Reason: string;
  readonly Message: string;
  readonly Resource: Members | null;
  readonly LastTransitionTime: string;
}

/** An entry as it is written. */
export interface Draft {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly partition: string;
  /** In the service's own spelling, as its rules see it. */
  readonly body: Members;
  /** As reads show it: the same, or as it was sent where nothing is normalised. */
  readonly spelled: Members;
}

/** An entry as it is stored. Records are never changed in place. */
export interface Entry extends Draft {
  readonly createIndex: number;
  readonly modifyIndex: number;
  readonly conditions: readonly Condition[];
}

/** Services are exported from the primary datacenter only. */
const UNCOPIED = "exported-services";

type Entries = ReadonlyMap<string, Entry>;

/** The partition that is always there. */
export const DEFAULT_PARTITION = "default";

/** What the partitions of a datacenter have together. */
interface Held {
  index: number;
  /** By partition and kind, then by namespace and name. The inner maps are never changed in place. */
  readonly kinds: Map<string, Entries>;
}

/**
 * One datacenter: its entries, and the index that every change moves. It is looked at from one of its partitions, of which
 * none sees what another holds.
 */
export class Datacenter {
  readonly #held: Held;

  private constructor(
    held: Held,
    readonly partition: string,
  ) {
    this.#held = held;
  }

  static empty(index = 1): Datacenter {
    return new Datacenter({ index, kinds: new Map() }, DEFAULT_PARTITION);
  }

  get index(): number {
    return this.#held.index;
  }

  /** Every partition that holds anything, or held it. */
  get partitions(): readonly Datacenter[] {
    const names = [...this.#held.kinds.keys()].map((key) => key.slice(0, key.indexOf("/")));
    return [...new Set(names)].map((name) => this.in(name));
  }

  /** The same datacenter, looked at from another partition. */
  in(partition: string): Datacenter {
    return new Datacenter(this.#held, partition);
  }

  /** The same, later changes to this one aside. */
  copy(): Datacenter {
    const { index, kinds } = this.#held;
    return new Datacenter({ index, kinds: new Map(kinds) }, this.partition);
  }

  /** This one holding what another holds, but for the kinds that are copied nowhere; each keeps to its own indexes. */
  withEntriesOf(other: Datacenter): Datacenter {
    const next = this.copy();
    for (const key of new Set([...this.#held.kinds.keys(), ...other.#held.kinds.keys()])) {
      const [partition = "", kind = ""] = key.split("/");
      if (kind === UNCOPIED) continue;
      const own = next.in(partition);
      const here = this.in(partition);
      const there = other.in(partition);
      for (const entry of there.ofKind(kind)) own.#copy(entry);
      for (const entry of here.ofKind(kind)) if (there.find(kind, entry) === undefined) own.remove(entry);
    }
    return next;
  }

  #copy({ modifyIndex: _, ...entry }: Entry): void {
    const before = this.find(entry.kind, entry);
    const isSame =
      before !== undefined &&
      isDeepStrictEqual([before.spelled, before.conditions], [entry.spelled, entry.conditions]);
    if (!isSame) this.#store({ ...entry, createIndex: before?.createIndex ?? this.index + 1 });
  }

  find(kind: string, { name, namespace }: ServiceId): Entry | undefined {
    return this.#held.kinds.get(this.#placeOf(kind))?.get(keyOf(namespace, name));
  }

  /** In the order of their namespaces and names. `*` is every namespace. */
  ofKind(kind: string, namespace = "*"): readonly Entry[] {
    return [...(this.#held.kinds.get(this.#placeOf(kind))?.values() ?? [])]
      .filter((entry) => namespace === "*" || entry.namespace === namespace)
      .sort((a, b) => compare(a.namespace, b.namespace) || compare(a.name, b.name));
  }

  store(draft: Draft): void {
    const before = this.find(draft.kind, draft);
    this.#store({
      ...draft,
      createIndex: before?.createIndex ?? this.index + 1,
      conditions: before?.conditions ?? [],
    });
  }

  /** The entry's index moves with no user's change; so do its conditions, where they are given. */
  touch(entry: Entry, conditions: readonly Condition[] = entry.conditions): void {
    this.#store({ ...entry, conditions });
  }

  remove({ kind, namespace, name }: Draft): void {
    const entries = new Map(this.#held.kinds.get(this.#placeOf(kind)));
    if (!entries.delete(keyOf(namespace, name))) return;
    this.#held.index++;
    this.#held.kinds.set(this.#placeOf(kind), entries);
  }

  /** Every entry by namespace, kind and name, with its partition in front where that is none that is always there. */
  dump(): unknown {
    const named = [...this.#held.kinds.values()]
      .flatMap((each) => [...each.values()])
      .map((entry) => {
        const { partition, namespace, kind, name } = entry;
        const place = partition === DEFAULT_PARTITION ? namespace : `${partition}@${namespace}`;
        return [`${place}/${kind}/${name}`, entry];
      });
    return { index: this.index, entries: Object.fromEntries(named) };
  }

  #store(entry: Omit<Entry, "modifyIndex">): void {
    const { kinds } = this.#held;
    this.#held.index++;
    const place = this.#placeOf(entry.kind);
    const entries = new Map(kinds.get(place));
    const key = keyOf(entry.namespace, entry.name);
    kinds.set(place, entries.set(key, { ...entry, modifyIndex: this.index }));
  }

  /** Neither holds a slash. */
  #placeOf(kind: string): string {
    return `${this.partition}/${kind}`;
  }
}

/** A namespace holds no slash, so two entries of a kind never share a key. */
function keyOf(namespace: string, name: string): string {
  return `${namespace}/${name}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
