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

/** One datacenter: its entries, and the index that every change moves. */
export class Datacenter {
  #index: number;
  /** By kind, then by namespace and name. The inner maps are never changed in place. */
  readonly #kinds: Map<string, Entries>;

  constructor(index = 1, kinds: ReadonlyMap<string, Entries> = new Map()) {
    this.#index = index;
    this.#kinds = new Map(kinds);
  }

  get index(): number {
    return this.#index;
  }

  /** The same, later changes to this one aside. */
  copy(): Datacenter {
    return new Datacenter(this.#index, this.#kinds);
  }

  /** This one holding what another holds, but for the kinds that are copied nowhere; each keeps to its own indexes. */
  withEntriesOf(other: Datacenter): Datacenter {
    const next = this.copy();
    for (const kind of new Set([...this.#kinds.keys(), ...other.#kinds.keys()])) {
      if (kind === UNCOPIED) continue;
      for (const entry of other.ofKind(kind)) next.#copy(entry);
      for (const entry of this.ofKind(kind)) if (other.find(kind, entry) === undefined) next.remove(entry);
    }
    return next;
  }

  #copy({ modifyIndex: _, ...entry }: Entry): void {
    const before = this.find(entry.kind, entry);
    const isSame =
      before !== undefined &&
      isDeepStrictEqual([before.spelled, before.conditions], [entry.spelled, entry.conditions]);
    if (!isSame) this.#store({ ...entry, createIndex: before?.createIndex ?? this.#index + 1 });
  }

  find(kind: string, { name, namespace }: ServiceId): Entry | undefined {
    return this.#kinds.get(kind)?.get(keyOf(namespace, name));
  }

  /** In the order of their namespaces and names. `*` is every namespace. */
  ofKind(kind: string, namespace = "*"): readonly Entry[] {
    return [...(this.#kinds.get(kind)?.values() ?? [])]
      .filter((entry) => namespace === "*" || entry.namespace === namespace)
      .sort((a, b) => compare(a.namespace, b.namespace) || compare(a.name, b.name));
  }

  store(draft: Draft): void {
    const before = this.find(draft.kind, draft);
    this.#store({
      ...draft,
      createIndex: before?.createIndex ?? this.#index + 1,
      conditions: before?.conditions ?? [],
    });
  }

  /** The entry's index moves with no user's change; so do its conditions, where they are given. */
  touch(entry: Entry, conditions: readonly Condition[] = entry.conditions): void {
    this.#store({ ...entry, conditions });
  }

  remove({ kind, namespace, name }: Draft): void {
    const entries = new Map(this.#kinds.get(kind));
    if (!entries.delete(keyOf(namespace, name))) return;
    this.#index++;
    this.#kinds.set(kind, entries);
  }

  /** Every entry by namespace, kind and name. */
  dump(): unknown {
    const entries = [...this.#kinds.values()].flatMap((each) => [...each.values()]);
    const named = entries.map((entry) => [`${entry.namespace}/${entry.kind}/${entry.name}`, entry]);
    return { index: this.#index, entries: Object.fromEntries(named) };
  }

  #store(entry: Omit<Entry, "modifyIndex">): void {
    this.#index++;
    const key = keyOf(entry.namespace, entry.name);
    const entries = new Map(this.#kinds.get(entry.kind));
    this.#kinds.set(entry.kind, entries.set(key, { ...entry, modifyIndex: this.#index }));
  }
}

/** A namespace holds no slash, so two entries of a kind never share a key. */
function keyOf(namespace: string, name: string): string {
  return `${namespace}/${name}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
