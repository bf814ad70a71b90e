import { z } from "zod";
import { enumeration, field, isWritten, type Json, type Rule, rule } from "../../core";
import { addresses } from "./addresses";
import { notLonger, optionalDuration, secondsIn } from "./durations";
import { trimmed } from "./policyNames";

const tokenType = enumeration({
  default: "The type that the auth method issues.",
  service: "Service tokens, which can be renewed and revoked.",
  batch: "Batch tokens, which the server does not store.",
});

/** The settings of the tokens that an auth method issues for a user or a role. The server keeps those that a write omits. */
export const tokenFields = {
  tokenPolicies: field(z.array(z.string().min(1)).optional(), {
    doc: "The names of the policies of the tokens.",
    spelling: trimmed,
    unordered: true,
    empty: [],
  }),
  tokenTtl: optionalDuration({
    doc: "The initial TTL of the tokens; 0 selects the mount's default.",
    default: 0,
  }),
  tokenMaxTtl: optionalDuration({
    doc: "The maximum TTL of the tokens, including renewals; 0 selects the mount's maximum.",
    default: 0,
  }),
  tokenExplicitMaxTtl: optionalDuration({
    doc: "A maximum TTL that later changes of the mount or of this object do not extend; 0 sets none.",
    default: 0,
  }),
  tokenPeriod: optionalDuration({
    doc: "The period of periodic tokens, which can be renewed without a maximum TTL; 0 issues other tokens.",
    default: 0,
  }),
  tokenNumUses: field(z.int().min(0).optional(), {
    doc: "The number of uses of a token; 0 sets no limit.",
    default: 0,
  }),
  tokenType: field(tokenType.optional(), {
    doc: "Issue service or batch tokens; `default` selects the type that the auth method sets.",
    default: "default",
  }),
  tokenBoundCidrs: field(z.array(z.string().min(1)).optional(), {
    doc: "The addresses that may log in and use the tokens: IP addresses and CIDR blocks.",
    spelling: addresses,
    unordered: true,
    empty: [],
  }),
  tokenNoDefaultPolicy: field(z.boolean().optional(), {
    doc: "Issue tokens without the policy `default`.",
    default: false,
  }),
} as const;

/** The server rejects batch tokens that have a period or a number of uses. */
const notInBatch = (name: string, isSet: (value: Json | undefined) => boolean): Rule =>
  rule(
    [name, "tokenType"],
    (value, type) => type === "batch" && isSet(value),
    'must not be set with `tokenType: "batch"`',
  );

export const tokenRules: readonly Rule[] = [
  notLonger("tokenTtl", "tokenMaxTtl"),
  notInBatch("tokenPeriod", (value) => (secondsIn(value) ?? 0) > 0),
  notInBatch("tokenNumUses", (value) => isWritten(value) && value !== 0),
];

/** Members that the server keeps if a write omits them: older names of the same settings, and one that only OpenBao has. */
export const OTHER_TOKEN_MEMBERS = [
  "token_strictly_bind_ip",
  "policies",
  "ttl",
  "max_ttl",
  "period",
  "bound_cidrs",
] as const;
