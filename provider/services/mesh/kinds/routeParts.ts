import { field, words } from "../../../core";
import {
  block,
  blocks,
  choice,
  duration,
  flag,
  integer,
  integers,
  requiredBlocks,
  requiredText,
  text,
  textMap,
  texts,
} from "./members";
import { jwt, place, reference } from "./parts";

const headers = blocks(
  {
    add: textMap("Headers that are added to those that are there."),
    set: textMap("Headers that replace those that are there."),
    remove: texts("Headers that are taken away."),
  },
  "How headers are changed.",
);

const filters = {
  filters: block(
    {
      headers,
      urlRewrite: block(
        { path: text("What takes the place of the path that matched.") },
        "How the path is changed.",
        "URLRewrite",
      ),
      retryFilter: block(
        {
          numRetries: integer("How often a request is sent again."),
          retryOn: texts("The conditions on which it is, such as `5xx`."),
          retryOnStatusCodes: integers("The statuses on which it is."),
          retryOnConnectFailure: flag("Whether it is where no connection came about."),
        },
        "When a request is sent again.",
      ),
      timeoutFilter: block(
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
  responseFilters: block({ headers }, "What happens to answers on their way."),
};

/** The gateways, or their listeners, that a route binds to. */
export const parents = requiredBlocks(
  reference,
  "The gateways to which the route is bound; `api-gateway` entries where no kind is given.",
);

/** The rules of an HTTP route for its requests. */
export const routeRules = blocks(
  {
    ...filters,
    matches: blocks(
      {
        headers: blocks(
          {
            match: field(
              words({
                exact: "The value is just this.",
                prefix: "It begins with this.",
                suffix: "It ends with this.",
                present: "It is there, whatever it is.",
                regex: "It matches this regular expression.",
              }),
              {
                doc: "How the value is compared.",
              },
            ),
            name: requiredText("The name of the header that is compared."),
            value: text("What the value is compared with."),
            invert: flag("Whether the match is turned round."),
          },
          "Headers that must all match.",
        ),
        method: text("The HTTP method."),
        path: block(
          {
            match: choice(
              {
                exact: "The path is just this.",
                prefix: "It begins with this.",
                regex: "It matches this regular expression.",
              },
              "How the path is compared.",
            ),
            value: text("The path; begins with `/`, but for a regular expression."),
          },
          "Which paths are meant. Default: every path.",
        ),
        query: blocks(
          {
            match: field(
              words({
                exact: "The value is just this.",
                present: "It is there, whatever it is.",
                regex: "It matches this regular expression.",
              }),
              { doc: "How the value is compared." },
            ),
            name: requiredText("The parameter's name."),
            value: text("What the value is compared with."),
          },
          "Query parameters that must all match.",
        ),
      },
      "Which requests are meant, any of them. Default: all.",
    ),
    services: blocks(
      {
        name: requiredText("The service that gets them."),
        weight: integer("Its share, in proportion to the others'. Default: 1."),
        ...filters,
        ...place,
      },
      "Where they go.",
    ),
  },
  "What happens to which requests; the first rule that matches counts.",
);
