import { isObject } from "../../../json";
import type { FieldDiff } from "./records";

type Flat = ReadonlyMap<string, string>;

/**
 * The fields that differ; with `context`, the others too. Nested maps and lists are flattened to names such as `Meta[owner]`
 * and `args[0]`.
 */
export function fieldDiffs(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  context: boolean,
): readonly FieldDiff[] {
  const [old, next] = [flatten(before), flatten(after)];
  const names = [...new Set([...old.keys(), ...next.keys()])].sort();
  return names.flatMap((name) => {
    const diff = fieldDiff(name, old.get(name) ?? "", next.get(name) ?? "");
    return diff.Type === "None" && !context ? [] : [diff];
  });
}

function fieldDiff(name: string, before: string, after: string): FieldDiff {
  const changed = before === "" ? "Added" : after === "" ? "Deleted" : "Edited";
  return {
    Type: before === after ? "None" : changed,
    Name: name,
    Old: before,
    New: after,
    Annotations: null,
  };
}

function flatten(document: Readonly<Record<string, unknown>>): Flat {
  return new Map(Object.entries(document).flatMap(([name, value]) => flattenField(name, value)));
}

function flattenField(name: string, value: unknown): readonly (readonly [string, string])[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => flattenField(`${name}[${index}]`, item));
  if (isObject(value))
    return Object.entries(value).flatMap(([key, item]) => flattenField(`${name}[${key}]`, item));
  return [[name, value === null || value === undefined ? "" : String(value)]];
}
