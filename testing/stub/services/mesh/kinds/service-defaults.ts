import { isIP } from "node:net";
import { serverError } from "../errors";
import { always, list, optional } from "../shape/field";
import { allOf } from "../shape/problems";
import { count, integer, text } from "../shape/scalars";
import { type Body, inline, struct } from "../shape/struct";
import { defineKind, SERVICE } from "./define";
import { PLACEABLE } from "./placement";
import {
  isBalance,
  PROXY_FIELDS,
  passiveHealthCheck,
  upstreamLimits,
  validateHealthCheck,
  validateLimits,
  validateProxy,
} from "./proxy";

const UPSTREAM = {
  Name: text,
  ...PLACEABLE,
  Peer: always(text),
  EnvoyListenerJSON: text,
  EnvoyClusterJSON: text,
  Protocol: text,
  ConnectTimeoutMs: integer,
  Limits: upstreamLimits,
  PassiveHealthCheck: passiveHealthCheck,
  MeshGateway: inline({ Mode: text }),
  BalanceOutboundConnections: text,
};

const upstream = struct(UPSTREAM);

const RATE = { RequestsPerSecond: always(integer), RequestsMaxBurst: always(integer) };

const FIELDS = {
  Protocol: always(text),
  ...PROXY_FIELDS,
  ExternalSNI: text,
  UpstreamConfig: struct({ Overrides: list(upstream), Defaults: upstream }),
  Destination: struct({ Addresses: list(text), Port: integer }),
  MaxInboundConnections: integer,
  MaxRequestHeadersKB: optional(count),
  LocalConnectTimeoutMs: integer,
  LocalRequestTimeoutMs: integer,
  BalanceInboundConnections: text,
  RateLimits: struct({
    InstanceLevel: inline({
      ...RATE,
      Routes: always(
        list(struct({ PathExact: always(text), PathPrefix: always(text), PathRegex: always(text), ...RATE })),
      ),
    }),
  }),
};

type Upstream = Body<typeof UPSTREAM>;

/** A service's protocol, and how its proxy handles inbound and outbound traffic. */
export const serviceDefaults = defineKind({
  kind: "service-defaults",
  write: SERVICE,
  read: SERVICE,
  fields: FIELDS,
  normalize(body) {
    const { Overrides, Defaults } = body.UpstreamConfig ?? {};
    return {
      ...body,
      ...(body.Protocol !== undefined && { Protocol: body.Protocol.toLowerCase() }),
      ...(body.UpstreamConfig !== undefined && {
        UpstreamConfig: {
          ...(Overrides !== undefined && { Overrides: Overrides.map(normalizeUpstream) }),
          ...(Defaults !== undefined && { Defaults: normalizeUpstream(Defaults) }),
        },
      }),
    };
  },
  validate(body, { name }) {
    if (name === "*") {
      throw serverError("service-defaults name must be the name of a service, and not a wildcard");
    }
    const errors: string[] = [];
    const { BalanceInboundConnections: balance, UpstreamConfig, Destination } = body;
    if (!isBalance(balance)) errors.push(`invalid value for balance_inbound_connections: ${balance}`);
    if (UpstreamConfig !== undefined && Destination !== undefined) {
      errors.push("UpstreamConfig and Destination are mutually exclusive for service defaults");
    }
    for (const override of UpstreamConfig?.Overrides ?? []) {
      const wrong = override.Name === undefined ? ["Name is required"] : errorsOf(override);
      errors.push(...wrong.map((error) => `error in upstream override for ${override.Name ?? ""}: ${error}`));
    }
    if (UpstreamConfig?.Defaults !== undefined) {
      const { Defaults } = UpstreamConfig;
      const named = (["Name", "Namespace", "Partition"] as const).find(
        (name) => Defaults[name] !== undefined,
      );
      const wrong = named === undefined ? errorsOf(Defaults) : [`${named} must be empty`];
      errors.push(...wrong.map((error) => `error in upstream defaults: ${error}`));
    }
    if (Destination !== undefined) errors.push(...errorsOfDestination(Destination));
    if (errors.length > 0) throw serverError(allOf(errors));
    validateProxy(body);
  },
});

function normalizeUpstream(each: Upstream): Upstream {
  return {
    ...each,
    ...(each.Protocol !== undefined && { Protocol: each.Protocol.toLowerCase() }),
  };
}

function errorsOf(each: Upstream): string[] {
  const { Name, PassiveHealthCheck, Limits, BalanceOutboundConnections: balance } = each;
  return [
    ...(Name === "*" ? ["Wildcard name is not supported"] : []),
    ...validateHealthCheck(PassiveHealthCheck),
    ...validateLimits(Limits),
    ...(isBalance(balance) ? [] : [`invalid value for balance_outbound_connections: ${balance}`]),
  ];
}

function errorsOfDestination({
  Addresses = [],
  Port = 0,
}: {
  readonly Addresses?: readonly string[];
  readonly Port?: number;
}): string[] {
  const errors = Addresses.length === 0 ? ["Destination must contain at least one valid address"] : [];
  for (const [index, address] of Addresses.entries()) {
    if (Addresses.indexOf(address) < index) errors.push(`Duplicate address '${address}' is not allowed`);
    else if (isIP(address) === 0 && address.includes("*")) {
      errors.push(
        `Destination address '${address}' is invalid Could not validate address ${address} as an IP or Hostname`,
      );
    }
  }
  if (Port < 1 || Port > 65_535) errors.push(`Invalid Port number ${Port}`);
  return errors;
}
