import { z } from "zod";
import { field } from "../../../core/language/facts";
import {
  choice,
  duration,
  flag,
  group,
  groups,
  needed,
  neededGroups,
  text,
  textMap,
  texts,
  whole,
  wholes,
} from "./members";
import { jwt, place, reference } from "./parts";

const headers = groups(
  {
    add: textMap("Headers that are added to those that are there."),
    set: textMap("Headers that replace those that are there."),
    remove: texts("Headers that are taken away."),
  },
  "How headers are changed.",
);

const filters = {
  filters: group(
    {
      headers,
      urlRewrite: group(
        { path: text("What takes the place of the path that matched.") },
        "How the path is changed.",
        "URLRewrite",
      ),
      retryFilter: group(
        {
          numRetries: whole("How often a request is sent again."),
          retryOn: texts("The conditions on which it is, such as `5xx`."),
          retryOnStatusCodes: wholes("The statuses on which it is."),
          retryOnConnectFailure: flag("Whether it is where no connection came about."),
        },
        "When a request is sent again.",
      ),
      timeoutFilter: group(
        {
          requestTimeout: duration("How long a request may take."),
          idleTimeout: duration("How long a request may be idle."),
        },
        "How long requests may take.",
      ),
      jwt,
    },
    "What happens to requests on their way.",
  ),
  responseFilters: group({ headers }, "What happens to answers on their way."),
};

/** The gateways, or listeners of them, to which a route is bound. */
export const parents = neededGroups(
  reference,
  "The gateways to which the route is bound; `api-gateway` entries where no kind is given.",
);

/** What an HTTP route does with requests. */
export const routeRules = groups(
  {
    ...filters,
    matches: groups(
      {
        headers: groups(
          {
            match: field(z.enum(["exact", "prefix", "suffix", "present", "regex"]), {
              doc: "How the value is compared.",
            }),
            name: needed("The header's name."),
            value: text("The value."),
            invert: flag("Whether the match is turned round."),
          },
          "Headers that must all match.",
        ),
        method: text("The HTTP method."),
        path: group(
          {
            match: choice(["exact", "prefix", "regex"], "How the path is compared."),
            value: text("The path; begins with `/`, but for a regular expression."),
          },
          "The path. Default: every path.",
        ),
        query: groups(
          {
            match: field(z.enum(["exact", "present", "regex"]), { doc: "How the value is compared." }),
            name: needed("The parameter's name."),
            value: text("The value."),
          },
          "Query parameters that must all match.",
        ),
      },
      "Which requests are meant, any of them. Default: all.",
    ),
    services: groups(
      {
        name: needed("The service."),
        weight: whole("Its share, in proportion to the others'. Default: 1."),
        ...filters,
        ...place,
      },
      "Where they go.",
    ),
  },
  "What happens to which requests; the first rule that matches counts.",
);
