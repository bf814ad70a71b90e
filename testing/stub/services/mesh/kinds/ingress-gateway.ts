import { serverError } from "../errors";
import { always, list, map } from "../shape/field";
import { count, flag, integer, text } from "../shape/scalars";
import { type Body, inline, struct } from "../shape/struct";
import { CLUSTER, defineKind, placeOf, SERVICE, type ServiceId, serviceText } from "./define";
import { isEmpty, isHttpLike, MODIFIED } from "./http";
import { PLACED } from "./placement";
import { passiveHealthCheck } from "./proxy";
import { certificateSource, TLS_BOUNDS, validateBounds } from "./tls";

const TLS = { Enabled: always(flag), SDS: certificateSource, ...TLS_BOUNDS };

const LIMITS = { MaxConnections: count, MaxPendingRequests: count, MaxConcurrentRequests: count };

const INGRESS_SERVICE = {
  Name: always(text),
  Hosts: always(list(text)),
  TLS: struct({ SDS: certificateSource }),
  ...MODIFIED,
  ...LIMITS,
  PassiveHealthCheck: passiveHealthCheck,
  Meta: map(text),
  ...PLACED,
};

const LISTENER = {
  Port: always(integer),
  Protocol: always(text),
  TLS: struct(TLS),
  Services: always(list(struct(INGRESS_SERVICE))),
};

const FIELDS = {
  TLS: inline(TLS),
  Listeners: always(list(struct(LISTENER))),
  Defaults: struct({
    MaxConnections: always(count),
    MaxPendingRequests: always(count),
    MaxConcurrentRequests: always(count),
    PassiveHealthCheck: passiveHealthCheck,
  }),
};

type Gateway = Body<typeof FIELDS>;
type Listener = Body<typeof LISTENER>;
type Exposed = Body<typeof INGRESS_SERVICE>;

const PROTOCOLS = ["tcp", "http", "http2", "grpc"];

/** The listeners of a gateway into the mesh, and the services behind them. */
export const ingressGateway = defineKind({
  kind: "ingress-gateway",
  write: CLUSTER,
  read: SERVICE,
  fields: FIELDS,
  normalize: (body) => ({
    ...body,
    ...(body.Listeners !== undefined && {
      Listeners: body.Listeners.map((listener) => ({
        ...listener,
        Protocol: (listener.Protocol ?? "tcp").toLowerCase(),
      })),
    }),
  }),
  validate(body, self) {
    validateTls(body.TLS);
    const ports = new Set<number>();
    for (const listener of body.Listeners ?? []) {
      const { Port = 0 } = listener;
      if (ports.has(Port)) throw serverError(`port ${Port} declared on two listeners`);
      ports.add(Port);
      validateListener(body, listener, self);
    }
  },
  leadsTo: ({ Listeners = [] }, self) =>
    Listeners.flatMap(({ Services = [] }) =>
      Services.filter(({ Name }) => Name !== "*").map((service) => serviceOf(service, self)),
    ),
});

function serviceOf(service: Exposed, self: ServiceId): ServiceId {
  return { name: service.Name ?? "", namespace: placeOf(service, self) };
}

function validateTls(tls: Gateway["TLS"]): void {
  validateBounds({ min: tls?.TLSMinVersion, max: tls?.TLSMaxVersion, suites: tls?.CipherSuites });
}

function validateListener(gateway: Gateway, listener: Listener, self: ServiceId): void {
  const { Port = 0, Protocol = "", Services = [] } = listener;
  const at = `(listener on port ${Port})`;
  if (!PROTOCOLS.includes(Protocol)) {
    throw serverError(
      `protocol must be 'tcp', 'http', 'http2', or 'grpc'. '${Protocol}' is an unsupported protocol`,
    );
  }
  if (Services.length === 0) throw serverError(`No service declared for listener with port ${Port}`);
  if (!isHttpLike(Protocol) && Services.length > 1) {
    throw serverError(
      `Multiple services per listener are only supported for L7 protocols, 'http', 'grpc' and 'http2' ${at}`,
    );
  }
  validateTls(listener.TLS);
  const names = new Set<string>();
  const hosts = new Set<string>();
  for (const service of Services) {
    const named = serviceText(serviceOf(service, self));
    validateService(service, listener, named, at);
    if (names.has(named)) throw serverError(`Service ${named} cannot be added multiple times ${at}`);
    names.add(named);
    validateSources(gateway, listener, service, named);
    for (const host of service.Hosts ?? []) {
      if (hosts.has(host)) throw serverError(`Hosts must be unique within a specific listener ${at}`);
      hosts.add(host);
      validateHost(host, gateway.TLS?.Enabled === true);
    }
  }
}

