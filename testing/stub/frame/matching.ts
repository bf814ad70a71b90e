import type { ServiceName } from "../service";

/** Conditions on a request; all given ones must match. */
interface Conditions {
  /** The verb as sent. */
  readonly method?: string | undefined;
  /** The complete path as sent, without the query. */
  readonly path?: string | undefined;
  /** A regular expression that matches anywhere in the path. */
  readonly pathPattern?: string | undefined;
  /** Query parameters with these values; others are allowed. */
  readonly query?: Readonly<Record<string, string>> | undefined;
  /** A substring of the body, as sent. */
  readonly bodyIncludes?: string | undefined;
}

/** The requests that a fault affects. */
export interface Matcher extends Conditions {
  readonly service: ServiceName;
}

/** The state of a request: `open` until it is answered, `lost` if no complete response arrived. */
export type Outcome = "open" | "answered" | "lost";

/** The requests to select from the log; without conditions, all. */
export interface RequestFilter extends Conditions {
  readonly service?: ServiceName | undefined;
  /** Only requests after this sequence number. */
  readonly after?: number | undefined;
  /** Only requests in this state. */
  readonly outcome?: Outcome | undefined;
}

/** The parts of a request that conditions match. */
export interface Arrived {
  readonly service: ServiceName;
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Buffer;
}

/** Compiles the conditions of a matcher or a filter. */
export function matching(
  wanted: Matcher | Omit<RequestFilter, "after" | "outcome">,
): (request: Arrived) => boolean {
  const pattern = wanted.pathPattern === undefined ? undefined : new RegExp(wanted.pathPattern);
  const query = Object.entries(wanted.query ?? {});
  const { service, method, path, bodyIncludes } = wanted;
  return (request) =>
    (service === undefined || request.service === service) &&
    (method === undefined || request.method === method) &&
    (path === undefined || request.path === path) &&
    (pattern === undefined || pattern.test(request.path)) &&
    query.every(([name, value]) => request.query.getAll(name).includes(value)) &&
    (bodyIncludes === undefined || request.body.includes(bodyIncludes));
}
