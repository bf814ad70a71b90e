import { isObject, type Json } from "../../provider/core/value/json";

/** Every value in a dump by where it stands. */
export function leavesOf(dump: string): ReadonlyMap<string, string> {
  const leaves = new Map<string, string>();
  const walk = (value: Json, at: string): void => {
    if (Array.isArray(value)) for (const [index, one] of value.entries()) walk(one, `${at}[${index}]`);
    else if (isObject(value)) for (const [name, one] of Object.entries(value)) walk(one, `${at}.${name}`);
    else leaves.set(at, String(value));
  };
  // A dump is JSON.
  walk(JSON.parse(dump) as Json, "");
  return leaves;
}

/** What is another in the second of two dumps; undefined for what is there no more. */
export function movedBetween(before: string, after: string): ReadonlyMap<string, string | undefined> {
  const [was, is] = [leavesOf(before), leavesOf(after)];
  const moved = new Map<string, string | undefined>();
  for (const [at, value] of is) if (was.get(at) !== value) moved.set(at, value);
  for (const at of was.keys()) if (!is.has(at)) moved.set(at, undefined);
  return moved;
}

/** Whether everything that moved is still as it was moved. */
export function isHeld(moved: ReadonlyMap<string, string | undefined>, dump: string): boolean {
  const now = leavesOf(dump);
  return [...moved].every(([at, value]) => now.get(at) === value);
}
