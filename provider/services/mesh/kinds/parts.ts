import { z } from "zod";
import { field } from "../../../core";
import {
  block,
  blocks,
  choice,
  duration,
  flag,
  freeMap,
  integer,
  requiredText,
  text,
  textMap,
  texts,
} from "./members";

/** The namespace and the partition of a service, if they differ from the entry's. */
export const place = {
  namespace: text("Namespace of the service, if it differs from the entry's (Consul Enterprise)."),
  partition: text("Admin partition of the service, if it differs from the entry's (Consul Enterprise)."),
};

/** A reference to another entry, or to a section of it. */
export const reference = {
  kind: text("Kind of the referenced entry."),
  name: requiredText("Name of the referenced entry."),
  sectionName: text("Section of the referenced entry, such as a listener's name."),
  ...place,
};

/** Changes to headers. */
const modifiers = {
  add: textMap("Headers to add; existing values stay."),
  set: textMap("Headers to set; existing values are replaced."),
  remove: texts("Names of headers to remove."),
};

/** Changes to the headers of requests and responses. */
export const modified = {
  requestHeaders: block(modifiers, "Changes to the request's headers."),
  responseHeaders: block(modifiers, "Changes to the response's headers."),
};

/** A match for the path of a request: at most one of the three. */
export const pathMatch = {
  pathExact: text("Exact path to match; starts with `/`."),
  pathPrefix: text("Path prefix to match; starts with `/`."),
  pathRegex: text("Regular expression for the complete path."),
};

/** A match for a header of a request: a name, and exactly one way to match it. */
export const routeHeaderMatch = {
  name: requiredText("Name of the header to match."),
  present: flag("Match if the header is present, with any value."),
  exact: text("Exact value to match."),
  prefix: text("Prefix of the value to match."),
  suffix: text("Suffix of the value to match."),
  regex: text("Regular expression for the complete value."),
  invert: flag("Invert the match."),
};

/** A match for a header in an intention, which has two more members than a route's. */
export const headerMatch = {
  ...routeHeaderMatch,
  contains: text("Substring of the value to match."),
  ignoreCase: flag("Ignore letter case."),
};

/** The requirements for a JSON web token. */
export const jwt = block(
  {
    providers: blocks(
      {
        name: requiredText("Name of the `jwt-provider` entry."),
        verifyClaims: blocks(
          {
            path: texts("Path to the claim, outermost member first."),
            value: text("Required value of the claim."),
          },
          "Claims that the token must contain.",
        ),
      },
      "JWT providers; one of them must have issued the token.",
    ),
  },
  "Requirements for a JSON Web Token (JWT).",
  "JWT",
);

/** The bounds of a TLS connection. */
export const tlsBounds = {
  tlsMinVersion: text("Minimum TLS version: `TLS_AUTO`, or `TLSv1_0` to `TLSv1_3`.", "TLSMinVersion"),
  tlsMaxVersion: text("Maximum TLS version: `TLS_AUTO`, or `TLSv1_0` to `TLSv1_3`.", "TLSMaxVersion"),
  cipherSuites: texts("Cipher suites, for TLS 1.2 and earlier."),
};

/** The source of a certificate (Envoy's secret discovery service). */
export const certificateSource = block(
  {
    clusterName: text("Envoy cluster that serves the certificate."),
    certResource: text("Name of the certificate resource in that cluster."),
  },
  "Secret discovery service (SDS) that provides the certificate.",
  "SDS",
);

/** A note on members that Consul 1.22 does not have: it rejects entries that contain them. */
export const NEWER = "Consul after 1.22.";

/** The TLS settings of a gateway's listeners. */
export const gatewayTls = (doc: string) =>
  block({ enabled: flag("Encrypt connections with TLS."), sds: certificateSource, ...tlsBounds }, doc, "TLS");

