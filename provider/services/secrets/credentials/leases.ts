import {
  type Address,
  endOf,
  errorFrom,
  errorOfRead,
  isSuccess,
  numberIn,
  type ProcedureProgress,
  type RequestContext,
  type Route,
  type Site,
  send,
} from "../../../core";
import { errorsIn, offersLeases, secrets } from "../service";

const lookUp: Route = { method: "POST", path: "/sys/leases/lookup" };

/** The state of a lease on the server. */
export type Lease =
  /** The lease exists. Without `ends`, it never ends. */
  | { readonly kind: "there"; readonly ends?: number; readonly seconds?: number }
  /** The lease was revoked or has ended. */
  | { readonly kind: "gone"; readonly why: string }
  /** The server cannot look leases up, or does not allow this token to do so. */
  | { readonly kind: "untold"; readonly why: string; readonly isRefused: boolean };

/** The ID of the lease; undefined if there is no lease, or if the response was wrapped. */
export function leaseIdIn({ lease_id: id }: ProcedureProgress): string | undefined {
  return typeof id === "string" && id !== "" ? id : undefined;
}

/** The lease data to store from a response. The end counts from the time of the request. */
export function leaseLearnt(
  { lease_id: id, lease_duration: duration, renewable }: ProcedureProgress,
  asked: number,
): ProcedureProgress {
  const seconds = numberIn(duration) ?? 0;
  const ends = endOf(asked, seconds);
  return {
    lease_id: id ?? "",
    lease_duration: seconds,
    renewable: renewable === true,
    ...(seconds > 0 && ends !== undefined && { lease_ends: ends }),
  };
}

/** The end of the lease in milliseconds since the epoch, by the clock of the machine that sent the request. */
export function endIn({ lease_ends: ends }: ProcedureProgress): number | undefined {
  const end = typeof ends === "string" ? Date.parse(ends) : Number.NaN;
  return Number.isNaN(end) ? undefined : end;
}

/**
 * Looks a lease up. The end is computed from now and the remaining time, so that the two clocks may differ.
 * @throws ServiceError if the response is neither the lease, nor proof of its absence, nor a missing permission.
 */
export async function lookUpLease(context: RequestContext, address: Address, id: string): Promise<Lease> {
  const { connection } = context;
  if (!offersLeases(connection)) return { kind: "untold", why: NO_REQUEST, isRefused: false };
  const answer = await send(context, lookUp, address, { nature: "read", body: { lease_id: id } });
  if (isSuccess(answer)) {
    const lease = secrets.unwrap(answer.json ?? null);
    if (lease.id !== id) throw errorOfRead(context, answer, lookUp, address);
    const { expire_time: expires = null, ttl, revoke_error: failed } = lease;
    if (expires === null) return { kind: "there" };
    const seconds = numberIn(ttl);
    if (seconds === undefined || typeof expires !== "string")
      throw errorOfRead(context, answer, lookUp, address);
    if (seconds > 0) return { kind: "there", ends: connection.runtime.now() + seconds * 1000, seconds };
    const left = typeof failed === "string" ? `, but the server could not revoke it (${failed})` : "";
    return { kind: "gone", why: `the lease ended at ${expires}${left}` };
  }
  if (answer.status === 400 && errorsIn(answer)?.some((error) => /^invalid lease$/i.test(error)))
    return { kind: "gone", why: "the lease no longer exists on the server: it was revoked, or has ended" };
  if (answer.status === 403)
    return {
      kind: "untold",
      why: "the token lacks permission to look leases up (update on sys/leases/lookup)",
      isRefused: true,
    };
  throw errorFrom(context, answer, lookUp, address, "read");
}

const NO_REQUEST = "the neutral dialect cannot look leases up";

/** True if the server can look the lease up and renew it. */
export function isRenewable(site: Pick<Site, "dialect">, progress: ProcedureProgress): boolean {
  return offersLeases(site) && leaseIdIn(progress) !== undefined && progress.renewable === true;
}
