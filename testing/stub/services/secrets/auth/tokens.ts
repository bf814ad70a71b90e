import { isIPv6 } from "node:net";
import { invalid } from "../errors";
import type { Fields } from "../fields";

/** The settings of the tokens that an auth method issues. */
export interface TokenSettings {
  readonly boundCidrs: readonly string[];
  readonly explicitMaxTtl: number;
  readonly maxTtl: number;
  readonly noDefaultPolicy: boolean;
  readonly numUses: number;
  readonly period: number;
  readonly policies: readonly string[];
  readonly strictlyBindIp: boolean;
  readonly ttl: number;
  readonly type: string;
}

const NEW: TokenSettings = {
  boundCidrs: [],
  explicitMaxTtl: 0,
  maxTtl: 0,
  noDefaultPolicy: false,
  numUses: 0,
  period: 0,
  policies: [],
  strictlyBindIp: false,
  ttl: 0,
  type: "default",
};

/** The names of the settings in requests. */
export const TOKEN_PARAMETERS = [
  "token_bound_cidrs",
  "token_explicit_max_ttl",
  "token_max_ttl",
  "token_no_default_policy",
  "token_num_uses",
  "token_period",
  "token_policies",
  "token_strictly_bind_ip",
  "token_ttl",
  "token_type",
];

const TYPES = ["default", "service", "batch"];

/** The settings after a write, which keeps those that it omits. */
export function tokenSettings(fields: Fields, before = NEW): TokenSettings {
  const type = fields.string("token_type");
  if (type !== undefined && type !== "" && !TYPES.includes(type))
    throw invalid(`invalid 'token_type' value ${JSON.stringify(type)}`);
  const after: TokenSettings = {
    boundCidrs: fields.list("token_bound_cidrs")?.map(address) ?? before.boundCidrs,
    explicitMaxTtl: fields.duration("token_explicit_max_ttl") ?? before.explicitMaxTtl,
    maxTtl: fields.duration("token_max_ttl") ?? before.maxTtl,
    noDefaultPolicy: fields.boolean("token_no_default_policy") ?? before.noDefaultPolicy,
    numUses: fields.integer("token_num_uses") ?? before.numUses,
    period: fields.duration("token_period") ?? before.period,
    policies: fields.list("token_policies")?.map((name) => name.trim()) ?? before.policies,
    strictlyBindIp: fields.boolean("token_strictly_bind_ip") ?? before.strictlyBindIp,
    ttl: fields.duration("token_ttl") ?? before.ttl,
    type: type === undefined ? before.type : type || "default",
  };
  if (after.numUses < 0) throw invalid("'token_num_uses' cannot be negative");
  const batch = "'token_type' cannot be 'batch' or 'default_batch' when set to generate";
  if (after.type === "batch" && after.period !== 0) throw invalid(`${batch} periodic tokens`);
  if (after.type === "batch" && after.numUses !== 0) throw invalid(`${batch} tokens with limited use count`);
  if (after.ttl > 0 && after.maxTtl > 0 && after.ttl > after.maxTtl)
    throw invalid("'token_ttl' cannot be greater than 'token_max_ttl'");
  if (after.strictlyBindIp && after.boundCidrs.length > 0)
    throw invalid("'token_strictly_bind_ip' conflicts with 'token_bound_cidrs'; set only one");
  return after;
}

/** An address as the server stores it (OpenBao, `sdk/helper/parseutil`, with the addresses of go-sockaddr). */
function address(text: string): string {
  const [, ip = "", length] = /^([0-9a-f.:]+)(?:\/(\d+))?$/i.exec(text) ?? [];
  if (ip === "")
    throw invalid(
      `error parsing address ${JSON.stringify(text)}: Unable to convert ${JSON.stringify(text)} to an IPv4 or IPv6 address, or a UNIX Socket`,
    );
  if (!isIPv6(ip)) return length === "32" ? ip : text;
  const short = new URL(`http://[${ip}]`).hostname.slice(1, -1);
  const [mapped, high = "", low = ""] = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(short) ?? [];
  const bits = Number(length ?? 128);
  if (mapped === undefined || bits < 96) return bits === 128 ? short : `${short}/${bits}`;
  const whole = Number.parseInt(high, 16) * 65_536 + Number.parseInt(low, 16);
  const own = [24, 16, 8, 0].map((shift) => (whole >>> shift) & 255).join(".");
  return bits === 128 ? own : `${own}/${bits - 96}`;
}

/** The settings as a read returns them. */
export function shownTokenSettings(settings: TokenSettings): Readonly<Record<string, unknown>> {
  return {
    token_bound_cidrs: settings.boundCidrs,
    token_explicit_max_ttl: settings.explicitMaxTtl,
    token_max_ttl: settings.maxTtl,
    token_no_default_policy: settings.noDefaultPolicy,
    token_num_uses: settings.numUses,
    token_period: settings.period,
    token_policies: settings.policies,
    token_strictly_bind_ip: settings.strictlyBindIp,
    token_ttl: settings.ttl,
    token_type: settings.type,
  };
}
