import type { StubResponse } from "../../service";
import { invalid } from "./errors";
import { answer, type Endpoint, NO_CONTENT, type Operation } from "./operation";
import type { Switches } from "./settings";
import { endOf, type Lease } from "./world";

/** Vault's lease endpoints, as far as credentials need them; the specification has none. */
export function leaseEndpoints({ dialect }: Switches): readonly Endpoint[] {
  if (dialect === "neutral") return [];
  return [
    { path: "sys/leases/lookup", parameters: ["lease_id"], write: lookUp },
    { path: "sys/leases/renew", parameters: ["lease_id", "increment", "url_lease_id"], write: renew },
    { path: "sys/leases/revoke", write: revoke },
  ];
}

function lookUp(operation: Operation): StubResponse {
  const { now } = operation.request;
  const lease = liveLease(operation);
  if (lease === undefined) throw invalid("invalid lease");
  return answer(operation, {
    id: lease.id,
    issue_time: new Date(lease.issuedAt).toISOString(),
    expire_time: new Date(endOf(lease)).toISOString(),
    last_renewal: lease.renewedAt === undefined ? null : new Date(lease.renewedAt).toISOString(),
    renewable: lease.isRenewable,
    ttl: Math.trunc((endOf(lease) - now) / 1000),
  });
}

/** Extends the lease from now by the requested increment, or else by its original duration, up to its maximum. */
function renew(operation: Operation): StubResponse {
  const { fields, request, world } = operation;
  const lease = liveLease(operation);
  if (lease === undefined) throw invalid("lease not found");
  if (!lease.isRenewable) throw invalid("lease is not renewable");
  const wanted = fields.integer("increment") || lease.seconds;
  const left = Math.trunc((lease.issuedAt + lease.longest * 1000 - request.now) / 1000);
  if (left <= 0) throw invalid("past the max TTL, cannot renew");
  const seconds = Math.min(wanted, left);
  world.leases.set(lease.id, { ...lease, renewedAt: request.now, seconds });
  const warnings =
    wanted > left
      ? [`TTL of "${wanted}s" exceeded the effective max_ttl of "${left}s"; TTL value is capped accordingly`]
      : null;
  const { body, ...answered } = answer(operation, null, { id: lease.id, seconds });
  return { ...answered, body: { ...Object(body), warnings } };
}

/** Revoking an expired or unknown lease succeeds too. */
function revoke(operation: Operation): StubResponse {
  operation.world.leases.delete(leaseId(operation));
  return NO_CONTENT;
}

function liveLease(operation: Operation): Lease | undefined {
  const lease = operation.world.leases.get(leaseId(operation));
  return lease === undefined || operation.request.now >= endOf(lease) ? undefined : lease;
}

function leaseId({ fields }: Operation): string {
  const id = fields.string("lease_id") ?? "";
  if (id === "") throw invalid("lease_id must be specified");
  return id;
}
