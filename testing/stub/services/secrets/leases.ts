import type { StubResponse } from "../../service";
import { invalid } from "./errors";
import { answer, type Endpoint, NO_CONTENT, type Operation } from "./operation";
import type { Switches } from "./settings";
import type { Lease } from "./world";

/** The real product's requests for leases, as far as credentials need them; the specification has none. */
export function leaseEndpoints({ dialect }: Switches): readonly Endpoint[] {
  if (dialect === "neutral") return [];
  return [
    { path: "sys/leases/lookup", parameters: ["lease_id"], write: lookUp },
    { path: "sys/leases/revoke", write: revoke },
  ];
}

function lookUp(operation: Operation): StubResponse {
  const lease = operation.world.leases.get(leaseId(operation));
  const now = operation.request.now;
  if (lease === undefined || now >= endOf(lease)) throw invalid("invalid lease");
  return answer(operation, {
    id: lease.id,
    issue_time: new Date(lease.issuedAt).toISOString(),
    expire_time: new Date(endOf(lease)).toISOString(),
    last_renewal: null,
    renewable: true,
    ttl: Math.trunc((endOf(lease) - now) / 1000),
  });
}

/** Revoking a lease that is over, or never was, is a success too. */
function revoke(operation: Operation): StubResponse {
  operation.world.leases.delete(leaseId(operation));
  return NO_CONTENT;
}

function leaseId({ fields }: Operation): string {
  const id = fields.string("lease_id") ?? "";
  if (id === "") throw invalid("lease_id must be specified");
  return id;
}

function endOf({ issuedAt, seconds }: Lease): number {
  return issuedAt + seconds * 1000;
}
