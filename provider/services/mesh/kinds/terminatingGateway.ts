import { blocks, flag, requiredText, text } from "./members";
import { place } from "./parts";
import { typedEntry } from "./typedEntry";

/** The services outside of the mesh that a gateway represents (specification: part B). */
export default typedEntry({
  type: "TerminatingGateway",
  product: {
    noun: "Consul terminating-gateway entry",
    terraform: "`consul_config_entry`",
    docs: "https://developer.hashicorp.com/consul/api-docs/config",
  },
  kind: "terminating-gateway",
  doc: "Consul `terminating-gateway` entry: the services outside the mesh that a gateway represents.",
  members: {
    services: blocks(
      {
        name: requiredText("Name of the service, or `*` for all services."),
        caFile: text("CA certificate file (PEM) on the gateway.", "CAFile"),
        certFile: text("Client certificate file (PEM) on the gateway. Requires `caFile` and `keyFile`."),
        keyFile: text("Private key file (PEM) of the client certificate, on the gateway."),
        sni: text("Server name in the TLS handshake (SNI).", "SNI"),
        disableAutoHostRewrite: flag("Keep the host header unchanged."),
        ...place,
      },
      "Services outside the mesh that the gateway represents.",
    ),
  },
});
