/** An entry as it is stored; records are never changed in place. */
export interface Entry {
  readonly Kind: string;
  readonly Name: string;
  readonly [member: string]: unknown;
}

/** An entry with its indexes. */
export interface Stored {
  readonly entry: Entry;
  readonly namespace: string;
  readonly createIndex: number;
  readonly modifyIndex: number;
  /** How often the service has moved the entry's status by itself. */
  readonly touched: number;
}

/** One datacenter: its entries, and the index that every write moves. */
export class Datacenter {
  index = 1;
  /** The index of the latest deletion, for lists that wait. */
  deletedAt = 1;
  readonly entries: Map<string, Stored>;

  constructor(entries: ReadonlyMap<string, Stored> = new Map()) {
    this.entries = new Map(entries);
  }

  copy(): Datacenter {
    const copy = new Datacenter(this.entries);
    copy.index = this.index;
    copy.deletedAt = this.deletedAt;
    return copy;
  }

  find(namespace: string, kind: string, name: string): Stored | undefined {
    return this.entries.get(keyOf(namespace, kind, name));
  }

  ofKind(namespace: string, kind: string): readonly Stored[] {
    return [...this.entries.values()]
      .filter((stored) => stored.namespace === namespace && stored.entry.Kind === kind)
      .sort((a, b) => (a.entry.Name < b.entry.Name ? -1 : 1));
  }

  store(namespace: string, entry: Entry): Stored {
    const key = keyOf(namespace, entry.Kind, entry.Name);
    const before = this.entries.get(key);
    this.index++;
    const stored: Stored = {
      entry,
      namespace,
      createIndex: before?.createIndex ?? this.index,
      modifyIndex: this.index,
      touched: before?.touched ?? 0,
    };
    this.entries.set(key, stored);
    return stored;
  }

  /** The service moves an entry's status by itself. */
  touch(namespace: string, kind: string, name: string): void {
    const before = this.find(namespace, kind, name);
    if (before === undefined) throw new Error(`there is no ${kind} ${JSON.stringify(name)} to touch`);
    this.index++;
    const after = { ...before, modifyIndex: this.index, touched: before.touched + 1 };
    this.entries.set(keyOf(namespace, kind, name), after);
  }

  remove(namespace: string, kind: string, name: string): void {
    if (!this.entries.delete(keyOf(namespace, kind, name))) return;
    this.index++;
    this.deletedAt = this.index;
  }
}

function keyOf(namespace: string, kind: string, name: string): string {
  return `${namespace}/${kind}/${name}`;
}
