import { exclusive } from "../../../core";
import { block, blocks, integer, requiredText, text, texts } from "./members";
import { limits, maxRequestHeaders, meshGateway, passiveHealthCheck, place, proxyMembers } from "./parts";
import { typedEntry } from "./typedEntry";

const upstream = {
  protocol: text("Protocol of the upstream: `tcp`, `http`, `http2` or `grpc`."),
  connectTimeoutMs: integer("Timeout for connections to the upstream, in milliseconds."),
  limits: block(limits, "Limits for concurrent traffic to the upstream."),
  passiveHealthCheck,
  meshGateway,
  balanceOutboundConnections: text(
    "Balancing of connections across the proxy's threads: `exact_balance`, or empty.",
  ),
  envoyListenerJson: text("Envoy listener as JSON, instead of the generated listener.", "EnvoyListenerJSON"),
  envoyClusterJson: text("Envoy cluster as JSON, instead of the generated cluster.", "EnvoyClusterJSON"),
};

const rate = {
  requestsPerSecond: integer("Average number of requests per second."),
  requestsMaxBurst: integer("Maximum number of requests in a burst."),
};

/** The protocol of a service, and its proxy's handling of inbound and outbound traffic (specification: part B). */
export default typedEntry({
  type: "ServiceDefaults",
  product: {
    noun: "Consul service-defaults entry",
    terraform: "`consul_config_entry_service_defaults`",
    docs: "https://developer.hashicorp.com/consul/docs/agent/config-entries/service-defaults",
  },
  kind: "service-defaults",
  doc: "Consul `service-defaults` entry: the protocol of a service, and how its proxy handles inbound and outbound traffic.",
  members: {
    protocol: text(
      "Protocol of the service: `tcp`, `http`, `http2` or `grpc`. Consul converts it to lower case.",
    ),
    ...proxyMembers,
    externalSNI: text("TLS server name (SNI) of a service outside the mesh."),
    upstreamConfig: block(
      {
        defaults: block(upstream, "Defaults for all upstreams."),
        overrides: blocks(
          {
            name: requiredText("Name of the upstream."),
            ...place,
            peer: text("Cluster peer of the upstream."),
            ...upstream,
          },
          "Settings of individual upstreams.",
        ),
      },
      "Settings for traffic to the service's upstreams.",
    ),
    destination: block(
      {
        addresses: texts("Host names and IP addresses of the destination."),
        port: integer("Port on which the destination is reachable."),
      },
      "Addresses and port of a service outside the mesh.",
    ),
    maxInboundConnections: integer("Maximum number of concurrent inbound connections."),
    localConnectTimeoutMs: integer("Timeout for connections to the local service, in milliseconds."),
    localRequestTimeoutMs: integer("Timeout for requests to the local service, in milliseconds."),
    maxRequestHeadersKb: maxRequestHeaders,
    balanceInboundConnections: text(
      "Balancing of connections across the proxy's threads: `exact_balance`, or empty.",
    ),
    rateLimits: block(
      {
        instanceLevel: block(
          {
            ...rate,
            routes: blocks(
              {
                pathExact: text("Exact path to match."),
                pathPrefix: text("Path prefix to match."),
                pathRegex: text("Regular expression for the complete path."),
                ...rate,
              },
              "Rate limits for individual paths.",
            ),
          },
          "Request limits that apply to each instance.",
        ),
      },
      "Rate limits for requests to the service.",
    ),
  },
  rules: [
    exclusive("spec.upstreamConfig", "spec.destination", "a service is either in the mesh or outside it"),
  ],
});
