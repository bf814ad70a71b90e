import { block, blocks, duration, flag, integer, integers, requiredText, text, texts } from "./members";
import { modified, pathMatch, place, routeHeaderMatch } from "./parts";
import { typedEntry } from "./typedEntry";

/** The destinations of a service's requests, by the content of the request (specification: part B). */
export default typedEntry({
  type: "ServiceRouter",
  product: {
    noun: "Consul service-router entry",
    terraform: "`consul_config_entry_service_router`",
    docs: "https://developer.hashicorp.com/consul/api-docs/config",
  },
  kind: "service-router",
  doc: "Consul `service-router` entry: routes the HTTP requests of a service by their path, headers, query and method. The service must use an HTTP protocol.",
  members: {
    routes: blocks(
      {
        match: block(
          {
            http: block(
              {
                ...pathMatch,
                caseInsensitive: flag("Ignore case when matching the path."),
                header: blocks(routeHeaderMatch, "Headers that must all match."),
                queryParam: blocks(
                  {
                    name: requiredText("Name of the query parameter."),
                    present: flag("Match if the query parameter is present, with any value."),
                    exact: text("Exact value to match."),
                    regex: text("Regular expression for the complete value."),
                  },
                  "Query parameters that must all match.",
                ),
                methods: texts("HTTP methods; any of them matches."),
              },
              "Conditions for HTTP requests.",
              "HTTP",
            ),
          },
          "Conditions for requests. Default: all requests.",
        ),
        destination: block(
          {
            service: text("Service that receives the requests. Default: the same service."),
            serviceSubset: text("Subset of that service, as defined in its `service-resolver`."),
            ...place,
            prefixRewrite: text("Replacement for the matched path or prefix."),
            requestTimeout: duration("Timeout for a request."),
            idleTimeout: duration("Maximum idle time of a request."),
            numRetries: integer("Maximum number of retries of a request."),
            retryOnConnectFailure: flag("Retry a request if the connection fails."),
            retryOn: texts("Conditions that cause a retry, such as `5xx`."),
            retryOnStatusCodes: integers("HTTP status codes that cause a retry."),
            ...modified,
          },
          "Destination of matching requests.",
        ),
      },
      "Routes for requests; the first matching route applies.",
    ),
  },
});
