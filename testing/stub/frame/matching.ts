import { z } from "zod";
import type { ServiceName } from "../service";

/** The four control planes, in the order of the specification. */
export const SERVICE_NAMES = ["workspaces", "scheduler", "secrets", "mesh"] as const satisfies ServiceName[];
export const ServiceNames = z.enum(SERVICE_NAMES);

const PATTERN = z.string().refine(isPattern, "is not a regular expression");

const conditions = {
  /** The verb as sent. */
  method: z.string().min(1).optional(),
  /** The whole path as sent, without the query. */
  path: z.string().startsWith("/").optional(),
  /** A regular expression that the path matches somewhere. */
  pathPattern: PATTERN.optional(),
  /** Parameters of the query that have these values; others may be there. */
  query: z.record(z.string(), z.string()).optional(),
  /** Text that the body contains, as sent. */
  bodyIncludes: z.string().min(1).optional(),
};

/** Which requests a fault is for. */
export const Matcher = z.strictObject({ service: ServiceNames, ...conditions });
export type Matcher = Readonly<z.input<typeof Matcher>>;

const Outcomes = z.enum(["open", "answered", "lost"]);
export type Outcome = z.output<typeof Outcomes>;

/** Which requests of the log are asked for; none named means all. */
export const RequestFilter = z.strictObject({
  service: ServiceNames.optional(),
  ...conditions,
  /** Only requests after this sequence number. */
  after: z.int().nonnegative().optional(),
  /** What has become of them by now. */
  outcome: Outcomes.optional(),
});
export type RequestFilter = Readonly<z.input<typeof RequestFilter>>;

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

function isPattern(text: string): boolean {
  try {
    return new RegExp(text) !== undefined;
  } catch {
    return false;
  }
}
