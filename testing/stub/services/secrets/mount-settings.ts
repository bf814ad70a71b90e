import { seconds } from "./durations";
import { invalid } from "./errors";
import type { Fields } from "./fields";

/** The settings of a mount that are lists. */
export const LISTS = [
  "audit_non_hmac_request_keys",
  "audit_non_hmac_response_keys",
  "passthrough_request_headers",
  "allowed_response_headers",
] as const;

/**
 * A TTL in seconds; `system` selects the server's default, 0.
 * @param unset the value if the request has none
 * @param problem the text before the error of a value that is no duration
 */
export function ttl(fields: Fields, name: string, unset: number, problem = (_: unknown) => ""): number {
  const raw = fields.raw(name);
  if (raw === undefined || raw === "") return unset;
  if (raw === "system") return 0;
  const read = seconds(raw);
  if (read === undefined) throw invalid(`${problem(raw)}time: invalid duration "${raw}"`);
  return read;
}

/** The options in a request, as text. */
export function options(fields: Fields): Record<string, string> {
  const given = fields.record("options")?.all() ?? {};
  return Object.fromEntries(Object.entries(given).map(([key, value]) => [key, String(value)]));
}

/** The settings in a `config` or a tune, without the TTLs. */
export function settings(fields: Fields): Record<string, unknown> {
  const visibility = fields.string("listing_visibility");
  if (visibility !== undefined && !["", "unauth", "hidden"].includes(visibility))
    throw invalid(`invalid listing_visibility ${visibility}`);
  const tokenType = fields.string("token_type");
  if (tokenType !== undefined && !TOKEN_TYPES.includes(tokenType))
    throw invalid("invalid value for 'token_type'");
  const lists = LISTS.flatMap((name) => (fields.has(name) ? [[name, fields.list(name)]] : []));
  return {
    ...Object.fromEntries(lists),
    ...(visibility !== undefined && { listing_visibility: visibility }),
    ...(tokenType !== undefined && tokenType !== "" && { token_type: tokenType }),
  };
}

const TOKEN_TYPES = ["", "default-service", "default-batch", "service", "batch"];
