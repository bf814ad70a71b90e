import { BoundedCache } from "./boundedCache";

/** How much text is remembered at a time, in characters. */
const MOST = 20_000_000;

/** How many characters a text counts for at least, so that of small ones not more are remembered than are in use at a time. */
const LEAST = 50_000;

/**
 * A function of a text that is computed once for each text, as long as the result is cached. The result is shared: nobody
 * may change it.
 */
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

/** The same for objects, as long as the object exists. Inputs and answers are such objects: nobody changes them. */
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
