import { isDeepStrictEqual } from "node:util";
import type { Members } from "../../json";
import type { ServiceId } from "./kinds/define";

/** A condition that the controller sets on an entry; its time is by the mock server's clock. */
export interface Condition {
  readonly Type: string;
  readonly Status: "True" | "False" | "Unknown";
  readonly Reason: string;
  readonly Message: string;
  readonly Resource: Members | null;
  readonly LastTransitionTime: string;
}

/** An entry before it is stored. */
export interface Draft {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly partition: string;
  /** The normalized form, which the rules check. */
  readonly body: Members;
  /** The form that reads show: the normalized one, or the sent one if normalization is off. */
  readonly spelled: Members;
}

/** A stored entry. Records are immutable. */
export interface Entry extends Draft {
  readonly createIndex: number;
  readonly modifyIndex: number;
  readonly conditions: readonly Condition[];
}

/** Only the primary datacenter exports services. */
const UNCOPIED = "exported-services";

type Entries = ReadonlyMap<string, Entry>;

/** A stored object other than an entry: the members that the server returns. Records are immutable. */
export interface Stored {
  readonly CreateIndex: number;
  readonly ModifyIndex: number;
}

/** The partition that always exists. */
export const DEFAULT_PARTITION = "default";

/** The state that the partitions of a datacenter share. */
interface Held {
  index: number;
  /** By partition and kind, then by namespace and name. The inner maps are immutable. */
  readonly kinds: Map<string, Entries>;
  /** Objects other than entries, by table and key. The inner maps are immutable. */
  readonly tables: Map<string, ReadonlyMap<string, Stored>>;
}

/**
 * One datacenter, seen from one of its partitions: its entries, and the index that every change increments. No partition
 * sees another partition's entries.
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
    return new Datacenter({ index, kinds: new Map(), tables: new Map() }, DEFAULT_PARTITION);
  }

  get index(): number {
    return this.#held.index;
  }

  /** Every partition that has or had entries. */
  get partitions(): readonly Datacenter[] {
    const names = [...this.#held.kinds.keys()].map((key) => key.slice(0, key.indexOf("/")));
    return [...new Set(names)].map((name) => this.in(name));
  }

  /** The same datacenter, seen from another partition. */
  in(partition: string): Datacenter {
    return new Datacenter(this.#held, partition);
  }

  /** A copy that later changes to this datacenter do not affect. */
  copy(): Datacenter {
    const { index, kinds, tables } = this.#held;
    return new Datacenter({ index, kinds: new Map(kinds), tables: new Map(tables) }, this.partition);
  }

  /**
   * A copy of this datacenter with the entries of another, except the kinds that are not replicated. Each datacenter uses
   * its own indexes.
   */
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

  /** Ordered by namespace and name. `*` means every namespace. */
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

  /** Increments the entry's index without a user's write, and replaces its conditions if given. */
  touch(entry: Entry, conditions: readonly Condition[] = entry.conditions): void {
    this.#store({ ...entry, conditions });
  }

  remove({ kind, namespace, name }: Draft): void {
    const entries = new Map(this.#held.kinds.get(this.#placeOf(kind)));
    if (!entries.delete(keyOf(namespace, name))) return;
    this.#held.index++;
    this.#held.kinds.set(this.#placeOf(kind), entries);
  }

  /** The objects of a table by key. Each table has only objects of one type. */
  table<Object extends Stored>(name: string): ReadonlyMap<string, Object> {
    return (this.#held.tables.get(name) ?? new Map()) as ReadonlyMap<string, Object>;
  }

  /** Stores an object with the index of this write, and returns it. */
  put<Members extends object>(table: string, key: string, members: Members): Members & Stored {
    this.#held.index++;
    const { index } = this.#held;
    const before = this.table(table).get(key);
    const stored = { ...members, CreateIndex: before?.CreateIndex ?? index, ModifyIndex: index };
    this.#held.tables.set(table, new Map([...this.table(table), [key, stored]]));
    return stored;
  }

  drop(table: string, key: string): void {
    const objects = new Map(this.table(table));
    if (!objects.delete(key)) return;
    this.#held.index++;
    this.#held.tables.set(table, objects);
  }

  /** Every entry by namespace, kind and name, prefixed with its partition unless that is the default one. */
  dump(): unknown {
    const named = [...this.#held.kinds.values()]
      .flatMap((each) => [...each.values()])
      .map((entry) => {
        const { partition, namespace, kind, name } = entry;
        const place = partition === DEFAULT_PARTITION ? namespace : `${partition}@${namespace}`;
        return [`${place}/${kind}/${name}`, entry];
      });
    const tables = [...this.#held.tables].map(([name, objects]) => [name, Object.fromEntries(objects)]);
    return { index: this.index, entries: Object.fromEntries(named), ...Object.fromEntries(tables) };
  }

  #store(entry: Omit<Entry, "modifyIndex">): void {
    const { kinds } = this.#held;
    this.#held.index++;
    const place = this.#placeOf(entry.kind);
    const entries = new Map(kinds.get(place));
    const key = keyOf(entry.namespace, entry.name);
    kinds.set(place, entries.set(key, { ...entry, modifyIndex: this.index }));
  }

  /** Neither part contains a slash. */
  #placeOf(kind: string): string {
    return `${this.partition}/${kind}`;
  }
}

/** A namespace contains no slash, so two entries of a kind never share a key. */
function keyOf(namespace: string, name: string): string {
  return `${namespace}/${name}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
