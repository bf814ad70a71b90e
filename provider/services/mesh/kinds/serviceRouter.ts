import { block, blocks, duration, flag, integer, integers, requiredText, text, texts } from "./members";
import { modified, pathMatch, place, routeHeaderMatch } from "./parts";
import { typedEntry } from "./typedEntry";

/** The destinations of a service's requests, by the content of the request (specification: part B). */
export default typedEntry({
  type: "ServiceRouter",
  kind: "service-router",
  doc: "A `service-router` entry: where the requests of a service go, by what they ask for. The service must speak HTTP.",
  members: {
    routes: blocks(
      {
        match: block(
          {
            http: block(
              {
                ...pathMatch,
                caseInsensitive: flag("Whether the case of the path is passed over."),
                header: blocks(routeHeaderMatch, "Headers that must all match."),
                queryParam: blocks(
                  {
                    name: requiredText("The parameter's name."),
                    present: flag("Whether it must be there, with whatever value."),
                    exact: text("The exact value."),
                    regex: text("A regular expression for the whole value."),
                  },
                  "Query parameters that must all match.",
                ),
                methods: texts("HTTP methods, any of them."),
              },
              "Which requests are meant.",
              "HTTP",
            ),
          },
          "Which requests are meant. Default: all.",
        ),
        destination: block(
          {
            service: text("The service to which they go. Default: the same."),
            serviceSubset: text("The subset of that service, as its resolver names it."),
            ...place,
            prefixRewrite: text("What takes the place of the path, or of the prefix, that matched."),
            requestTimeout: duration("How long a request may take."),
            idleTimeout: duration("How long a request may be idle."),
            numRetries: integer("How often a request is sent again."),
            retryOnConnectFailure: flag("Whether it is where no connection came about."),
            retryOn: texts("The conditions on which it is, such as `5xx`."),
            retryOnStatusCodes: integers("The statuses on which it is."),
            ...modified,
          },
          "Where they go.",
        ),
      },
      "The routes; the first that matches counts.",
    ),
  },
});
