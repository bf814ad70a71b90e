import type { HttpAnswer, HttpRequest } from "../http/request";
import { isObject, type Json, ownMember } from "../value/json";
import type { Address, Values } from "./object";

/**
 * What the page of an endpoint answers where a write was carried out: nothing at all (204), the word `true`, or
 * these members, in the answer or in its `data`, the object's identity among them. That alone proves it; every other 2xx
 * is looked at, so that a server which answers a little differently costs one read.
 */
export type Answers = "nothing" | "true" | readonly [string, ...string[]];

/** Whether an answer is what the endpoint's page says. */
export function isAsSaid(answers: Answers, { status, text, json }: HttpAnswer): boolean {
  if (status < 200 || status > 299) return false;
  if (answers === "nothing") return status === 204 && text.trim() === "";
  if (answers === "true") return json === true;
  const parts = isObject(json) ? [json, json.data] : [];
  return answers.every((name) => parts.some((part) => holds(part, name)));
}

function holds(value: Json | undefined, name: string): boolean {
  const member = isObject(value) ? ownMember(value, name) : undefined;
  return member !== undefined && member !== null && member !== "";
}

/** One request of a definition. `{name}` stands for a part of the object's address, encoded; `{+name}` keeps its slashes. */
export interface Route {
  readonly method: HttpRequest["method"];
  readonly path: string;
  /** Query parameters; one whose placeholder is unset is not sent. */
  readonly query?: Readonly<Record<string, string>>;
  /** The path by which its rights are known, where its own does not name what it writes. */
  readonly rightsAt?: string;
  /** What its page answers where a write was carried out; the service's rule for its method where nothing is said. */
  readonly answers?: Answers;
  /** Further parts of the body or the query that steer this one request, from the inputs. */
  readonly steer?: (inputs: Values) => {
    readonly body?: Readonly<Record<string, Json>>;
    readonly query?: Readonly<Record<string, string>>;
  };
}

/** What a route says beside its method and its path. */
type More = Omit<Route, "method" | "path">;

export const get = (path: string, more: More = {}): Route => ({ method: "GET", path, ...more });
export const post = (path: string, more: More = {}): Route => ({ method: "POST", path, ...more });
export const put = (path: string, more: More = {}): Route => ({ method: "PUT", path, ...more });
export const patch = (path: string, more: More = {}): Route => ({ method: "PATCH", path, ...more });
export const del = (path: string, more: More = {}): Route => ({ method: "DELETE", path, ...more });

/** The parts of an address without which a path cannot be filled. */
export function partsInPath({ path }: Pick<Route, "path">): string[] {
  return [...path.matchAll(/\{\+?(\w+)\}/g)].map(([, name = ""]) => name);
}

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
