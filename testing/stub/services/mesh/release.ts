import { isObject } from "../../json";

const BREAKER =
  /(^|\.)PassiveHealthCheck\.(Consecutive5xx|ConsecutiveGatewayFailure|EnforcingConsecutiveGatewayFailure)$/i;

/** The members of entries that Consul 1.22 does not have (its Go package `api`, version 1.34.5, has them). */
const NEWER: Readonly<Record<string, RegExp>> = {
  "api-gateway": /^(TLS|Defaults|ExtAuthz|Listeners\.TLS\.SDS)$/i,
  "http-route": /^Rules\.(Services\.)?Filters\.Ext(Authz|Proc)$|^Rules\.Services\.(TLS|Limits)$/i,
  "service-defaults": /^UpstreamConfig\.(Overrides|Defaults)\.Limits\.PassiveHealthCheck$/i,
  "tcp-route": /^Services\.(TLS|Limits)$/i,
};

/** The paths of the members of a body that Consul 1.22 rejects. */
export function newerIn(kind: string, value: unknown, at = ""): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((each, index) => newerIn(kind, each, `${at}[${index}]`));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const path = at === "" ? name : `${at}.${name}`;
    const plain = path.replace(/\[\d+\]/g, "");
    return NEWER[kind]?.test(plain) || BREAKER.test(plain) ? [path] : newerIn(kind, member, path);
  });
}
