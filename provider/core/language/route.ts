import type { HttpRequest } from "../http/request";
import type { Json } from "../value/json";
import type { Answers } from "./answers";
import type { Values } from "./object";

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
