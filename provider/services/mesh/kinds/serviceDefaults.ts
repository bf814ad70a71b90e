import { exclusive } from "../../../core";
import { block, blocks, integer, requiredText, text, texts } from "./members";
import { limits, meshGateway, passiveHealthCheck, place, proxyMembers } from "./parts";
import { typedEntry } from "./typedEntry";

const upstream = {
  protocol: text("The protocol of the upstream: `tcp`, `http`, `http2` or `grpc`."),
  connectTimeoutMs: integer("Milliseconds that a connection to the upstream may take."),
  limits: block(limits, "The most that may go to the upstream at once."),
  passiveHealthCheck,
  meshGateway,
  balanceOutboundConnections: text(
    "How connections are spread over the proxy's threads: `exact_balance`, or empty.",
  ),
  envoyListenerJson: text(
    "A listener of Envoy, as JSON, in place of the generated one.",
    "EnvoyListenerJSON",
  ),
  envoyClusterJson: text("A cluster of Envoy, as JSON, in place of the generated one.", "EnvoyClusterJSON"),
};

const rate = {
  requestsPerSecond: integer("Requests a second, on average."),
  requestsMaxBurst: integer("Requests at once."),
};

/** The protocol of a service, and its proxy's handling of inbound and outbound traffic (specification: part B). */
export default typedEntry({
  type: "ServiceDefaults",
  kind: "service-defaults",
  doc: "A `service-defaults` entry: what a service speaks, and how its proxy treats what comes and goes.",
  members: {
    protocol: text(
      "The protocol of the service: `tcp`, `http`, `http2` or `grpc`. The service lower-cases it.",
    ),
    ...proxyMembers,
    externalSNI: text("The server name of a service outside of the mesh."),
    upstreamConfig: block(
      {
        defaults: block(upstream, "What holds for every upstream."),
        overrides: blocks(
          {
            name: requiredText("The upstream's name."),
            ...place,
            peer: text("The peer in which it is."),
            ...upstream,
          },
          "What holds for one upstream.",
        ),
      },
      "How the service's upstreams are reached.",
    ),
    destination: block(
      {
        addresses: texts("Host names and addresses at which it is reached."),
        port: integer("The port at which it is reached."),
      },
      "Where a service outside of the mesh is.",
    ),
    maxInboundConnections: integer("The most incoming connections at once."),
    localConnectTimeoutMs: integer("Milliseconds that a connection to the local service may take."),
    localRequestTimeoutMs: integer("Milliseconds that a request to the local service may take."),
    balanceInboundConnections: text(
      "How connections are spread over the proxy's threads: `exact_balance`, or empty.",
    ),
    rateLimits: block(
      {
        instanceLevel: block(
          {
            ...rate,
            routes: blocks(
              {
                pathExact: text("The path that is meant, just as it is."),
                pathPrefix: text("What the path begins with."),
                pathRegex: text("A regular expression for the whole path."),
                ...rate,
              },
              "Other rates by path.",
            ),
          },
          "How many requests each instance takes.",
        ),
      },
      "How many requests the service takes.",
    ),
  },
  rules: [exclusive("spec.upstreamConfig", "spec.destination", "a service is in the mesh or outside of it")],
});
