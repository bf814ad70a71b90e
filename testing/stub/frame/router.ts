import { BadRequest } from "../service";

/** The method and pattern of a route; see `StubRoute` for the patterns. */
export interface Routed {
  readonly method: string;
  readonly path: string;
}

/** A matching route, with its parameters percent-decoded. */
export interface Found<Route> {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

/** Finds a route. A literal segment takes precedence over a parameter, and a parameter over the rest of a path. */
export class Router<Route extends Routed> {
  readonly #root = new Branch<Route>();

  constructor(routes: readonly Route[]) {
    for (const route of routes) this.#add(route);
  }

  /**
   * `path` is as sent: a segment's `%2F` is part of the segment.
   * @throws BadRequest for a path with invalid percent-encoding.
   */
  find(method: string, path: string): Found<Route> | undefined {
    const segments = path.split("/").slice(1).map(decode);
    const leaf = this.#root.find(method, segments, 0);
    return leaf && { route: leaf.route, params: leaf.read(segments) };
  }

  #add(route: Route): void {
    const parameters: Parameter[] = [];
    let branch = this.#root;
    for (const [index, segment] of route.path.split("/").slice(1).entries()) {
      if (segment.startsWith(":") && segment.endsWith("*")) {
        parameters.push({ name: segment.slice(1, -1), read: (all) => all.slice(index).join("/") });
        branch.rests.set(route.method, new Leaf(route, parameters));
        return;
      }
      if (segment.startsWith(":")) {
        parameters.push({ name: segment.slice(1), read: (all) => all[index] ?? "" });
        branch.parameter ??= new Branch<Route>();
        branch = branch.parameter;
      } else {
        const next = branch.literals.get(segment) ?? new Branch<Route>();
        branch.literals.set(segment, next);
        branch = next;
      }
    }
    branch.leaves.set(route.method, new Leaf(route, parameters));
  }
}

interface Parameter {
  readonly name: string;
  read(segments: readonly string[]): string;
}

class Leaf<Route> {
  constructor(
    readonly route: Route,
    readonly parameters: readonly Parameter[],
  ) {}

  read(segments: readonly string[]): Record<string, string> {
    return Object.fromEntries(this.parameters.map(({ name, read }) => [name, read(segments)]));
  }
}

class Branch<Route> {
  readonly literals = new Map<string, Branch<Route>>();
  parameter: Branch<Route> | undefined;
  /** By verb: the routes that end here, and the routes that match the rest of the path from here. */
  readonly leaves = new Map<string, Leaf<Route>>();
  readonly rests = new Map<string, Leaf<Route>>();

  find(method: string, segments: readonly string[], at: number): Leaf<Route> | undefined {
    const segment = segments[at];
    if (segment === undefined) return this.leaves.get(method) ?? this.rests.get(method);
    return (
      this.literals.get(segment)?.find(method, segments, at + 1) ??
      (segment === "" ? undefined : this.parameter?.find(method, segments, at + 1)) ??
      this.rests.get(method)
    );
  }
}

function decode(segment: string): string {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new BadRequest(`the path's segment "${segment}" is not percent-encoded`);
  }
}
