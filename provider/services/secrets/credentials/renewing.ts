import {
  ActionableError,
  endOf,
  type HookContext,
  Invalid,
  isObject,
  numberIn,
  type Outcome,
  type ProcedureInput,
  type ProcedureProgress,
  type Route,
  refreshFirst,
  rerunUp,
  send,
  summaryOf,
  unknownError,
  writeOnce,
} from "../../../core";
import { dueOf } from "./due";
import { endIn, leaseIdIn, lookUpLease } from "./leases";

const renew: Route = { method: "POST", path: "/sys/leases/renew", expects: ["lease_id"] };

/** The rounding tolerance in seconds, for the length and the end of a lease. */
const ROUNDING_S = 1;

/**
 * Renews the lease of issued credentials for its original duration, if that is due. Renewing it twice does no harm. After a
 * lost response Quarterdeck looks the lease up; if that shows no renewal, the next update renews it.
 * @throws Error if the server refuses, or if it stays unknown whether the lease was renewed
 */
export async function renewIfDue(work: ProcedureInput): Promise<ProcedureProgress> {
  const { context, inputs, save, progress } = work;
  const due = dueOf({ connection: context.connection, inputs, progress });
  const lease = leaseIdIn(progress);
  if (due === undefined || due.isReplacement || lease === undefined) return progress;
  const asked = numberIn(progress.lease_duration) ?? 0;
  const now = context.connection.runtime.now();
  const outcome = await sendRenewal(work, lease, asked);
  const granted = grantedSeconds(work, outcome);
  // A lookup rounds the remaining time down.
  const isLast = granted < asked - (outcome.kind === "shown" ? ROUNDING_S : 0);
  const ends = endOf(now, granted);
  const known: ProcedureProgress = {
    ...progress,
    granted,
    ...(ends !== undefined && { lease_ends: ends }),
    ...(isLast && { is_last: true }),
  };
  save(known);
  if (isLast)
    context.log(
      "warning",
      `the server renewed the lease for ${granted} seconds instead of ${asked}, because the lease reaches its max TTL. This lease is not renewed again. When less than renewBefore remains, and at least half of the ${granted} seconds has passed, pulumi up issues new credentials`,
    );
  return known;
}

interface Seen {
  readonly seconds: number;
}

async function sendRenewal(work: ProcedureInput, lease: string, increment: number): Promise<Outcome<Seen>> {
  const { context, address, progress } = work;
  const before = endIn(progress) ?? 0;
  try {
    return await writeOnce<HookContext, Seen>(context, {
      route: renew,
      address,
      send: (asking) =>
        send(asking, renew, address, { nature: "write", body: { lease_id: lease, increment } }),
      probe: async (asking) => {
        const found = await lookUpLease(asking, address, lease);
        if (found.kind !== "there" || found.ends === undefined || found.seconds === undefined)
          return { isApplied: false };
        const seen = { seconds: found.seconds };
        return found.ends > before + ROUNDING_S * 1000
          ? { isApplied: true, found: seen }
          : { isApplied: false, found: seen };
      },
    });
  } catch (error) {
    if (error instanceof Invalid) throw await renewalError(work, lease, error);
    throw error;
  }
}

/** @throws Error if it stays unknown whether the lease was renewed */
function grantedSeconds({ context, address }: ProcedureInput, outcome: Outcome<Seen>): number {
  if (outcome.kind === "shown") return outcome.found.seconds;
  if (outcome.kind === "applied") {
    const { json = null } = outcome.answer;
    const seconds = isObject(json) ? numberIn(json.lease_duration) : undefined;
    if (seconds !== undefined && seconds > 0) return seconds;
    throw new ActionableError(
      `${context.name(address)}: the response to the lease renewal contains no duration.`,
      [refreshFirst("pulumi refresh, then pulumi up")],
    );
  }
  throw unknownError(outcome, rerunUp("; it renews the lease if a renewal is still due"));
}

/**
 * The error for a refused renewal. The lease no longer exists or cannot be renewed, so new credentials are required. If the
 * lookup fails, it is unknown which, and the error is the refusal.
 */
async function renewalError(work: ProcedureInput, lease: string, error: Invalid): Promise<Error> {
  const { context, address, save, progress } = work;
  const found = await lookUpLease(context, address, lease).catch(() => undefined);
  if (found === undefined) return error;
  if (found.kind === "gone")
    return new ActionableError(
      `${context.name(address)}: ${found.why}.`,
      [
        refreshFirst(
          "pulumi refresh (which removes the resource from the state), then pulumi up",
          "to issue new credentials",
        ),
      ],
      { changedBy: "unknown" },
    );
  save({ ...progress, is_last: true });
  return new ActionableError(summaryOf(error), [rerunUp(" to issue new credentials")]);
}
