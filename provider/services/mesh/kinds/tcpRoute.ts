import { blocks, requiredText } from "./members";
import { place } from "./parts";
import { parents } from "./routeParts";
import { typedEntry } from "./typedEntry";

/** The service that receives a gateway's connections (specification: part B). */
export default typedEntry({
  type: "TcpRoute",
  kind: "tcp-route",
  doc: "Consul `tcp-route` entry: routes TCP connections from an API gateway to a service. Its `Status`, which only Consul sets, shows whether the route is bound.",
  members: {
    parents,
    services: blocks(
      { name: requiredText("Name of the service that receives the connections."), ...place },
      "Destination of the connections: exactly one service.",
    ),
  },
});