function validateService(
  service: Exposed,
  { Port, Protocol = "" }: Listener,
  named: string,
  at: string,
): void {
  const { Name, Hosts = [], RequestHeaders, ResponseHeaders, Namespace } = service;
  for (const [which, headers] of [
    ["request", RequestHeaders],
    ["response", ResponseHeaders],
  ] as const) {
    if (isEmpty(headers) || isHttpLike(Protocol)) continue;
    throw serverError(
      `${which} headers only valid for http, http2 and grpc protocols (service ${JSON.stringify(named)} on listener on port ${Port})`,
    );
  }
  if (Protocol === "tcp" && Name === "*") {
    throw serverError(`Wildcard service name is only valid for protocol = 'http' ${at}`);
  }
  if (Protocol === "tcp" && Hosts.length > 0) {
    throw serverError(`Associating hosts to a service is not supported for the tcp protocol ${at}`);
  }
  if (Name === undefined) throw serverError(`Service name cannot be blank ${at}`);
  if (Name === "*" && Hosts.length > 0) {
    throw serverError(`Associating hosts to a wildcard service is not supported ${at}`);
  }
  if (Namespace === "*") throw serverError(`Wildcard namespace is not supported for ingress services ${at}`);
}

/** Checks the certificates and the clusters that serve them, at all three levels that can set them. */
function validateSources(gateway: Gateway, listener: Listener, service: Exposed, named: string): void {
  const [outer, middle, inner] = [gateway.TLS?.SDS, listener.TLS?.SDS, service.TLS?.SDS];
  const { Port } = listener;
  const at = `(listener on port ${Port})`;
  if (outer?.CertResource !== undefined && outer.ClusterName === undefined) {
    throw serverError("TLS.SDS.ClusterName is required if CertResource is set");
  }
  if (
    outer?.ClusterName !== undefined &&
    outer.CertResource === undefined &&
    middle?.CertResource === undefined
  ) {
    throw serverError(`TLS.SDS.CertResource is required if ClusterName is set for gateway ${at}`);
  }
  if (middle?.ClusterName !== undefined && middle.CertResource === undefined) {
    throw serverError(`TLS.SDS.CertResource is required if ClusterName is set for listener ${at}`);
  }
  const isServed = outer?.ClusterName !== undefined || middle?.ClusterName !== undefined;
  if (middle?.CertResource !== undefined && !isServed) {
    throw serverError(`TLS.SDS.ClusterName is required if CertResource is set ${at}`);
  }
  if (inner?.CertResource === undefined) return;
  const where = `(service ${JSON.stringify(named)} on listener on port ${Port})`;
  if ((service.Hosts ?? []).length === 0) {
    throw serverError(
      `A service specifying TLS.SDS.CertResource must have at least one item in Hosts ${where}`,
    );
  }
  if (inner.ClusterName === undefined && !isServed) {
    throw serverError(`TLS.SDS.ClusterName is required if CertResource is set ${where}`);
  }
}

function validateHost(host: string, isEncrypted: boolean): void {
  if (host === "*") {
    if (!isEncrypted) return;
    throw serverError(
      "Host '*' is not allowed when TLS is enabled, all hosts must be valid DNS records to add as a DNSSAN",
    );
  }
  if (host.replace(/^\*\./, "").includes("*")) {
    throw serverError(
      `Host ${JSON.stringify(host)} is not valid, a wildcard specifier is only allowed as the leftmost label`,
    );
  }
}
