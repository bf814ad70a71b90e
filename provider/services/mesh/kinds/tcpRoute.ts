import { blocks, requiredText } from "./members";
import { destinationSettings, place } from "./parts";
import { parents } from "./routeParts";
import { typedEntry } from "./typedEntry";

/** The service that receives a gateway's connections (specification: part B). */
export default typedEntry({
  type: "TcpRoute",
  product: {
    noun: "Consul tcp-route entry",
    terraform: "`consul_config_entry`",
    docs: "https://developer.hashicorp.com/consul/api-docs/config",
  },
  kind: "tcp-route",
  doc: "Consul `tcp-route` entry: routes TCP connections from an API gateway to a service. Its `Status`, which only Consul sets, shows whether the route is bound.",
  members: {
    parents,
    services: blocks(
      {
        name: requiredText("Name of the service that receives the connections."),
        ...destinationSettings,
        ...place,
      },
      "Destination of the connections: exactly one service.",
    ),
  },
});
