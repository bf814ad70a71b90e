import type { Address } from "./object";
import type { Route } from "./route";

/** What a token needs for a request. */
export interface Needed {
  /** A right as the product names it; of several any one will do. */
  readonly anyOf: readonly [string, ...string[]];
  /** On what, in words: `the workspace ws-1`. */
  readonly on: string;
  /** When it is needed at all, where it is not always: `when policyOverride is set`. */
  readonly when?: string;
}

/** One row of a service's table of rights. */
export interface RightsRow {
  /** `LIST` is a read that asks for a list's keys, whichever way it is sent. */
  readonly methods: readonly (Route["method"] | "LIST")[];
  /** The path behind the service's prefix; `*` is one segment, `**` whatever follows, each once. */
  readonly path: string;
  /** All that is needed; `{1}` in the words stands for what the first star is. Nothing where none is. */
  readonly needs: readonly Needed[];
}

/** The method of a route by which its rights are known. */
export function methodOf({ method, query }: Pick<Route, "method" | "query">): RightsRow["methods"][number] {
  return method === "GET" && query?.list === "true" ? "LIST" : method;
}

/**
 * What a request needs, by the first row that says it; undefined where none does.
 * @param path filled, or with names in the place of what a program writes
 */
export function rightsIn(
  rows: readonly RightsRow[],
  method: RightsRow["methods"][number],
  path: string,
  address: Address = {},
): readonly Needed[] | undefined {
  for (const { methods, path: pattern, needs } of rows) {
    if (!methods.includes(method)) continue;
    const stars = starsIn(pattern, path);
    if (stars === undefined) continue;
    return needs.map((needed) => ({ ...needed, on: filled(needed.on, stars, address) }));
  }
  return undefined;
}

/** What the stars of a pattern stand for in a path; undefined where it is not of that pattern. */
function starsIn(pattern: string, path: string): readonly string[] | undefined {
  const wanted = pattern.split("/");
  const given = path.split("/");
  const stars: string[] = [];
  for (const [at, segment] of wanted.entries()) {
    if (segment === "**") return given.length < at ? undefined : [...stars, given.slice(at).join("/")];
    const own = given[at];
    if (own === undefined || (segment !== "*" && segment !== own)) return undefined;
    if (segment === "*") stars.push(own);
  }
  return wanted.length === given.length ? stars : undefined;
}

/** Words with what the stars stand for, and with a part of the address where it is known: `{ namespace}` with the space. */
function filled(words: string, stars: readonly string[], address: Address): string {
  return words
    .replace(/\{(\d)\}/g, (_, at: string) => stars[Number(at) - 1] ?? "")
    .replace(/\{( ?)(\w+)\?\}/g, (_, space: string, name: string) => {
      const part = address[name];
      return part === undefined ? "" : `${space}${JSON.stringify(part)}`;
    });
}

/** As a sentence goes on with it: `service:write on the service web; or …`. `code` marks a right's own name. */
export function needsText(
  needed: readonly Needed[],
  code: (right: string) => string = (right) => right,
): string {
  return needed
    .map(
      ({ anyOf, on, when }) =>
        `${anyOf.map(code).join(" or ")} on ${on}${when === undefined ? "" : `, ${when}`}`,
    )
    .join("; and ");
}
