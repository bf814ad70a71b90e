import { knownFactsOf } from "../language/facts";
import type { Values } from "../language/object";
import { isObject, type Json } from "../value/json";
import { isNamed, type Path, type Pattern } from "../value/path";
import type { FunctionDefinition } from "./define";

/**
 * A result in values that every JSON reader accepts. Indexes and hashes are always strings, so that their type never
 * changes. Any other integer is a string if a double would round it.
 */
export function plainAnswer({ result }: FunctionDefinition, answer: Values): Values {
  return Object.fromEntries(
    Object.entries(answer).map(([name, value]) => {
      const schema = result[name];
      return [name, plain(value, [], (schema && knownFactsOf(schema)?.indexes) ?? [])];
    }),
  );
}

function plain(value: Json, path: Path, indexes: readonly Pattern[]): Json {
  if (typeof value === "bigint") return String(value);
  if (typeof value === "number") return isNamed(indexes, path) ? String(value) : value;
  if (Array.isArray(value)) return value.map((element, index) => plain(element, [...path, index], indexes));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, plain(member, [...path, name], indexes)]),
  );
}