/** The conditions that eject an unhealthy host. */
export const passiveHealthCheck = block(
  {
    interval: duration("Interval between two checks."),
    maxFailures: integer("Consecutive failures after which a host is ejected."),
    enforcingConsecutive5xx: integer(
      "Probability, in percent, that a host with that many failures is actually ejected.",
      "EnforcingConsecutive5xx",
    ),
    consecutive5xx: integer(
      `Consecutive 5xx responses after which a host is ejected, instead of \`maxFailures\`. ${NEWER}`,
      "Consecutive5xx",
    ),
    consecutiveGatewayFailure: integer(
      `Consecutive gateway failures (502, 503, 504) after which a host is ejected; 0 disables the check. ${NEWER}`,
    ),
    enforcingConsecutiveGatewayFailure: integer(
      `Probability, in percent, that a host with that many gateway failures is actually ejected. ${NEWER}`,
    ),
    maxEjectionPercent: integer("Maximum percentage of hosts that can be ejected at the same time."),
    baseEjectionTime: duration("Duration of a host's first ejection."),
  },
  "Passive health check: when an unhealthy host is ejected.",
);

/** The largest headers of a request. */
export const maxRequestHeaders = integer(
  "Maximum size of a request's headers, in kilobytes. If unset, Envoy's own limit applies. Consul 1.22 or later.",
  "MaxRequestHeadersKB",
);

/** The limits for concurrent traffic to an upstream. */
export const limits = {
  maxConnections: integer("Maximum number of concurrent connections."),
  maxPendingRequests: integer("Maximum number of requests that wait for a connection."),
  maxConcurrentRequests: integer("Maximum number of concurrent requests."),
};

/** The limits and the TLS certificate of one destination of a route. */
export const destinationSettings = {
  tls: block({ sds: certificateSource }, `TLS certificate of the service. ${NEWER}`, "TLS"),
  limits: block({ ...limits, passiveHealthCheck }, `Limits for traffic to the service. ${NEWER}`),
};

/** A switch of Envoy's external authorization. */
export const extAuthz = (doc: string) =>
  block(
    {
      enabled: field(z.boolean(), {
        doc: "Check requests with the external authorization service.",
      }),
    },
    `${doc} ${NEWER}`,
  );

const mode = (doc: string) =>
  block(
    {
      mode: text(
        "Mesh gateway mode: `none`, `local` (gateway in the local datacenter) or `remote` (gateway in the remote datacenter).",
      ),
    },
    doc,
  );

export const meshGateway = mode("Mesh gateways for traffic to other datacenters.");

/** The common members of one service's defaults and of the defaults for all proxies. */
export const proxyMembers = {
  mode: text("Proxy mode for inbound and outbound traffic: `direct` or `transparent`."),
  transparentProxy: block(
    {
      outboundListenerPort: integer("Port to which outbound traffic is redirected."),
      dialedDirectly: flag("Allow direct connections to the addresses of the service's instances."),
    },
    "Transparent proxy settings.",
  ),
  mutualTLSMode: choice(
    { strict: "Only mutual TLS.", permissive: "Mutual TLS or plain connections." },
    "Mutual TLS mode of incoming connections: `strict` (required) or `permissive` (plain connections are also accepted).",
  ),
  meshGateway,
  expose: block(
    {
      checks: flag("Expose the paths of HTTP and gRPC health checks without the proxy's TLS."),
      paths: blocks(
        {
          listenerPort: integer("Port on which the proxy exposes the path."),
          path: text("Path that the proxy exposes."),
          localPathPort: integer("Port of the service that serves the path."),
          protocol: text("Protocol of the path: `http` or `http2`."),
        },
        "Paths that are exposed without the proxy's TLS.",
      ),
    },
    "HTTP paths that are exposed without the proxy's TLS.",
  ),
  envoyExtensions: blocks(
    {
      name: requiredText("Name of the extension, such as `builtin/lua`."),
      required: flag("Fail the proxy's configuration if the extension cannot be applied."),
      // Open: each extension has its own arguments.
      arguments: freeMap("Arguments that the extension receives."),
      consulVersion: text(
        "Version constraint for Consul; the extension is applied only to matching versions.",
        "ConsulVersion",
      ),
      envoyVersion: text("Version constraint for Envoy; the extension is applied only to matching versions."),
    },
    "Envoy extensions, in the order in which they are applied.",
  ),
};

/** The user's metadata on an entry. */
export const meta = textMap("User-defined key-value pairs; at most 64.");
