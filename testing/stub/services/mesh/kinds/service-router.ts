import { serverError } from "../errors";
import { always, list } from "../shape/field";
import { count, duration, flag, text } from "../shape/scalars";
import { struct } from "../shape/struct";
import { defineKind, placeOf, SERVICE } from "./define";
import {
  MODIFIED,
  PATH_MATCH,
  routeHeaderMatch,
  validateMethods,
  validatePath,
  validateRouteHeader,
  withUpperMethods,
} from "./http";
import { PLACEABLE } from "./placement";

const RETRY_CONDITIONS = new Set([
  "5xx",
  "gateway-error",
  "reset",
  "reset-before-request",
  "connect-failure",
  "envoy-ratelimited",
  "retriable-4xx",
  "refused-stream",
  "cancelled",
  "deadline-exceeded",
  "internal",
  "resource-exhausted",
  "unavailable",
]);

/** Routes a service's requests by their properties. */
export const serviceRouter = defineKind({
  kind: "service-router",
  write: SERVICE,
  read: SERVICE,
  fields: {
    Routes: always(
      list(
        struct({
          Match: struct({
            HTTP: struct({
              ...PATH_MATCH,
              CaseInsensitive: flag,
              Header: list(routeHeaderMatch),
              QueryParam: list(struct({ Name: always(text), Present: flag, Exact: text, Regex: text })),
              Methods: list(text),
            }),
          }),
          Destination: struct({
            Service: text,
            ServiceSubset: text,
            ...PLACEABLE,
            PrefixRewrite: text,
            RequestTimeout: duration,
            IdleTimeout: duration,
            NumRetries: count,
            RetryOnConnectFailure: flag,
            RetryOn: list(text),
            RetryOnStatusCodes: list(count),
            ...MODIFIED,
          }),
        }),
      ),
    ),
  },
  normalize: (body) => ({
    ...body,
    ...(body.Routes !== undefined && {
      Routes: body.Routes.map((route) =>
        route.Match?.HTTP === undefined
          ? route
          : { ...route, Match: { HTTP: withUpperMethods(route.Match.HTTP) } },
      ),
    }),
  }),
  validate({ Routes = [] }) {
    for (const [index, { Match, Destination }] of Routes.entries()) {
      const at = `Route[${index}]`;
      const match = Match?.HTTP ?? {};
      validatePath(match, at, " ");
      for (const [position, header] of (match.Header ?? []).entries()) {
        validateRouteHeader(header, `${at} Header[${position}]`);
      }
      for (const [position, parameter] of (match.QueryParam ?? []).entries()) {
        const { Name, Present, Exact, Regex } = parameter;
        if (Name === undefined)
          throw serverError(`${at} QueryParam[${position}] missing required Name field`);
        if ([Present, Exact, Regex].filter((each) => each !== undefined).length !== 1) {
          throw serverError(
            `${at} QueryParam[${position}] should only contain one of Present, Exact, or Regex`,
          );
        }
      }
      validateMethods(match.Methods, `${at} Methods`);
      const isPath = match.PathExact !== undefined || match.PathPrefix !== undefined;
      if (Destination?.PrefixRewrite !== undefined && !isPath) {
        throw serverError(
          `${at} cannot make use of PrefixRewrite without configuring either PathExact or PathPrefix`,
        );
      }
      for (const condition of Destination?.RetryOn ?? []) {
        if (RETRY_CONDITIONS.has(condition)) continue;
        throw serverError(`${at} contains an invalid retry condition: ${JSON.stringify(condition)}`);
      }
    }
  },
  leadsTo: ({ Routes = [] }, self) =>
    Routes.flatMap(({ Destination }) =>
      Destination === undefined
        ? []
        : [{ name: Destination.Service ?? self.name, namespace: placeOf(Destination, self) }],
    ),
});
