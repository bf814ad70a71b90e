import { serverError } from "../errors";
import { always, anything, list, map, optional } from "../shape/field";
import { count, flag, integer, text, unworded } from "../shape/scalars";
import { type Body, inline, struct } from "../shape/struct";

/** The fields that `service-defaults` and `proxy-defaults` share. */
export const PROXY_FIELDS = {
  Mode: text,
  TransparentProxy: inline({ OutboundListenerPort: integer, DialedDirectly: flag }),
  MutualTLSMode: text,
  MeshGateway: inline({ Mode: text }),
  Expose: inline({
    Checks: flag,
    Paths: list(
      struct({
        ListenerPort: integer,
        Path: text,
        LocalPathPort: integer,
        Protocol: text,
        ParsedFromCheck: flag,
      }),
    ),
  }),
  EnvoyExtensions: list(
    struct({
      Name: always(text),
      Required: always(flag),
      Arguments: always(map(anything)),
      ConsulVersion: always(text),
      EnvoyVersion: always(text),
    }),
  ),
};

export function validateProxy({ MutualTLSMode, EnvoyExtensions = [] }: Body<typeof PROXY_FIELDS>): void {
  if (MutualTLSMode !== undefined && MutualTLSMode !== "strict" && MutualTLSMode !== "permissive") {
    throw serverError(
      `Invalid MutualTLSMode ${JSON.stringify(MutualTLSMode)}. Must be one of "", "strict", or "permissive".`,
    );
  }
  for (const [index, { Name }] of EnvoyExtensions.entries()) {
    if (Name === undefined) throw serverError(`invalid EnvoyExtensions[${index}]: Name is required`);
  }
}

/** How a proxy detects an unhealthy host. */
export const passiveHealthCheck = struct({
  Interval: unworded,
  MaxFailures: count,
  EnforcingConsecutive5xx: optional(count),
  EnforcingConsecutiveGatewayFailure: optional(count),
  Consecutive5xx: optional(count),
  ConsecutiveGatewayFailure: optional(count),
  MaxEjectionPercent: optional(count),
  BaseEjectionTime: optional(unworded),
});

const LIMITS = {
  MaxConnections: optional(integer),
  MaxPendingRequests: optional(integer),
  MaxConcurrentRequests: optional(integer),
};

/** The limits of an upstream, with their circuit breaker. */
export const upstreamLimits = struct({ ...LIMITS, PassiveHealthCheck: passiveHealthCheck });

export function validateHealthCheck(
  check:
    | {
        readonly EnforcingConsecutive5xx?: number;
        readonly MaxEjectionPercent?: number;
        readonly Interval?: string;
      }
    | undefined,
): string[] {
  const errors: string[] = [];
  if (check?.Interval?.startsWith("-")) errors.push("passive health check interval cannot be negative");
  for (const [field, percentage] of [
    ["enforcing_consecutive_5xx", check?.EnforcingConsecutive5xx],
    ["max_ejection_percent", check?.MaxEjectionPercent],
  ] as const) {
    if (percentage !== undefined && percentage > 100) {
      errors.push(`passive health check ${field} must be a percentage between 0 and 100`);
    }
  }
  return errors;
}

export function validateLimits(limits: Body<typeof LIMITS> = {}): string[] {
  const words = [
    ["connections", limits.MaxConnections],
    ["pending requests", limits.MaxPendingRequests],
    ["concurrent requests", limits.MaxConcurrentRequests],
  ] as const;
  return words.flatMap(([word, limit]) =>
    limit !== undefined && limit < 0 ? [`max ${word} cannot be negative`] : [],
  );
}

/** True for a supported setting of how connections are balanced. */
export function isBalance(value: string | undefined): boolean {
  return value === undefined || value === "exact_balance";
}
