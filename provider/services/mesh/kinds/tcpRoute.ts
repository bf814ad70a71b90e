import { blocks, requiredText } from "./members";
import { place } from "./parts";
import { parents } from "./routeParts";
import { typedEntry } from "./typedEntry";

/** The service that receives a gateway's connections (specification: part B). */
export default typedEntry({
  type: "TcpRoute",
  kind: "tcp-route",
  doc: "A `tcp-route` entry: to which service an API gateway sends connections. Whether it is bound stands in its `Status`, which the service owns.",
  members: {
    parents,
    services: blocks(
      { name: requiredText("The service that gets them."), ...place },
      "Where connections go: one service only.",
    ),
  },
});
