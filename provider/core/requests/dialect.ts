import type { Dialect } from "../language/service";
import { isObject, type Json } from "../value/json";
import { lookUp, type Path, type Pattern } from "../value/path";

/** Renames members between the specification's names and a dialect's. The value itself is not touched. */
export function renameMembers<V>(value: V, dialect: Dialect, to: "dialect" | "specification"): V {
  if (dialect.members === undefined) return value;
  const table = to === "dialect" ? dialect.members : specifiedNames(dialect.members);
  // Renaming keeps the value's shape but for names, which V does not fix.
  return renamed(value as Json, [], table, to) as V;
}

/** `at` is in the specification's names on either way, as the patterns are. */
function renamed(
  value: Json,
  at: Path,
  table: Readonly<Record<Pattern, string>>,
  to: "dialect" | "specification",
): Json {
  if (Array.isArray(value)) return value.map((element, index) => renamed(element, [...at, index], table, to));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      const here = [...at, key];
      const name = lookUp(table, here) ?? key;
      return [name, renamed(member, to === "dialect" ? here : [...at, name], table, to)];
    }),
  );
}

/** A query with its parameters under a dialect's names. */
export function renameParameters<V>(
  query: Readonly<Record<string, V>>,
  { parameters = {} }: Dialect,
): Readonly<Record<string, V>> {
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [parameters[name] ?? name, value]));
}

const inverted = new WeakMap<object, Readonly<Record<Pattern, string>>>();

/** A dialect's table the other way round: its names where they stand, and what the specification calls them. */
function specifiedNames(members: Readonly<Record<Pattern, string>>): Readonly<Record<Pattern, string>> {
  const known = inverted.get(members);
  if (known !== undefined) return known;
  const table = Object.fromEntries(
    Object.entries(members).map(([pattern, name]) => {
      const parts = pattern.split(".");
      return [[...parts.slice(0, -1), name].join("."), parts.at(-1) ?? ""];
    }),
  );
  inverted.set(members, table);
  return table;
}
