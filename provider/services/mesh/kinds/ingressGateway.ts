import { z } from "zod";
import { field } from "../../../core";
import { block, blocks, requiredText, text, texts } from "./members";
import { certificateSource, gatewayTls, limits, meta, modified, passiveHealthCheck, place } from "./parts";
import { typedEntry } from "./typedEntry";

/** The listeners of a gateway into the mesh (specification: part B). */
export default typedEntry({
  type: "IngressGateway",
  product: {
    noun: "Consul ingress-gateway entry",
    terraform: "`consul_config_entry`",
    docs: "https://developer.hashicorp.com/consul/api-docs/config",
  },
  kind: "ingress-gateway",
  doc: "Consul `ingress-gateway` entry: the listeners of a gateway into the service mesh and the services behind them.",
  members: {
    tls: gatewayTls("TLS settings of all listeners."),
    listeners: blocks(
      {
        port: field(z.int().min(1).max(65_535), {
          doc: "Port of the listener; each listener needs its own.",
        }),
        protocol: text("Protocol of the listener: `tcp` (default), `http`, `http2` or `grpc`."),
        tls: gatewayTls("TLS settings of this listener."),
        services: blocks(
          {
            name: requiredText("Name of the service, or `*` for all services (HTTP protocols only)."),
            hosts: texts("Host names that select the service (HTTP protocols only)."),
            tls: block({ sds: certificateSource }, "TLS certificate of this service.", "TLS"),
            ...modified,
            ...limits,
            passiveHealthCheck,
            meta,
            ...place,
          },
          "Services behind the listener; with `tcp`, only one.",
        ),
      },
      "Ports and protocols on which the gateway listens.",
    ),
    defaults: block({ ...limits, passiveHealthCheck }, "Defaults for all services."),
  },
});
