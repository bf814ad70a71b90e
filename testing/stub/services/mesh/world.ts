import type { Members } from "./json";
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

/** One datacenter: its entries, and the index that every change moves. */
export class Datacenter {
  #index: number;
  readonly #entries: Map<string, Entry>;

  constructor(index = 1, entries: ReadonlyMap<string, Entry> = new Map()) {
    this.#index = index;
    this.#entries = new Map(entries);
  }

  get index(): number {
    return this.#index;
  }

  /** The same, later changes to this one aside. */
  copy(): Datacenter {
    return new Datacenter(this.#index, this.#entries);
  }

  find(kind: string, { name, namespace }: ServiceId): Entry | undefined {
    return this.#entries.get(keyOf(kind, namespace, name));
  }

  /** In the order of their namespaces and names. `*` is every namespace. */
  ofKind(kind: string, namespace = "*"): readonly Entry[] {
    return [...this.#entries.values()]
      .filter((entry) => entry.kind === kind && (namespace === "*" || entry.namespace === namespace))
      .sort((a, b) => compare(a.namespace, b.namespace) || compare(a.name, b.name));
  }

  store(draft: Draft): void {
    const before = this.find(draft.kind, draft);
    this.#keep({
      ...draft,
      createIndex: before?.createIndex ?? this.#index + 1,
      conditions: before?.conditions ?? [],
    });
  }

  /** The entry's index moves with no user's change; so do its conditions, where they are given. */
  touch(entry: Entry, conditions: readonly Condition[] = entry.conditions): void {
    this.#keep({ ...entry, conditions });
  }

  remove({ kind, namespace, name }: Draft): void {
    if (this.#entries.delete(keyOf(kind, namespace, name))) this.#index++;
  }

  dump(): unknown {
    return { index: this.#index, entries: Object.fromEntries(this.#entries) };
  }

  #keep(entry: Omit<Entry, "modifyIndex">): void {
    this.#index++;
    const key = keyOf(entry.kind, entry.namespace, entry.name);
    this.#entries.set(key, { ...entry, modifyIndex: this.#index });
  }
}

/** A namespace holds no slash and a kind neither, so two entries never share a key. */
function keyOf(kind: string, namespace: string, name: string): string {
  return `${namespace}/${kind}/${name}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
