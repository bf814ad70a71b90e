import { z } from "zod";
import { field } from "../../../core";
import { block, blocks, choice, duration, flag, integer, text, texts } from "./members";
import { place } from "./parts";
import { typedEntry } from "./typedEntry";

const failover = z.strictObject({
  service: text("The service to turn to. Default: the same."),
  serviceSubset: text("The subset to turn to."),
  ...{ namespace: place.namespace },
  datacenters: texts("The datacenters to turn to, in this order."),
  targets: blocks(
    {
      service: text("The service to turn to."),
      serviceSubset: text("The subset of that service, as its resolver names it."),
      ...place,
      datacenter: text("The datacenter in which it is."),
      peer: text("The peer in which it is."),
    },
    "Where to turn to, in this order.",
  ),
  policy: block(
    {
      mode: text(
        "In which order targets are tried: `sequential`, or the nearest first (`order-by-locality`).",
      ),
      regions: texts("The regions, in this order."),
    },
    "How the next target is found.",
  ),
  samenessGroup: text("The sameness group to turn to (enterprise edition)."),
});

/** The instances behind a service's name (specification: part B). */
export default typedEntry({
  type: "ServiceResolver",
  kind: "service-resolver",
  doc: "A `service-resolver` entry: which instances a service's name stands for, and where to turn if there are none.",
  members: {
    defaultSubset: text("The subset that is meant where none is named."),
    subsets: field(
      z
        .record(
          z.string(),
          z.strictObject({
            filter: text("A filter expression over instances."),
            onlyPassing: flag("Whether only instances count whose checks all pass."),
          }),
        )
        .optional(),
      { doc: "Subsets of the instances, by names of the user." },
    ),
    redirect: block(
      {
        service: text("The service that is meant instead."),
        serviceSubset: text("The subset of that service, as its resolver names it."),
        ...place,
        datacenter: text("The datacenter in which it is."),
        peer: text("The peer in which it is."),
        samenessGroup: text("The sameness group in which it is (enterprise edition)."),
      },
      "Another service that this name stands for.",
    ),
    failover: field(z.record(z.string(), failover).optional(), {
      doc: "Where to turn if there are no healthy instances, by subset, or `*` for all.",
    }),
    connectTimeout: duration("How long a connection to the service may take."),
    requestTimeout: duration("How long a request to the service may take."),
    prioritizeByLocality: block(
      { mode: text("Whether they do: `none` or `failover`.") },
      "Whether near instances come first.",
    ),
    loadBalancer: block(
      {
        policy: choice(
          {
            random: "Any instance.",
            round_robin: "One after the other.",
            least_request: "The one of few that has the least to do.",
            ring_hash: "By a hash of the request, on a ring.",
            maglev: "By a hash of the request, by a table.",
          },
          "How requests are spread over instances.",
        ),
        ringHashConfig: block(
          {
            minimumRingSize: integer("The fewest entries that the hash ring has."),
            maximumRingSize: integer("The most entries that the hash ring has."),
          },
          "How large the hash ring is, for `ring_hash` only.",
        ),
        leastRequestConfig: block(
          { choiceCount: integer("How many instances are compared.") },
          "How instances are chosen, for `least_request` only.",
        ),
        hashPolicies: blocks(
          {
            field: choice(
              { header: "A header.", cookie: "A cookie.", query_parameter: "A parameter of the query." },
              "What of the request is hashed.",
            ),
            fieldValue: text("The name of the header, cookie or parameter."),
            cookieConfig: block(
              {
                session: flag("Whether it is a session cookie."),
                ttl: duration("How long the cookie holds.", "TTL"),
                path: text("The path for which the cookie is set."),
              },
              "A cookie that is made where there is none.",
            ),
            sourceIp: flag("Whether the caller's address is hashed.", "SourceIP"),
            terminal: flag("Whether nothing after it counts where it applies."),
          },
          "What requests are told apart by, for `ring_hash` and `maglev` only.",
        ),
      },
      "How requests are spread over the instances.",
    ),
  },
});
