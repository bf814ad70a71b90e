import { errorFrom, isSuccess, type ProcedureInput, probeAfter, type Route, sendOnce } from "../../../core";
import { offersLeases } from "../service";
import { leaseIdIn, lookUpLease } from "./leases";
import { isWrapped, leaseUnwrapped, whyNoMore } from "./wrapping";

/** The request of Vault and OpenBao; the specification does not have one. */
const revoke: Route = { method: "POST", path: "/sys/leases/revoke" };

/**
 * Revokes the lease of issued credentials if the server has a request for it; else reports that they remain valid. A lease
 * that has ended counts as revoked.
 * @throws Error if the server refuses, or if it stays unknown whether the lease is revoked.
 */
export async function revokeLease(work: ProcedureInput): Promise<void> {
  const { context, address, progress } = work;
  const isLeased = isWrapped(progress) || leaseIdIn(progress) !== undefined;
  if (isLeased && !offersLeases(context.connection))
    return tellWhatStays(work, "the neutral dialect cannot revoke leases");
  const lease = isWrapped(progress) ? await leaseUnwrapped(work) : leaseIdIn(progress);
  if (lease === undefined)
    return tellWhatStays(
      work,
      isWrapped(progress)
        ? `the wrapping token no longer exists (${whyNoMore(work)}), and only its recipient can know the lease`
        : "the lease to revoke is unknown",
    );
  // With `sync` the server responds after it has revoked the credentials, not after it has scheduled that.
  const body = { lease_id: lease, sync: true };
  const { answer, lost } = await sendOnce(context, revoke, address, body);
  if (lost) {
    const isOver = await probeAfter(context, lost, async (asking) => {
      const found = await isRevoked({ ...work, context: asking }, lease);
      return { isApplied: found, found };
    });
    if (isOver) return;
    throw lost;
  }
  if (!isSuccess(answer)) throw errorFrom(context, answer, revoke, address);
}

async function isRevoked({ context, address }: ProcedureInput, lease: string): Promise<boolean> {
  // A failed lookup leaves the outcome of the revocation unknown.
  const found = await lookUpLease(context, address, lease).catch(() => undefined);
  return found?.kind === "gone";
}

function tellWhatStays({ context, progress }: ProcedureInput, why: string): void {
  const { lease_ends: ends, open } = progress;
  const subject = open === true ? "credentials that may have been issued" : "the issued credentials";
  const until = typeof ends === "string" ? `until ${ends}` : "until the server ends them";
  context.log("warning", `removed from the state only: ${why}, so ${subject} remain valid ${until}`);
}
