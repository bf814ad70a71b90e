import { knownFactsOf } from "../language/facts";
import type { Values } from "../language/object";
import { isObject, type Json } from "../value/json";
import { isNamed, type Path, type Pattern } from "../value/path";
import type { FunctionDefinition } from "./define";

/**
 * An answer in values that every reader of JSON takes: indexes and hashes are text whatever their size, so that their
 * type never changes, and every other integer is text where a double would round it.
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

/** A function's answer. */
export interface Answer {
  readonly result: Values;
  /** Whether anything in it must be kept encrypted. */
  readonly isSecret: boolean;
}
