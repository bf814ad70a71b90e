/** How often a method of a prototype is called while a function runs: a measure of work that no machine changes. */
export function countedCalls<Owner extends object>(
  owner: Owner,
  name: keyof Owner & string,
  run: () => void,
): number {
  const own = Object.getOwnPropertyDescriptor(owner, name);
  if (own === undefined || typeof own.value !== "function") throw new Error(`there is no method ${name}`);
  const method: (...args: unknown[]) => unknown = own.value;
  let calls = 0;
  function counting(this: unknown, ...args: unknown[]): unknown {
    calls += 1;
    return method.apply(this, args);
  }
  Object.defineProperty(owner, name, { ...own, value: counting });
  try {
    run();
  } finally {
    Object.defineProperty(owner, name, own);
  }
  return calls;
}
