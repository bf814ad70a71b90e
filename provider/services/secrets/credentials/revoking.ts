import type { Work } from "../../../core/language/lives";
import type { Route } from "../../../core/language/route";
import { errorFrom, isSuccess } from "../../../core/requests/observe";
import { send } from "../../../core/requests/send";
import { foundAfter, sendOnce } from "../../../core/requests/sendOnce";
import { offersLeases } from "../service";

/** The real product's requests for leases; the specification has none. */
const revoke: Route = { method: "POST", path: "/sys/leases/revoke" };
const lookUp: Route = { method: "POST", path: "/sys/leases/lookup" };

/**
 * Revokes the lease of what was issued, where the service has a request for it; else says what stays. A lease that is
 * over is revoked already.
 * @throws Error where the service refuses, or it stays open whether it is revoked.
 */
export async function revoked(work: Work): Promise<void> {
  const { context, learnt } = work;
  const { lease_id: lease } = learnt;
  if (typeof lease !== "string")
    return tellWhatStays(work, "no lease of it is known, which could be revoked");
  if (!offersLeases(context.connection))
    return tellWhatStays(work, "the specification has no request that revokes a lease");
  // With `sync` the answer comes once the credentials are revoked, and not when that is planned.
  const body = { lease_id: lease, sync: true };
  const { answer, lost } = await sendOnce(context, revoke, {}, body);
  if (lost) {
    const isOver = await foundAfter(context, lost, async (asking) => {
      const found = await isRevoked({ ...work, context: asking }, lease);
      return { happened: found, found };
    });
    if (isOver) return;
    throw lost;
  }
  if (!isSuccess(answer)) throw errorFrom(context, answer, revoke, {});
}

async function isRevoked({ context }: Work, lease: string): Promise<boolean> {
  const answer = await send(context, lookUp, {}, { nature: "read", body: { lease_id: lease } });
  return answer.status === 400 && /invalid lease/i.test(answer.text);
}

function tellWhatStays({ context, address, learnt }: Work, why: string): void {
  const { lease_ends: ends, open } = learnt;
  const stays = open === true ? "what may have been issued" : "what was issued";
  const until = typeof ends === "string" ? `until ${ends}` : "until the service ends it";
  context.log(
    "warning",
    `${context.name(address)} leaves the state only: ${why}, so ${stays} stays ${until}`,
  );
}
