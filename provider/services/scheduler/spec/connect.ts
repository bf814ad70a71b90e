import {
  evenEmpty,
  flag,
  freeMap,
  integer,
  integers,
  many,
  mapOf,
  one,
  orElse,
  sharedObject,
  text,
  textMap,
  texts,
} from "../../../core";
import { duration } from "./duration";

// The parts of a service in the mesh (source: Nomad 2.0.5, `api/consul.go`; the specification does not document them).

const upstream = sharedObject("JobUpstream", {
  destinationName: text("Name of the upstream Consul service."),
  destinationNamespace: text("Consul namespace of the upstream service."),
  destinationPeer: text("Cluster peer of the upstream service."),
  destinationPartition: text("Admin partition of the upstream service."),
  destinationType: text("Kind of upstream: `service` or `prepared_query`."),
  localBindPort: integer("Local port where the proxy listens for connections to the upstream service."),
  datacenter: text("Datacenter of the upstream service."),
  localBindAddress: text("Local address where the proxy listens for connections to the upstream service."),
  localBindSocketPath: text("Path of a Unix socket to listen on instead of a port."),
  localBindSocketMode: text("Permissions of the Unix socket, in octal."),
  // Nomad always returns this block, even if nobody wrote it.
  meshGateway: orElse(
    {},
    one(
      sharedObject("JobMeshGateway", { mode: text("Mesh gateway mode: `local`, `remote` or `none`.") }),
      "Mesh gateway settings of the upstream service (`mesh_gateway` block).",
    ),
  ),
  // Open: the proxy's own options, with the user's keys.
  config: freeMap("Proxy options for the upstream service, passed to the proxy unchanged."),
});

const exposedPath = sharedObject("JobExposedPath", {
  path: text("HTTP path to expose."),
  protocol: text("Protocol of the listener: `http` or `http2`."),
  localPathPort: integer("Port where the service listens for the path."),
  listenerPort: text("Label of the port where the proxy listens."),
});

/** The sidecar proxy of a service. */
export const sidecarProxy = sharedObject("JobSidecarProxy", {
  localServiceAddress: text("Address of the local service behind the proxy."),
  localServicePort: integer("Port of the local service behind the proxy."),
  upstreams: many(upstream, "Upstream services that are reached through the proxy (`upstreams` blocks)."),
  expose: one(
    sharedObject("JobExpose", {
      paths: many(exposedPath, "HTTP paths to expose (`path` blocks), each with its own listener."),
    }),
    "HTTP paths that clients outside the service mesh can reach (`expose` block).",
  ),
  transparentProxy: one(
    sharedObject("JobTransparentProxy", {
      uid: text("User ID of the Envoy proxy.", "UID"),
      outboundPort: integer(
        "Listener port of the Envoy proxy that receives redirected outbound connections.",
      ),
      excludeInboundPorts: texts(
        "Inbound ports, as numbers or labels, that are not redirected to the proxy.",
      ),
      excludeOutboundPorts: integers("Outbound ports that are not redirected to the proxy."),
      excludeOutboundCidrs: texts(
        "Outbound CIDR blocks that are not redirected to the proxy.",
        "ExcludeOutboundCIDRs",
      ),
      excludeUids: texts("User IDs whose connections are not redirected to the proxy.", "ExcludeUIDs"),
      noDns: flag("Disable the redirection of DNS requests to Consul.", "NoDNS"),
    }),
    "Redirect all connections of the group through the proxy (`transparent_proxy` block).",
  ),
  // Open: the proxy's own options, with the user's keys.
  config: freeMap("Proxy options, passed to the proxy unchanged."),
});

