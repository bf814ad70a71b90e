import type { Values } from "../../provider/core/language/object";
import { isObject, type Json } from "../../provider/core/value/json";

/** Every value of an object by its path, and list elements by their value. Null, empty and undefined are equal. */
export function leavesOf(values: Values): Map<string, string> {
  return new Map(leavesIn(values, ""));
}

function leavesIn(value: Json | Values | undefined, path: string): [string, string][] {
  if (Array.isArray(value)) return value.map((element) => [`${path}[${JSON.stringify(element)}]`, "there"]);
  if (isObject(value)) {
    return Object.entries(value).flatMap(([name, member]) => leavesIn(member, `${path}.${name}`));
  }
  return value === undefined || value === null || value === "" ? [] : [[path, String(value)]];
}

/** The paths at which two objects differ. */
export function differingLeaves(a: Map<string, string>, b: Map<string, string>): string[] {
  return [...new Set([...a.keys(), ...b.keys()])].filter((path) => a.get(path) !== b.get(path));
}
