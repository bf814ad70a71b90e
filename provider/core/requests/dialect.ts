import type { HttpResponse } from "../http/request";
import type { Problem } from "../language/rules";
import type { Connection, Dialect, Service } from "../language/service";
import {
  DEFAULT_DIALECT,
  DIALECT,
  DIALECT_VARIABLE,
  environmentName,
  settingCommand,
} from "../language/settings";
import { isObject, type Json, ownMember } from "../value/json";
import { memoByObject } from "../value/memo";
import type { Pattern } from "../value/path";

/** Renames members between the specification's names and a dialect's. The value itself is not touched. */
export function renameMembers<V>(value: V, dialect: Dialect, to: "dialect" | "specification"): V {
  if (dialect.members === undefined) return value;
  const own = exchanged(dialect.members);
  const table = to === "dialect" ? own : specifiedNames(own);
  // Renaming preserves the shape of the value except for names, which V does not fix.
  return renameBranches(value as Json, [branchesOf(table)], to) as V;
}

/** The patterns below one place. The keys are names, map members of any name, and list elements. */
interface Branch {
  readonly inside: Map<string, Branch>;
  name?: string;
}

/** Nothing below a place without patterns is renamed: a map of the user's is returned unchanged. */
function renameBranches(value: Json, branches: readonly Branch[], to: "dialect" | "specification"): Json {
  if (branches.length === 0) return value;
  if (Array.isArray(value)) {
    const inside = below(branches, [ELEMENT]);
    return inside.length === 0 ? value : value.map((element) => renameBranches(element, inside, to));
  }
  if (!isObject(value)) return value;
  let isOther = false;
  const members = Object.keys(value).map((key): [string, Json] => {
    const found = below(branches, withMapKey(key));
    const name = found.find((branch) => branch.name !== undefined)?.name ?? key;
    // The patterns contain the specification's names, in either direction.
    const inside = name === key || to === "dialect" ? found : below(branches, withMapKey(name));
    const member = value[key] ?? null;
    const next = renameBranches(member, inside, to);
    isOther ||= name !== key || next !== member;
    return [name, next];
  });
  return isOther ? Object.fromEntries(members) : value;
}

const NONE: readonly Branch[] = [];

/** In a pattern: any element of a list, and any value of a map whose keys the user chooses. */
const ELEMENT = "*";
const MAP_VALUE = "{}";

/** The segments of a pattern that match a member of an object. */
const withMapKey = (key: string) => (key === ELEMENT || key === MAP_VALUE ? [MAP_VALUE] : [key, MAP_VALUE]);

/** Most names match no pattern. The function allocates nothing for these. */
function below(branches: readonly Branch[], names: readonly string[]): readonly Branch[] {
  let found: Branch[] | undefined;
  for (const { inside } of branches) {
    for (const name of names) {
      const branch = inside.get(name);
      if (branch !== undefined) found = [...(found ?? []), branch];
    }
  }
  return found ?? NONE;
}

const branchesOf = memoByObject((table: Readonly<Record<Pattern, string>>): Branch => {
  const root: Branch = { inside: new Map() };
  for (const [pattern, name] of Object.entries(table)) {
    let branch = root;
    for (const segment of pattern.split(".")) {
      const next = branch.inside.get(segment) ?? { inside: new Map() };
      branch.inside.set(segment, next);
      branch = next;
    }
    branch.name = name;
  }
  return root;
});

/** A query with a dialect's parameter names. */
export function renameParameters<V>(
  query: Readonly<Record<string, V>>,
  { parameters = {} }: Dialect,
): Readonly<Record<string, V>> {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [ownMember(parameters, name) ?? name, value]),
  );
}

/**
 * A table in which no two members of one place have the same name. If a dialect gives a member the name of a second member,
 * that one gets the freed name in exchange. Each member therefore has a name of its own in either direction, no matter which
 * other members exist.
 */
