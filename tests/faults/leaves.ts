import { isObject, type Json } from "../../provider/core/value/json";

/**
 * Every value in a dump by its path. The path of an element in a list of scalars contains its value, so that an
 * inserted element does not change the others. The order is a separate value.
 */
export function leavesOf(dump: string): ReadonlyMap<string, string> {
  const leaves = new Map<string, string>();
  const walk = (value: Json, at: string): void => {
    if (Array.isArray(value) && value.length > 0 && value.every(isPlain)) {
      const times = new Map<string, number>();
      for (const one of value.map(String)) {
        times.set(one, (times.get(one) ?? 0) + 1);
        leaves.set(`${at}[${one} ${times.get(one)}]`, one);
      }
      leaves.set(`${at}${ORDER}`, JSON.stringify(value.map(String)));
    } else if (Array.isArray(value)) for (const [index, one] of value.entries()) walk(one, `${at}[${index}]`);
    else if (isObject(value)) for (const [name, one] of Object.entries(value)) walk(one, `${at}.${name}`);
    else leaves.set(at, String(value));
  };
  // A dump is JSON.
  walk(JSON.parse(dump || "{}") as Json, "");
  return leaves;
}

const ORDER = "[order]";

/** Lists without a meaningful order: the consumers of a workspace's state. */
const SETS = /\.consumers\[order\]$/;

function isPlain(value: Json): boolean {
  return typeof value !== "object" || value === null;
}

/** Whether two lists have the same elements in a different order. Added and removed elements have their own paths. */
function isReordered(before = "[]", after = "[]"): boolean {
  const sorted = (list: string) => JSON.stringify((JSON.parse(list) as string[]).sort());
  return sorted(before) === sorted(after);
}

/** The values that differ in the second of two dumps; undefined for a removed value. */
export function changesBetween(before: string, after: string): ReadonlyMap<string, string | undefined> {
  const [was, is] = [leavesOf(before), leavesOf(after)];
  const changes = new Map<string, string | undefined>();
  for (const [at, value] of is) if (was.get(at) !== value) changes.set(at, value);
  for (const at of was.keys()) if (!is.has(at)) changes.set(at, undefined);
  for (const at of changes.keys())
    if (SETS.test(at) || (at.endsWith(ORDER) && !isReordered(was.get(at), is.get(at)))) changes.delete(at);
  return changes;
}

/** Whether all changed values still exist. */
export function stillExist(changes: ReadonlyMap<string, string | undefined>, dump: string): boolean {
  const now = leavesOf(dump);
  return [...changes].every(([at, value]) => now.get(at) === value);
}
