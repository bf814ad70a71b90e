import type { ServiceName } from "../service";

/** Conditions on a request; all that are named hold. */
interface Conditions {
  /** The verb as sent. */
  readonly method?: string | undefined;
  /** The whole path as sent, without the query. */
  readonly path?: string | undefined;
  /** A regular expression that the path matches somewhere. */
  readonly pathPattern?: string | undefined;
  /** Parameters of the query that have these values; others may be there. */
  readonly query?: Readonly<Record<string, string>> | undefined;
  /** Text that the body contains, as sent. */
  readonly bodyIncludes?: string | undefined;
}

/** Which requests a fault is for. */
export interface Matcher extends Conditions {
  readonly service: ServiceName;
}

/** What has become of a request: `open` until it has been answered, `lost` where no whole answer arrived. */
export type Outcome = "open" | "answered" | "lost";

/** Which requests of the log are asked for; none named means all. */
export interface RequestFilter extends Conditions {
  readonly service?: ServiceName | undefined;
  /** Only requests after this sequence number. */
  readonly after?: number | undefined;
  /** What has become of them by now. */
  readonly outcome?: Outcome | undefined;
}

/** What of a request is matched. */
export interface Arrived {
  readonly service: ServiceName;
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Buffer;
}

/** Makes the test for a matcher's or a filter's conditions. */
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