const tls = sharedObject("JobGatewayTls", {
  enabled: flag("Enable TLS for connections."),
  tlsMinVersion: text("Minimum TLS version.", "TLSMinVersion"),
  tlsMaxVersion: text("Maximum TLS version.", "TLSMaxVersion"),
  cipherSuites: texts("Cipher suites for TLS 1.2 and earlier."),
  sds: one(
    sharedObject("JobGatewaySds", {
      clusterName: text("Name of the SDS cluster that serves the certificate."),
      certResource: text("Name of the certificate resource in the SDS cluster."),
    }),
    "Secret discovery service (SDS) that serves the certificate.",
    "SDS",
  ),
});

const headers = sharedObject("JobHeaderModifiers", {
  add: textMap("Headers to add, by name."),
  set: textMap("Headers to set, by name. An existing value is replaced."),
  remove: texts("Names of the headers to remove."),
});

const ingressService = sharedObject("JobIngressService", {
  name: text("Name of the Consul service, or `*` for all services."),
  hosts: texts("Host names of requests that the gateway forwards to the service."),
  tls: one(tls, "TLS settings of the service, which override those of the gateway.", "TLS"),
  requestHeaders: one(headers, "Changes to the headers of requests."),
  responseHeaders: one(headers, "Changes to the headers of responses."),
  maxConnections: evenEmpty(integer("Maximum number of HTTP/1.1 connections to a service instance.")),
  maxPendingRequests: evenEmpty(integer("Maximum number of requests that wait for a connection.")),
  maxConcurrentRequests: evenEmpty(integer("Maximum number of concurrent HTTP/2 requests.")),
});

const bindAddress = sharedObject("JobGatewayBindAddress", {
  address: text("IP address where the gateway listens."),
  port: integer("Port number where the gateway listens."),
});

/** A mesh gateway that replaces a service's proxy. */
export const gateway = sharedObject("JobGateway", {
  proxy: one(
    sharedObject("JobGatewayProxy", {
      connectTimeout: orElse(
        5_000_000_000,
        duration("Timeout for connecting to a service. Default: 5 seconds."),
      ),
      envoyGatewayBindTaggedAddresses: flag("Bind the tagged addresses of the gateway service as well."),
      envoyGatewayBindAddresses: mapOf(bindAddress, "Additional addresses to bind, by name."),
      envoyGatewayNoDefaultBind: flag("Do not bind the default address of the gateway service."),
      envoyDnsDiscoveryType: text(
        "DNS discovery type of Envoy: `STRICT_DNS` or `LOGICAL_DNS`.",
        "EnvoyDNSDiscoveryType",
      ),
      // Open: the proxy's own options, with the user's keys.
      config: freeMap("Proxy options, passed to the proxy unchanged."),
    }),
    "Proxy of the gateway (`proxy` block).",
  ),
  ingress: one(
    sharedObject("JobIngressGateway", {
      tls: one(tls, "TLS settings of all listeners (`tls` block).", "TLS"),
      listeners: many(
        sharedObject("JobIngressListener", {
          port: integer("Port where the gateway listens."),
          protocol: text("Protocol of the listener: `tcp`, `http`, `http2` or `grpc`."),
          services: many(ingressService, "Services that receive the connections (`service` blocks)."),
        }),
        "Listeners of the gateway (`listener` blocks), each on its own port.",
      ),
    }),
    "Ingress gateway: accepts connections from outside the service mesh (`ingress` block).",
  ),
  terminating: one(
    sharedObject("JobTerminatingGateway", {
      services: many(
        sharedObject("JobLinkedService", {
          name: text("Name of the Consul service, or `*` for all services."),
          caFile: text("Path of the CA certificate file.", "CAFile"),
          certFile: text("Path of the client certificate file."),
          keyFile: text("Path of the private key file of the client certificate."),
          sni: text("Server name (SNI) sent in the TLS handshake.", "SNI"),
        }),
        "Services outside the service mesh (`service` blocks).",
      ),
    }),
    "Terminating gateway: forwards connections to services outside the service mesh (`terminating` block).",
  ),
  mesh: one(
    sharedObject("JobMeshGatewayKind", {}),
    "Mesh gateway: connects datacenters (`mesh` block). The block has no options: set `{}`.",
  ),
});
