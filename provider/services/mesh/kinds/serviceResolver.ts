import { z } from "zod";
import { field } from "../../../core";
import { block, blocks, choice, duration, flag, integer, text, texts } from "./members";
import { place } from "./parts";
import { typedEntry } from "./typedEntry";

const failover = z.strictObject({
  service: text("Service to fail over to. Default: the same service."),
  serviceSubset: text("Service subset to fail over to."),
  ...{ namespace: place.namespace },
  datacenters: texts("Datacenters to fail over to, in this order."),
  targets: blocks(
    {
      service: text("Service to fail over to."),
      serviceSubset: text("Subset of that service, as defined in its `service-resolver`."),
      ...place,
      datacenter: text("Datacenter in which the service runs."),
      peer: text("Cluster peer of the service."),
    },
    "Failover targets, tried in this order.",
  ),
  policy: block(
    {
      mode: text(
        "Order in which failover targets are tried: `sequential`, or nearest first (`order-by-locality`).",
      ),
      regions: texts("Regions to try, in this order."),
    },
    "How the next failover target is selected.",
  ),
  samenessGroup: text("Sameness group to fail over to (Consul Enterprise)."),
});

/** The instances behind a service's name (specification: part B). */
export default typedEntry({
  type: "ServiceResolver",
  product: {
    noun: "Consul service-resolver entry",
    terraform: "`consul_config_entry_service_resolver`",
    docs: "https://developer.hashicorp.com/consul/api-docs/config",
  },
  kind: "service-resolver",
  doc: "Consul `service-resolver` entry: the instances that a service name resolves to, and its failover.",
  members: {
    defaultSubset: text("Subset for requests that do not name one."),
    subsets: field(
      z
        .record(
          z.string(),
          z.strictObject({
            filter: text("Filter expression that selects instances."),
            onlyPassing: flag("Include only instances whose health checks all pass."),
          }),
        )
        .optional(),
      { doc: "Subsets of the instances, by user-defined name." },
    ),
    redirect: block(
      {
        service: text("Service that receives the traffic instead."),
        serviceSubset: text("Subset of that service, as defined in its `service-resolver`."),
        ...place,
        datacenter: text("Datacenter in which the service runs."),
        peer: text("Cluster peer of the service."),
        samenessGroup: text("Sameness group of the service (Consul Enterprise)."),
      },
      "Redirect of this service name to another service.",
    ),
    failover: field(z.record(z.string(), failover).optional(), {
      doc: "Failover targets if there are no healthy instances, by subset, or `*` for all subsets.",
    }),
    connectTimeout: duration("Timeout for connections to the service."),
    requestTimeout: duration("Timeout for requests to the service."),
    prioritizeByLocality: block(
      { mode: text("Locality mode: `none` or `failover`.") },
      "Preference for instances in nearby localities.",
    ),
    loadBalancer: block(
      {
        policy: choice(
          {
            random: "A random instance.",
            round_robin: "Each instance in turn.",
            least_request: "The instance with the fewest active requests among a few candidates.",
            ring_hash: "Consistent hashing of the request with a hash ring.",
            maglev: "Consistent hashing of the request with a Maglev table.",
          },
          "Load balancing policy.",
        ),
        ringHashConfig: block(
          {
            minimumRingSize: integer("Minimum number of entries in the hash ring."),
            maximumRingSize: integer("Maximum number of entries in the hash ring."),
          },
          "Size of the hash ring, for `ring_hash` only.",
        ),
        leastRequestConfig: block(
          { choiceCount: integer("Number of instances to compare.") },
          "Selection of instances, for `least_request` only.",
        ),
        hashPolicies: blocks(
          {
            field: choice(
              { header: "A header.", cookie: "A cookie.", query_parameter: "A query parameter." },
              "Part of the request to hash.",
            ),
            fieldValue: text("Name of the header, cookie or query parameter."),
            cookieConfig: block(
              {
                session: flag("Use a session cookie."),
                ttl: duration("Lifetime of the cookie.", "TTL"),
                path: text("Path for which the cookie is set."),
              },
              "Cookie to create if the request has none.",
            ),
            sourceIp: flag("Hash the caller's IP address.", "SourceIP"),
            terminal: flag("Skip the remaining hash policies if this one applies."),
          },
          "Parts of the request to hash, for `ring_hash` and `maglev` only.",
        ),
      },
      "Load balancing of requests across the instances.",
    ),
  },
});
