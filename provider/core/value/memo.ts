/** The capacity of a text cache, in characters. */
const MOST = 20_000_000;

/** The minimum size that a text counts for. It limits how many small texts the cache contains. */
const LEAST = 50_000;

/** Memoizes a function of a text as long as the result is cached. Callers share the result and must not change it. */
export function memoByText<V>(read: (text: string) => V): (text: string) => V {
  const results = new BoundedCache<{ readonly value: V }>(MOST);
  return (text) => {
    const found = results.get(text);
    if (found !== undefined) return found.value;
    const value = read(text);
    results.set(text, { value }, Math.max(text.length, LEAST));
    return value;
  };
}

/** The same for objects, as long as the object exists. Inputs and responses are such objects: no one changes them. */
export function memoByObject<O extends object, V>(make: (object: O) => V): (object: O) => V {
  const known = new WeakMap<O, { readonly value: V }>();
  return (object) => {
    const found = known.get(object);
    if (found !== undefined) return found.value;
    const value = make(object);
    known.set(object, { value });
    return value;
  };
}

/** A cache with string keys and a limited size. It drops the least recently used entry first. */
export class BoundedCache<V> {
  private readonly entries = new Map<string, { readonly value: V; readonly size: number }>();
  private total = 0;

  /** @param most the limit, in the unit of the entries' sizes */
  constructor(private readonly most: number) {}

  get(key: string): V | undefined {
    const found = this.entries.get(key);
    if (found === undefined) return undefined;
    this.entries.delete(key);
    this.entries.set(key, found);
    return found.value;
  }

  set(key: string, value: V, size: number): void {
    this.drop(key);
    this.entries.set(key, { value, size });
    this.total += size;
    for (const oldest of this.entries.keys()) {
      if (this.total <= this.most) return;
      this.drop(oldest);
    }
  }

  private drop(key: string): void {
    this.total -= this.entries.get(key)?.size ?? 0;
    this.entries.delete(key);
  }
}
