import { seconds } from "./durations";
import { invalid } from "./errors";
import type { Fields } from "./fields";
import type { MountEntry } from "./world";

/** The settings of a mount that are lists. */
export const LISTS = [
  "audit_non_hmac_request_keys",
  "audit_non_hmac_response_keys",
  "passthrough_request_headers",
  "allowed_response_headers",
] as const;

/** A TTL in a create. */
export function ttl(config: Fields, name: string, called: string): number {
  const raw = config.raw(name);
  if (raw === undefined || raw === "" || raw === "system") return 0;
  const read = seconds(raw);
  if (read === undefined)
    throw invalid(`unable to parse ${called} of ${raw}: time: invalid duration "${raw}"`);
  return read;
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

/** A TTL after a tune: an empty one changes nothing. */
export function tunedTtl(fields: Fields, { config }: MountEntry, name: string): number {
  const raw = fields.raw(name);
  if (raw === undefined || raw === "") return Number(config[name] ?? 0);
  if (raw === "system") return 0;
  const read = seconds(raw);
  if (read === undefined) throw invalid(`time: invalid duration "${raw}"`);
  return read;
}
