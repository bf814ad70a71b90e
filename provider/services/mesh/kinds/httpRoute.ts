import { texts } from "./members";
import { parents, routeRules } from "./routeParts";
import { typedEntry } from "./typedEntry";

/** The routing of HTTP requests from a gateway to services (specification: part B). */
export default typedEntry({
  type: "HttpRoute",
  kind: "http-route",
  doc: "An `http-route` entry: which requests an API gateway sends to which services. Whether it is bound stands in its `Status`, which the service owns.",
  members: {
    parents,
    hostnames: texts("The host names that the route takes; no wildcards."),
    rules: routeRules,
  },
});
