import { z } from "zod";
import { enumeration, field } from "../../../core";
import { block, blocks, requiredBlocks, requiredText, text, texts } from "./members";
import {
  certificateSource,
  extAuthz,
  gatewayTls,
  jwt,
  limits,
  maxRequestHeaders,
  NEWER,
  passiveHealthCheck,
  reference,
} from "./parts";
import { typedEntry } from "./typedEntry";

const jwtPolicy = (doc: string) => block({ jwt }, doc);

/** The listeners of an API gateway (specification: part B). */
export default typedEntry({
  type: "ApiGateway",
  product: {
    noun: "Consul api-gateway entry",
    terraform: "`consul_config_entry`",
    docs: "https://developer.hashicorp.com/consul/api-docs/config",
  },
  kind: "api-gateway",
  doc: "Consul `api-gateway` entry: the listeners of an API gateway. Its `Status`, which only Consul sets, shows which routes are bound.",
  members: {
    listeners: requiredBlocks(
      {
        name: requiredText("Name of the listener: lower-case letters, digits, dashes and dots."),
        hostname: text(
          "Host name that the listener accepts, for `http` only; a wildcard is allowed only as the left-most label.",
        ),
        port: field(z.int().min(1).max(65_535), { doc: "Port on which the gateway listens." }),
        protocol: field(enumeration({ http: "HTTP requests.", tcp: "TCP connections." }), {
          doc: "Protocol that the listener accepts.",
        }),
        tls: block(
          {
            certificates: blocks(
              reference,
              "Certificates of the listener. Default kind: `inline-certificate`.",
            ),
            minVersion: text("Minimum TLS version."),
            maxVersion: text("Maximum TLS version."),
            cipherSuites: texts("Cipher suites, for TLS 1.2 and earlier."),
            sds: certificateSource,
          },
          "TLS settings of the listener.",
          "TLS",
        ),
        override: jwtPolicy("JWT policy that overrides the policies of all routes (Consul Enterprise)."),
        default: jwtPolicy("JWT policy for routes without a policy (Consul Enterprise)."),
        maxRequestHeadersKb: maxRequestHeaders,
      },
      "Ports and protocols on which the gateway listens.",
    ),
    tls: gatewayTls(`Default TLS settings of all listeners. ${NEWER}`),
    defaults: block({ ...limits, passiveHealthCheck }, `Defaults for the services of all routes. ${NEWER}`),
    extAuthz: extAuthz(
      "External authorization of all routes, if an Envoy extension provides it. If unset, it is enabled.",
    ),
  },
});
