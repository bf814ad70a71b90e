import { BoundedCache } from "./boundedCache";

/** How much text is remembered at a time, in characters. */
const MOST = 20_000_000;

/**
 * A reading of texts that reads the same text once, as long as it is remembered. What it yields is shared: nobody may
 * change it.
 */
export function memoByText<V>(read: (text: string) => V): (text: string) => V {
  const known = new BoundedCache<{ readonly value: V }>(MOST);
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found.value;
    const value = read(text);
    known.set(text, { value }, text.length);
    return value;
  };
}

/** The same of objects, as long as there are any. They are what a program or an answer holds, which nobody changes. */
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