const exchanged = memoByObject((members: Readonly<Record<Pattern, string>>) => {
  const places = new Map<string, Map<string, string>>();
  for (const [pattern, name] of Object.entries(members)) {
    const at = pattern.lastIndexOf(".") + 1;
    const place = pattern.slice(0, at);
    places.set(place, (places.get(place) ?? new Map<string, string>()).set(pattern.slice(at), name));
  }
  return Object.fromEntries(
    [...places].flatMap(([place, names]) =>
      [...names, ...dialectOnlyNames(names)].map(([own, name]) => [place + own, name]),
    ),
  );
});

/** The names that only the dialect has, each with the name at the start of its chain, which only the specification has. */
function dialectOnlyNames(names: ReadonlyMap<string, string>): [string, string][] {
  const taken = new Set(names.values());
  return [...names.keys()]
    .filter((first) => !taken.has(first))
    .map((first) => {
      let last = first;
      for (let next = names.get(last); next !== undefined; next = names.get(last)) last = next;
      return [last, first];
    });
}

/** The reverse of a dialect's table: the dialect's names at their places, each with the specification's name. */
const specifiedNames = memoByObject((members: Readonly<Record<Pattern, string>>) =>
  Object.fromEntries(
    Object.entries(members).map(([pattern, name]) => {
      const parts = pattern.split(".");
      return [[...parts.slice(0, -1), name].join("."), parts.at(-1) ?? ""];
    }),
  ),
);

/** Settings by full key, and the environment variables. */
interface Named {
  get(key: string): string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A dialect's name, and the setting or the environment variable that gives it. */
export interface NamedDialect {
  readonly name: string;
  /** The configuration key or the variable; undefined for the default. */
  readonly source?: string;
}

/**
 * The dialect of a service's connection. The first of these that is set wins: the connection's own setting,
 * `quarterdeck:dialect`, the environment. The default is `real`.
 * @param own the connection's settings, and their key in the configuration
 */
export function dialectOf(
  service: Service,
  { get, env }: Named,
  own: { readonly given: Readonly<Record<string, Json>>; readonly key: string },
): NamedDialect {
  const variable = environmentName(service, "dialect");
  const candidates: readonly (readonly [source: string, name: Json | undefined])[] = [
    [`${own.key}.dialect`, own.given.dialect],
    [DIALECT, get(DIALECT)],
    [variable, env[variable]],
    [DIALECT_VARIABLE, env[DIALECT_VARIABLE]],
  ];
  const found = candidates.find(([, name]) => name !== undefined && name !== "");
  return found === undefined ? { name: DEFAULT_DIALECT } : { source: found[0], name: String(found[1]) };
}

/** The problem if the service does not have this dialect; otherwise undefined. */
export function dialectProblem(
  { dialects }: Service,
  { name, source = DIALECT }: NamedDialect,
): Problem | undefined {
  if (Object.hasOwn(dialects, name)) return undefined;
  const allowed = Object.keys(dialects).join(", ");
  return { path: source, reason: `is ${JSON.stringify(name)}; allowed: ${allowed}` };
}

/** The advice for a response with the headers of a different dialect; undefined for any other response. */
export function otherDialectAdvice(
  { service, dialect, name: connection }: Pick<Connection, "service" | "dialect" | "name">,
  { headers }: Pick<HttpResponse, "headers">,
): string | undefined {
  const isShown = (pattern: RegExp | undefined) =>
    pattern !== undefined && Object.keys(headers).some((name) => pattern.test(name));
  if (isShown(dialect.responseHeaders)) return undefined;
  const other = Object.entries(service.dialects).find(([, { responseHeaders }]) => isShown(responseHeaders));
  if (other === undefined) return undefined;
  const [name] = other;
  const inConnections = connection === undefined ? "" : `connections.${connection}.`;
  const key = `quarterdeck:${inConnections}${service.name}`;
  return (
    `The server responds in the dialect "${name}", which this connection does not use. ` +
    `Run: ${settingCommand(`${key}.dialect`, name)}`
  );
}
