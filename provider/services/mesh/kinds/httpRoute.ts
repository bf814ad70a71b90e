import { texts } from "./members";
import { parents, routeRules } from "./routeParts";
import { typedEntry } from "./typedEntry";

/** The routing of HTTP requests from a gateway to services (specification: part B). */
export default typedEntry({
  type: "HttpRoute",
  product: {
    noun: "Consul http-route entry",
    terraform: "`consul_config_entry`",
    docs: "https://developer.hashicorp.com/consul/docs/connect/config-entries/http-route",
  },
  kind: "http-route",
  doc: "Consul `http-route` entry: routes HTTP requests from an API gateway to services. Its `Status`, which only Consul sets, shows whether the route is bound.",
  members: {
    parents,
    hostnames: texts("Host names that the route accepts, without wildcards."),
    rules: routeRules,
  },
});
