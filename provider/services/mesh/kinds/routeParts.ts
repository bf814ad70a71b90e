import { enumeration, field } from "../../../core";
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
import { destinationSettings, extAuthz, jwt, NEWER, place, reference } from "./parts";

const headers = blocks(
  {
    add: textMap("Headers to add; existing values stay."),
    set: textMap("Headers to set; existing values are replaced."),
    remove: texts("Names of headers to remove."),
  },
  "Changes to the headers.",
);

const processing = (of: string) =>
  block(
    {
      headersMode: text("Processing of the headers."),
      bodyMode: text("Processing of the body."),
      trailersMode: text("Processing of the trailers."),
      maxBodyBytes: integer("Largest body that is processed, in bytes."),
    },
    `Parts of ${of} that the external processor receives.`,
  );

const extProc = blocks(
  {
    statPrefix: text("Prefix of the statistics, which names the attachment of the Envoy extension."),
    mode: text("Use of the attachment by these requests, such as `override`."),
    overrides: block(
      {
        processing: block(
          { request: processing("requests"), response: processing("responses") },
          "Parts of requests and responses that are processed.",
        ),
      },
      "Settings of these requests, if `mode` is `override`.",
    ),
  },
  `External processing of these requests. ${NEWER}`,
);

const filters = {
  filters: block(
    {
      headers,
      urlRewrite: block(
        { path: text("Replacement for the matched path.") },
        "Rewrite of the path.",
        "URLRewrite",
      ),
      retryFilter: block(
        {
          numRetries: integer("Maximum number of retries of a request."),
          retryOn: texts("Conditions that cause a retry, such as `5xx`."),
          retryOnStatusCodes: integers("HTTP status codes that cause a retry."),
          retryOnConnectFailure: flag("Retry a request if the connection fails."),
        },
        "Retry settings.",
      ),
      timeoutFilter: block(
        {
          requestTimeout: duration("Timeout for a request."),
          idleTimeout: duration("Maximum idle time of a request."),
        },
        "Timeout settings.",
      ),
      jwt,
      extAuthz: extAuthz("External authorization of these requests, instead of the gateway's setting."),
      extProc,
    },
    "Changes, retries and timeouts of requests.",
  ),
  responseFilters: block({ headers }, "Changes to responses."),
};

/** The gateways, or their listeners, that a route binds to. */
export const parents = requiredBlocks(
  reference,
  "Gateways to which the route is bound. Default kind: `api-gateway`.",
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
              enumeration({
                exact: "The value equals `value`.",
                prefix: "It starts with `value`.",
                suffix: "It ends with `value`.",
                present: "It is present, with any value.",
                regex: "It matches the regular expression in `value`.",
              }),
              {
                doc: "Match type for the value.",
              },
            ),
            name: requiredText("Name of the header to match."),
            value: text("Value to match."),
            invert: flag("Invert the match."),
          },
          "Headers that must all match.",
        ),
        method: text("HTTP method to match."),
        path: block(
          {
            match: choice(
              {
                exact: "The path equals `value`.",
                prefix: "It starts with `value`.",
                regex: "It matches the regular expression in `value`.",
              },
              "Match type for the path.",
            ),
            value: text("Path to match; starts with `/`, except for a regular expression."),
          },
          "Path condition. Default: all paths.",
        ),
        query: blocks(
          {
            match: field(
              enumeration({
                exact: "The value equals `value`.",
                present: "It is present, with any value.",
                regex: "It matches the regular expression in `value`.",
              }),
              { doc: "Match type for the value." },
            ),
            name: requiredText("Name of the query parameter."),
            value: text("Value to match."),
          },
          "Query parameters that must all match.",
        ),
      },
      "Conditions for requests; any of them must match. Default: all requests.",
    ),
    services: blocks(
      {
        name: requiredText("Name of the service that receives the requests."),
        weight: integer("Weight of the service, relative to the other services. Default: 1."),
        ...filters,
        ...destinationSettings,
        ...place,
      },
      "Destination of matching requests.",
    ),
  },
  "Routing rules; the first matching rule applies.",
);
