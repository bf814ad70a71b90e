import { isDeepStrictEqual } from "node:util";
import { formatJson, isObject, type Json, parseJson } from "../../provider/core/value/json";
import { type Leaf, MAP_KEY } from "./leaves";

export type Members = { readonly [member: string]: Json };

/**
 * What the objects around a leaf must contain. A pattern matches the resource, the path of an object and, after `>`, the
 * leaf's path inside it: `mesh:ServiceRouter Routes.Match.HTTP.Header>Exact`.
 */
export type Siblings = readonly (readonly [RegExp, Members])[];

/** Values by patterns of the resource and the path of the leaf: `mesh:ServiceRouter Routes.Match.HTTP.PathExact`. */
export type Values = readonly (readonly [RegExp, Json])[];

/** What a product requires of a request, so that the field of one leaf can be in it. */
export interface Requirements {
  readonly siblings: Siblings;
  readonly values: Values;
  /** Fields whose form in a request the schema does not describe, by resource. */
  readonly leaves: Readonly<Record<string, readonly Leaf[]>>;
}

export const parentOf = (path: string) => path.split(".").slice(0, -1).join(".");
export const nameOf = (path: string) => path.split(".").at(-1) ?? "";
export const isWithin = (path: string, above: string) => path === above || path.startsWith(`${above}.`);

/** A valid request with one leaf. */
export function bodyOf(token: string, { path, body }: Leaf, { siblings, values }: Requirements): Members {
  const own = values.findLast(([pattern]) => pattern.test(`${token} ${path}`))?.[1];
  const around = (value: Json, inside: string, rest: string): Json => {
    if (rest === "") return own === undefined ? value : inForm(value, own);
    if (Array.isArray(value)) return value.map((element) => around(element, inside, rest));
    const [[name, member] = ["", null]] = Object.entries(Object(value) as Members);
    if (name === MAP_KEY) return { [name]: around(member, inside, rest) };
    const next = around(member, [inside, name].filter(Boolean).join("."), rest.slice(name.length + 1));
    return siblings
      .filter(([pattern]) => pattern.test(`${token} ${inside}>${rest}`))
      .reduceRight<Json>((merged, [, members]) => merge(members, merged), { [name]: next });
  };
  // A request is an object.
  return around(body, "", path) as Members;
}

/** Another value in the form of a generated one: in a list, or in a map. */
function inForm(generated: Json, own: Json): Json {
  if (Array.isArray(generated) && !Array.isArray(own)) return [own];
  return isObject(generated) && MAP_KEY in generated && !isObject(own) ? { [MAP_KEY]: own } : own;
}

/** Adds the members of the second value to the first one. The second value wins. */
export function merge(first: Json, second: Json): Json {
  if (Array.isArray(first) && Array.isArray(second)) {
    const rest = first.length > second.length ? first : second;
    return [merge(first[0] ?? null, second[0] ?? null), ...rest.slice(1)];
  }
  if (!isObject(first) || !isObject(second)) return second;
  const added = Object.entries(second).map(([name, member]) => [
    name,
    name in first ? merge(first[name] ?? null, member) : member,
  ]);
  return { ...first, ...Object.fromEntries(added) };
}

/** The value at a path: of the first element of a list, and of the generated entry of a map. */
export function valueAt(value: Json | undefined, path: string): Json | undefined {
  if (path === "") return value;
  if (Array.isArray(value)) return valueAt(value[0], path);
  if (!isObject(value)) return undefined;
  const [name = "", ...rest] = path.split(".");
  return name in value ? valueAt(value[name], rest.join(".")) : valueAt(value[MAP_KEY], path);
}

/** The value with the object at a path changed: in the first element of a list, and in the generated entry of a map. */
export function changedAt<Value extends Json>(
  value: Value,
  path: string,
  change: (object: Members) => Members,
): Value;
export function changedAt(value: Json, path: string, change: (object: Members) => Members): Json {
  if (Array.isArray(value))
    return value.map((element, index) => (index === 0 ? changedAt(element, path, change) : element));
  if (!isObject(value)) return value;
  const [name = "", ...rest] = path.split(".");
  const isInEntry = MAP_KEY in value && !(name in value);
  if (path === "" && !isInEntry) return change(value);
  const [own, below] = isInEntry ? [MAP_KEY, path] : [name, rest.join(".")];
  return { ...value, [own]: changedAt(value[own] ?? null, below, change) };
}

/** The paths at which two values differ. */
export function differences(first: Json | undefined, second: Json | undefined, path = ""): readonly string[] {
  if (isDeepStrictEqual(first, second)) return [];
  if (isObject(first) && isObject(second))
    return [...new Set([...Object.keys(first), ...Object.keys(second)])].flatMap((name) =>
      differences(first[name], second[name], [path, name].filter(Boolean).join(".")),
    );
  if (Array.isArray(first) && Array.isArray(second) && first.length === second.length)
    return first.flatMap((element, index) => differences(element, second[index], path));
  return [path];
}

/** The value without the member at a path. */
export function without<Value extends Json>(value: Value, path: string): Value {
  return changedAt(value, parentOf(path), (object) =>
    Object.fromEntries(Object.entries(object).filter(([name]) => name !== nameOf(path))),
  );
}

/** The value with the IDs of a server in place of the names that tests use for them, or the reverse. */
export function withIds<Value extends Json>(
  value: Value,
  ids: ReadonlyMap<string, string>,
  to: "to IDs" | "from IDs",
): Value {
  const replaced = [...ids].reduce(
    (text, [name, id]) => (to === "to IDs" ? text.replaceAll(name, id) : text.replaceAll(id, name)),
    formatJson(value),
  );
  // Only texts have changed.
  return parseJson(replaced) as Value;
}
