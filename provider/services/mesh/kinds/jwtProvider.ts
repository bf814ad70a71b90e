import { z } from "zod";
import { field, isObject, rule } from "../../../core";
import { localKeys, remoteKeys } from "./jwtKeys";
import { block, blocks, flag, integer, requiredText, text, texts } from "./members";
import { typedEntry } from "./typedEntry";

/** A provider of JSON web tokens for intentions and API gateways (Consul's documentation, `jwt-provider`). */
export default typedEntry({
  type: "JwtProvider",
  product: {
    noun: "Consul jwt-provider entry",
    terraform: "`consul_config_entry`",
    docs: "https://developer.hashicorp.com/consul/docs/reference/config-entry/jwt-provider",
  },
  kind: "jwt-provider",
  doc: "Consul `jwt-provider` entry: an issuer of JSON Web Tokens (JWT), its keys, and the location of its tokens in requests. Intentions and API gateways refer to it by name. Consul rejects a delete while an intention refers to it.",
  members: {
    jsonWebKeySet: field(z.strictObject({ local: localKeys, remote: remoteKeys }), {
      doc: "Keys that verify the tokens; exactly one of `local` and `remote`.",
      wire: "JSONWebKeySet",
    }),
    issuer: text("Issuer of the tokens: their claim `iss`."),
    audiences: texts("Audiences; one of them must be in a token's claim `aud`."),
    locations: blocks(
      {
        header: block(
          {
            name: requiredText("Name of the header, such as `x-token`."),
            valuePrefix: text("Prefix of the token in the header's value, such as `Bearer `."),
            forward: flag("Forward the header to the service after the check."),
          },
          "Header that contains the token.",
        ),
        queryParam: block(
          { name: requiredText("Name of the query parameter.") },
          "Query parameter that contains the token.",
        ),
        cookie: block(
          { name: requiredText("Name of the cookie, such as `session`.") },
          "Cookie that contains the token.",
        ),
      },
      "Locations of the token in a request; each has exactly one of the three fields. Default: the header `Authorization`, then the query parameter `access_token`.",
    ),
    forwarding: block(
      {
        headerName: requiredText("Header that passes the token's payload to the service."),
        padForwardPayloadHeader: flag("Add base64 padding to the header's value."),
      },
      "Forwarding of the verified token.",
    ),
    clockSkewSeconds: integer(
      "Permitted clock difference for the claims `exp` and `nbf`, in seconds. Default: 30.",
    ),
    cacheConfig: block(
      { size: integer("Maximum number of cached results. Default: 0, no cache.") },
      "Cache of verification results.",
    ),
  },
  rules: [
    rule(
      ["spec.jsonWebKeySet"],
      (keys) => isObject(keys) && (keys.local === undefined) === (keys.remote === undefined),
      "must have exactly one of local and remote",
    ),
    rule(
      ["spec.jsonWebKeySet.local"],
      (keys) => isObject(keys) && (keys.jwks === undefined) === (keys.filename === undefined),
      "must have exactly one of jwks and filename",
    ),
    rule(
      ["spec.locations"],
      (locations) =>
        Array.isArray(locations) &&
        locations.some((location) => isObject(location) && Object.keys(location).length !== 1),
      "must each have exactly one of header, queryParam and cookie",
    ),
  ],
});
