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
  namespace: text("The namespace of the service, where it is another than the entry's (enterprise edition)."),
  partition: text(
    "The admin partition of the service, where it is another than the entry's (enterprise edition).",
  ),
};

/** A reference to another entry, or to a section of it. */
export const reference = {
  kind: text("The kind of the entry that is meant."),
  name: requiredText("The name of the entry that is meant."),
  sectionName: text("The section of it, such as a listener's name."),
  ...place,
};

/** Changes to headers. */
const modifiers = {
  add: textMap("Headers that are added to those that are there."),
  set: textMap("Headers that replace those that are there."),
  remove: texts("Headers that are taken away."),
};

/** Changes to the headers of requests and responses. */
export const modified = {
  requestHeaders: block(modifiers, "How the request's headers are changed."),
  responseHeaders: block(modifiers, "How the answer's headers are changed."),
};

/** A match for the path of a request: at most one of the three. */
export const pathMatch = {
  pathExact: text("The path that is meant, just as it is; begins with `/`."),
  pathPrefix: text("What the path begins with; begins with `/`."),
  pathRegex: text("A regular expression for the whole path."),
};

/** A match for a header of a request: a name, and exactly one way to match it. */
export const routeHeaderMatch = {
  name: requiredText("The name of the header that is compared."),
  present: flag("Whether the header must be there, with whatever value."),
  exact: text("The exact value."),
  prefix: text("What the value begins with."),
  suffix: text("What the value ends with."),
  regex: text("A regular expression for the whole value."),
  invert: flag("Whether the match is turned round."),
};

/** A match for a header in an intention, which has two more members than a route's. */
export const headerMatch = {
  ...routeHeaderMatch,
  contains: text("What the value contains."),
  ignoreCase: flag("Whether the case of letters is passed over."),
};

/** The requirements for a JSON web token. */
export const jwt = block(
  {
    providers: blocks(
      {
        name: requiredText("The name of the `jwt-provider` entry."),
        verifyClaims: blocks(
          {
            path: texts("The path to the claim, outermost first."),
            value: text("The value that it must have."),
          },
          "Claims that must be there.",
        ),
      },
      "The providers of which one must have issued the token.",
    ),
  },
  "What a JSON web token must fulfil.",
  "JWT",
);

/** The bounds of a TLS connection. */
export const tlsBounds = {
  tlsMinVersion: text("The lowest version: `TLS_AUTO`, `TLSv1_0` to `TLSv1_3`.", "TLSMinVersion"),
  tlsMaxVersion: text("The highest version: `TLS_AUTO`, `TLSv1_0` to `TLSv1_3`.", "TLSMaxVersion"),
  cipherSuites: texts("The cipher suites, for TLS 1.2 and earlier."),
};

/** The source of a certificate (Envoy's secret discovery service). */
export const certificateSource = block(
  {
    clusterName: text("The Envoy cluster that serves certificates."),
    certResource: text("The certificate's name there."),
  },
  "The secret discovery service that holds the certificate.",
  "SDS",
);

/** The conditions that eject an unhealthy host. */
export const passiveHealthCheck = block(
  {
    interval: duration("The time between two looks."),
    maxFailures: integer("Consecutive failures after which a host is left out."),
    enforcingConsecutive5xx: integer(
      "The chance, in percent, that it is then left out in fact.",
      "EnforcingConsecutive5xx",
    ),
    maxEjectionPercent: integer("The largest share of hosts, in percent, that may be left out at once."),
    baseEjectionTime: duration("How long a host is left out the first time."),
  },
  "When a host counts as unwell, and is left out.",
);

/** The limits for concurrent traffic to an upstream. */
export const limits = {
  maxConnections: integer("The most connections at once."),
  maxPendingRequests: integer("The most requests that wait for a connection."),
  maxConcurrentRequests: integer("The most requests at once."),
};

const mode = (doc: string) =>
  block(
    {
      mode: text(
        "Through which gateway it goes: `none`, `local` (of the own datacenter) or `remote` (of the other).",
      ),
    },
    doc,
  );

export const meshGateway = mode("Through which mesh gateways traffic to other datacenters goes.");

/** The common members of one service's defaults and of the defaults for all proxies. */
export const proxyMembers = {
  mode: text("How traffic enters and leaves the proxy: `direct` or `transparent`."),
  transparentProxy: block(
    {
      outboundListenerPort: integer("The port to which outgoing traffic is led."),
      dialedDirectly: flag("Whether the instances of the service are reached by their own addresses too."),
    },
    "How the transparent proxy works.",
  ),
  mutualTLSMode: choice(
    { strict: "Mutual TLS only.", permissive: "Plain connections too." },
    "Whether incoming connections must be mutual TLS (`strict`), or may be plain (`permissive`).",
  ),
  meshGateway,
  expose: block(
    {
      checks: flag("Whether the paths of HTTP and gRPC health checks are reachable without the proxy's TLS."),
      paths: blocks(
        {
          listenerPort: integer("The port at which the proxy exposes it."),
          path: text("The path that the proxy exposes."),
          localPathPort: integer("The port of the service."),
          protocol: text("What is spoken there: `http` or `http2`."),
        },
        "Paths that are reachable without the proxy's TLS.",
      ),
    },
    "What is reachable without the proxy's TLS.",
  ),
  envoyExtensions: blocks(
    {
      name: requiredText("The extension's name, such as `builtin/lua`."),
      required: flag("Whether the proxy's configuration fails where the extension cannot be applied."),
      // Open: each extension has its own arguments.
      arguments: freeMap("The extension's own arguments."),
      consulVersion: text(
        "The versions of the catalog for which it is applied (a constraint).",
        "ConsulVersion",
      ),
      envoyVersion: text("The versions of Envoy for which it is applied (a constraint)."),
    },
    "Extensions of the proxy's configuration, in their order.",
  ),
};

/** The user's metadata on an entry. */
export const meta = textMap("Key-value pairs of the user; at most 64.");
