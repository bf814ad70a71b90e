import { serverError } from "../errors";
import { always, list, map, optional } from "../shape/field";
import { count, flag, integer, text, unwordedAlways } from "../shape/scalars";
import { type Body, inline, struct } from "../shape/struct";
import { CLUSTER, defineKind, type ServiceId } from "./define";
import { isMethod } from "./http";
import { jwtRequirement } from "./jwt";
import { PLACED, type Reference, reference } from "./placement";
import { upstreamLimits } from "./proxy";
import { certificateSource } from "./tls";

const HEADER_FILTERS = always(
  list(struct({ Add: always(map(text)), Remove: always(list(text)), Set: always(map(text)) })),
);

const DIRECTION = struct({ HeadersMode: text, BodyMode: text, TrailersMode: text, MaxBodyBytes: integer });

const FILTERS = {
  Headers: HEADER_FILTERS,
  URLRewrite: always(struct({ Path: always(text) })),
  RetryFilter: always(
    struct({
      NumRetries: always(optional(count)),
      RetryOn: always(list(text)),
      RetryOnStatusCodes: always(list(count)),
      RetryOnConnectFailure: always(optional(flag)),
    }),
  ),
  TimeoutFilter: always(struct({ RequestTimeout: unwordedAlways, IdleTimeout: unwordedAlways })),
  JWT: always(jwtRequirement),
  ExtAuthz: struct({ Enabled: always(flag) }),
  ExtProc: list(
    struct({
      StatPrefix: text,
      Mode: text,
      Overrides: struct({ Processing: struct({ Request: DIRECTION, Response: DIRECTION }) }),
    }),
  ),
};

/** The limits and the certificate of one destination. */
const DESTINATION = { TLS: struct({ SDS: certificateSource }), Limits: upstreamLimits };

const REQUEST_AND_RESPONSE = {
  Filters: inline(FILTERS),
  ResponseFilters: inline({ Headers: HEADER_FILTERS }),
};

const MATCH = {
  Headers: always(
    list(struct({ Match: always(text), Name: always(text), Value: always(text), Invert: flag })),
  ),
  Method: always(text),
  Path: inline({ Match: always(text), Value: always(text) }),
  Query: always(list(struct({ Match: always(text), Name: always(text), Value: always(text) }))),
};

const RULE = {
  ...REQUEST_AND_RESPONSE,
  Matches: always(list(struct(MATCH))),
  Services: always(
    list(
      struct({
        Name: always(text),
        Weight: always(integer),
        ...REQUEST_AND_RESPONSE,
        ...DESTINATION,
        ...PLACED,
      }),
    ),
  ),
};

type Match = Body<typeof MATCH>;

/** Which requests a gateway routes to which services. */
export const httpRoute = defineKind({
  kind: "http-route",
  write: CLUSTER,
  read: CLUSTER,
  hasStatus: true,
  fields: {
    Parents: always(list(reference)),
    Rules: always(list(struct(RULE))),
    Hostnames: always(list(text)),
  },
  normalize: (body) => ({
    ...body,
    ...(body.Parents !== undefined && { Parents: body.Parents.map(asParent) }),
    ...(body.Rules !== undefined && {
      Rules: body.Rules.map((rule) => ({
        ...rule,
        ...(rule.Matches !== undefined && { Matches: rule.Matches.map(normalizeMatch) }),
        ...(rule.Services !== undefined && {
          Services: rule.Services.map((service) => ({
            ...service,
            Weight: service.Weight !== undefined && service.Weight > 0 ? service.Weight : 1,
          })),
        }),
      })),
    }),
  }),
  validate({ Hostnames = [], Parents = [], Rules = [] }, self) {
    for (const host of Hostnames) {
      if (host.includes("*")) throw serverError(`host ${JSON.stringify(host)} must not be a wildcard`);
    }
    validateParents(Parents, self);
    for (const [index, { Matches = [] }] of Rules.entries()) {
      for (const [position, match] of Matches.entries()) {
        const error = errorOf(match);
        if (error !== undefined) throw serverError(`Rule[${index}], Match[${position}], ${error}`);
      }
    }
  },
});

/** The service that receives a gateway's connections. */
export const tcpRoute = defineKind({
  kind: "tcp-route",
  write: CLUSTER,
  read: CLUSTER,
  hasStatus: true,
  fields: {
    Parents: always(list(reference)),
    Services: always(list(struct({ Name: always(text), ...DESTINATION, ...PLACED }))),
  },
  normalize: (body) => ({
    ...body,
    ...(body.Parents !== undefined && { Parents: body.Parents.map(asParent) }),
  }),
  validate({ Services = [], Parents = [] }, self) {
    if (Services.length > 1) throw serverError("tcp-route currently only supports one service");
    validateParents(Parents, self);
  },
});

function asParent(parent: Reference): Reference {
  return { Kind: "api-gateway", ...parent };
}

/** "HTTP methods upper-cased"; without a path, every path. */
function normalizeMatch(match: Match): Match {
  return {
    ...match,
    ...(match.Method !== undefined && { Method: match.Method.toUpperCase() }),
    Path: match.Path?.Match === undefined ? { Match: "prefix", Value: "/" } : match.Path,
  };
}

function validateParents(parents: readonly Reference[], self: ServiceId): void {
  const seen = new Set<string>();
  for (const { Kind = "", Name = "", SectionName = "", Namespace = self.namespace } of parents) {
    if (Kind !== "api-gateway") {
      throw serverError(`unsupported parent kind: ${JSON.stringify(Kind)}, must be 'api-gateway'`);
    }
    const key = JSON.stringify([Name, SectionName, Namespace]);
    if (seen.has(key)) throw serverError("route parents must be unique");
    seen.add(key);
  }
}

const HEADER_MATCHES = ["present", "exact", "prefix", "suffix", "regex"];
const QUERY_MATCHES = ["present", "exact", "regex"];

function errorOf({ Method, Query = [], Headers = [], Path }: Match): string | undefined {
  if (Method !== undefined && !isMethod(Method)) {
    return `Method contains an invalid method ${JSON.stringify(Method)}`;
  }
  for (const [index, { Name, Match: how = "" }] of Query.entries()) {
    if (Name === undefined) return `Query[${index}], missing required Name field`;
    if (!QUERY_MATCHES.includes(how)) {
      return `Query[${index}], match type should be one of present, exact, or regex`;
    }
  }
  for (const [index, { Name, Match: how = "" }] of Headers.entries()) {
    if (Name === undefined) return `Headers[${index}], missing required Name field`;
    if (!HEADER_MATCHES.includes(how)) {
      return `Headers[${index}], match type should be one of present, exact, prefix, suffix, or regex`;
    }
  }
  const { Match: how = "", Value = "" } = Path ?? {};
  if (how === "regex") return undefined;
  if (how !== "exact" && how !== "prefix") {
    return "Path, match type should be one of exact, prefix, or regex";
  }
  return Value.startsWith("/")
    ? undefined
    : `Path, ${how} type match doesn't start with '/': ${JSON.stringify(Value)}`;
}
