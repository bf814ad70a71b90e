import { serverError } from "../errors";
import { list } from "../shape/field";
import { count, flag, text, unworded } from "../shape/scalars";
import { type Body, struct } from "../shape/struct";

const HASH_POLICY = {
  Field: text,
  FieldValue: text,
  CookieConfig: struct({ Session: flag, TTL: unworded, Path: text }),
  SourceIP: flag,
  Terminal: flag,
};

const LOAD_BALANCER = {
  Policy: text,
  RingHashConfig: struct({ MinimumRingSize: count, MaximumRingSize: count }),
  LeastRequestConfig: struct({ ChoiceCount: count }),
  HashPolicies: list(struct(HASH_POLICY)),
};

export type LoadBalancer = Body<typeof LOAD_BALANCER>;

/** How requests are distributed over the instances of a service. */
export const loadBalancer = struct(LOAD_BALANCER);

const POLICIES = ["", "random", "round_robin", "least_request", "ring_hash", "maglev"];
const HASHED = ["ring_hash", "maglev"];
const HASHED_FIELDS = ["header", "cookie", "query_parameter"];

export function validateLoadBalancer(balancer: LoadBalancer): void {
  const { Policy: policy = "", RingHashConfig, LeastRequestConfig, HashPolicies = [] } = balancer;
  const quoted = JSON.stringify(policy);
  if (!POLICIES.includes(policy)) throw serverError(`Bad LoadBalancer policy: ${quoted} is not supported`);
  if (policy !== "ring_hash" && RingHashConfig !== undefined) {
    throw serverError(
      `Bad LoadBalancer configuration. RingHashConfig specified for incompatible load balancing policy ${quoted}`,
    );
  }
  if (policy !== "least_request" && LeastRequestConfig !== undefined) {
    throw serverError(
      `Bad LoadBalancer configuration. LeastRequestConfig specified for incompatible load balancing policy ${quoted}`,
    );
  }
  if (!HASHED.includes(policy) && HashPolicies.length > 0) {
    throw serverError(
      `Bad LoadBalancer configuration: HashPolicies specified for non-hash-based Policy: ${quoted}`,
    );
  }
  for (const [index, hashed] of HashPolicies.entries()) {
    const error = errorOf(hashed);
    if (error !== undefined) throw serverError(`Bad LoadBalancer HashPolicy[${index}]: ${error}`);
  }
}

function errorOf({
  Field,
  FieldValue,
  SourceIP,
  CookieConfig,
}: Body<typeof HASH_POLICY>): string | undefined {
  const quoted = JSON.stringify(Field ?? "");
  if (Field !== undefined && !HASHED_FIELDS.includes(Field)) return `${quoted} is not a supported field`;
  if (SourceIP !== undefined && Field !== undefined) {
    return `A single hash policy cannot hash both a source address and a ${quoted}`;
  }
  if (SourceIP !== undefined && FieldValue !== undefined) {
    return "A FieldValue cannot be specified when hashing SourceIP";
  }
  if (Field !== undefined && FieldValue === undefined) {
    return `Field ${quoted} was specified without a FieldValue`;
  }
  if (FieldValue !== undefined && Field === undefined) return "FieldValue requires a Field to apply to";
  if (CookieConfig === undefined) return undefined;
  if (Field !== "cookie") return `cookie_config provided for ${quoted}`;
  return CookieConfig.Session !== undefined && CookieConfig.TTL !== undefined
    ? "a session cookie cannot have an associated TTL"
    : undefined;
}
