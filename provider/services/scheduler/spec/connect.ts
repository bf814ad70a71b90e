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
  destinationName: text("The service that is reached."),
  destinationNamespace: text("The namespace of that service."),
  destinationPeer: text("The cluster peer of that service."),
  destinationPartition: text("The admin partition of that service."),
  destinationType: text("What is reached: `service` or `prepared_query`."),
  localBindPort: integer("The port on which the proxy listens for it."),
  datacenter: text("The datacenter of that service."),
  localBindAddress: text("The address on which the proxy listens for it."),
  localBindSocketPath: text("A Unix socket, in place of a port."),
  localBindSocketMode: text("The socket's permissions, in octal."),
  // Nomad always returns this block, even if nobody wrote it.
  meshGateway: orElse(
    {},
    one(
      sharedObject("JobMeshGateway", { mode: text("The mode: `local`, `remote` or `none`.") }),
      "How mesh gateways are used.",
    ),
  ),
  // Open: the proxy's own options, with the user's keys.
  config: freeMap("The proxy's own options for it: keys and values are left alone."),
});

const exposedPath = sharedObject("JobExposedPath", {
  path: text("The HTTP path that is exposed."),
  protocol: text("The protocol: `http` or `http2`."),
  localPathPort: integer("The port of the service behind it."),
  listenerPort: text("The label of the port on which the proxy listens."),
});

/** The sidecar proxy of a service. */
export const sidecarProxy = sharedObject("JobSidecarProxy", {
  localServiceAddress: text("The address of the service behind the proxy."),
  localServicePort: integer("The port of the service behind the proxy."),
  upstreams: many(upstream, "The services that are reached through the proxy."),
  expose: one(
    sharedObject("JobExpose", {
      paths: many(exposedPath, "The HTTP paths, each with a listener of its own."),
    }),
    "HTTP paths that are reached without the mesh.",
  ),
  transparentProxy: one(
    sharedObject("JobTransparentProxy", {
      uid: text("The user id as which the proxy runs.", "UID"),
      outboundPort: integer("The port to which outgoing connections are redirected."),
      excludeInboundPorts: texts("Ports, or their labels, that are not redirected."),
      excludeOutboundPorts: integers("Outgoing ports that are not redirected."),
      excludeOutboundCidrs: texts("Outgoing networks that are not redirected.", "ExcludeOutboundCIDRs"),
      excludeUids: texts("User ids whose connections are not redirected.", "ExcludeUIDs"),
      noDns: flag("Whether DNS is not redirected to the mesh.", "NoDNS"),
    }),
    "Redirect all connections of the group through the proxy.",
  ),
  // Open: the proxy's own options, with the user's keys.
  config: freeMap("The proxy's own options: keys and values are left alone."),
});

const tls = sharedObject("JobGatewayTls", {
  enabled: flag("Whether connections use TLS."),
  tlsMinVersion: text("The oldest version of TLS.", "TLSMinVersion"),
  tlsMaxVersion: text("The newest version of TLS.", "TLSMaxVersion"),
  cipherSuites: texts("The cipher suites up to TLS 1.2."),
  sds: one(
    sharedObject("JobGatewaySds", {
      clusterName: text("The cluster of the discovery service that has the certificate."),
      certResource: text("The name of the resource there."),
    }),
    "The secret discovery service with the certificate.",
    "SDS",
  ),
});

const headers = sharedObject("JobHeaderModifiers", {
  add: textMap("Headers that are added, by name."),
  set: textMap("Headers that are set, by name."),
  remove: texts("The names of headers that are removed."),
});

const ingressService = sharedObject("JobIngressService", {
  name: text("The service's name, or `*`."),
  hosts: texts("The host names by which it is reached."),
  tls: one(tls, "TLS of this service, over the gateway's.", "TLS"),
  requestHeaders: one(headers, "What is changed in the headers of requests."),
  responseHeaders: one(headers, "What is changed in the headers of responses."),
  maxConnections: evenEmpty(integer("The most HTTP/1.1 connections to an instance.")),
  maxPendingRequests: evenEmpty(integer("The most requests that wait for a connection.")),
  maxConcurrentRequests: evenEmpty(integer("The most HTTP/2 requests at a time.")),
});

const bindAddress = sharedObject("JobGatewayBindAddress", {
  address: text("The IP address on which the gateway listens."),
  port: integer("The port number on which the gateway listens."),
});

/** A mesh gateway that replaces a service's proxy. */
export const gateway = sharedObject("JobGateway", {
  proxy: one(
    sharedObject("JobGatewayProxy", {
      connectTimeout: orElse(
        5_000_000_000,
        duration("How long a connection to a service may take. Default: 5 seconds."),
      ),
      envoyGatewayBindTaggedAddresses: flag("Whether the tagged addresses of the service are bound, too."),
      envoyGatewayBindAddresses: mapOf(bindAddress, "Further addresses that are bound, by name."),
      envoyGatewayNoDefaultBind: flag("Whether the default address is not bound."),
      envoyDnsDiscoveryType: text(
        "How names are resolved: `STRICT_DNS` or `LOGICAL_DNS`.",
        "EnvoyDNSDiscoveryType",
      ),
      // Open: the proxy's own options, with the user's keys.
      config: freeMap("The proxy's own options: keys and values are left alone."),
    }),
    "The proxy that is the gateway.",
  ),
  ingress: one(
    sharedObject("JobIngressGateway", {
      tls: one(tls, "TLS of all listeners.", "TLS"),
      listeners: many(
        sharedObject("JobIngressListener", {
          port: integer("The port on which the gateway listens."),
          protocol: text("The protocol: `tcp`, `http`, `http2` or `grpc`."),
          services: many(ingressService, "The services behind it."),
        }),
        "The listeners, each with a port of its own.",
      ),
    }),
    "The gateway takes connections from outside of the mesh.",
  ),
  terminating: one(
    sharedObject("JobTerminatingGateway", {
      services: many(
        sharedObject("JobLinkedService", {
          name: text("The service's name, or `*`."),
          caFile: text("The file of the certificate authority.", "CAFile"),
          certFile: text("The file of the client certificate."),
          keyFile: text("The file of the client certificate's key."),
          sni: text("The host name of the TLS handshake.", "SNI"),
        }),
        "The services outside of the mesh.",
      ),
    }),
    "The gateway leads to services outside of the mesh.",
  ),
  mesh: one(
    sharedObject("JobMeshGatewayKind", {}),
    "The gateway connects datacenters. It has no options: write `{}`.",
  ),
});
