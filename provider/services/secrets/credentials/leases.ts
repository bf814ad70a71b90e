import {
  type Address,
  endOf,
  errorFrom,
  errorOfRead,
  isSuccess,
  type Learnt,
  numberIn,
  type RequestContext,
  type Route,
  type Site,
  send,
} from "../../../core";
import { errorsIn, offersLeases, secrets } from "../service";

const lookUp: Route = { method: "POST", path: "/sys/leases/lookup" };

/** What the service says of a lease. */
export type Lease =
  /** It is there; it has no end where none is named. */
  | { readonly kind: "there"; readonly ends?: number; readonly seconds?: number }
  /** It was revoked, or has ended. */
  | { readonly kind: "gone"; readonly why: string }
  /** The service cannot be asked, or does not let this token ask. */
  | { readonly kind: "untold"; readonly why: string; readonly isRefused: boolean };

/** The lease of what was issued; none where it has none, or where its answer was wrapped. */
export function leaseIdIn({ lease_id: id }: Learnt): string | undefined {
  return typeof id === "string" && id !== "" ? id : undefined;
}

/** What is kept of the lease in an answer: counted from when it was asked for. */
export function leaseLearnt(
  { lease_id: id, lease_duration: duration, renewable }: Learnt,
  asked: number,
): Learnt {
  const seconds = numberIn(duration) ?? 0;
  const ends = endOf(asked, seconds);
  return {
    lease_id: id ?? "",
    lease_duration: seconds,
    renewable: renewable === true,
    ...(seconds > 0 && ends !== undefined && { lease_ends: ends }),
  };
}

/** When the lease ends, by the clock of the machine that asked, in milliseconds since the epoch. */
export function endIn({ lease_ends: ends }: Learnt): number | undefined {
  const end = typeof ends === "string" ? Date.parse(ends) : Number.NaN;
  return Number.isNaN(end) ? undefined : end;
}

/**
 * Asks for a lease. Time is counted from now by what is left of it, so that the two clocks may be apart.
 * @throws ServiceError for what is neither the lease nor a proof that there is none, and says nothing of rights.
 */
export async function lookedUp(context: RequestContext, address: Address, id: string): Promise<Lease> {
  const { connection } = context;
  if (!offersLeases(connection)) return { kind: "untold", why: NO_REQUEST, isRefused: false };
  const answer = await send(context, lookUp, address, { nature: "read", body: { lease_id: id } });
  if (isSuccess(answer)) {
    const lease = secrets.open(answer.json ?? null);
    if (lease.id !== id) throw errorOfRead(context, answer, lookUp, address);
    const { expire_time: expires = null, ttl, revoke_error: failed } = lease;
    if (expires === null) return { kind: "there" };
    const seconds = numberIn(ttl);
    if (seconds === undefined || typeof expires !== "string")
      throw errorOfRead(context, answer, lookUp, address);
    if (seconds > 0) return { kind: "there", ends: connection.runtime.now() + seconds * 1000, seconds };
    const left = typeof failed === "string" ? `, but could not be revoked by the service (${failed})` : "";
    return { kind: "gone", why: `its lease ended at ${expires}${left}` };
  }
  if (answer.status === 400 && errorsIn(answer)?.some((error) => /^invalid lease$/i.test(error)))
    return { kind: "gone", why: "the service knows its lease no more: it was revoked, or has ended" };
  if (answer.status === 403)
    return {
      kind: "untold",
      why: "this token may not look leases up (update of sys/leases/lookup)",
      isRefused: true,
    };
  throw errorFrom(context, answer, lookUp, address, "read");
}

const NO_REQUEST = "the specification has no request that looks a lease up";

/** Whether what is left of a lease can be told and prolonged by its service at all. */
export function isRenewable(site: Pick<Site, "dialect">, learnt: Learnt): boolean {
  return offersLeases(site) && leaseIdIn(learnt) !== undefined && learnt.renewable === true;
}
