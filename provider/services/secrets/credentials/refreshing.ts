import { endOf, type Learnt, type Work } from "../../../core";
import { dueOf } from "./due";
import { endIn, leaseIdIn, lookUpLease } from "./leases";
import { isWrapped, lookUpWrapping } from "./wrapping";

/** The tolerance for the end of a lease, in milliseconds. A larger difference means that someone renewed it. */
const MOVED_MS = 30_000;

/**
 * Checks whether the issued credentials still exist: by their lease if the server can look it up, else by the clock. It
 * changes nothing. It reports due actions, which the next update performs.
 */
export async function stillThere(work: Work): Promise<Learnt | undefined> {
  const { context, address, learnt } = work;
  if (isWrapped(learnt)) return lookUpWrapping(work);
  const id = leaseIdIn(learnt);
  if (id === undefined) return byTheClock(work, "the lease is unknown", "info");
  const found = await lookUpLease(context, address, id);
  if (found.kind === "gone") {
    context.log("info", `${found.why}; the next pulumi up issues new credentials`, { changedBy: "unknown" });
    return undefined;
  }
  if (found.kind === "untold") return byTheClock(work, found.why, found.isRefused ? "warning" : "info");
  const now = withEnd(learnt, found);
  tellWhatIsDue(work, now);
  return now;
}

/** The known data, with the new end of the lease if someone has renewed it. */
function withEnd(learnt: Learnt, { ends, seconds }: { ends?: number; seconds?: number }): Learnt {
  const before = endIn(learnt);
  if (ends === undefined || seconds === undefined || before === undefined) return learnt;
  const now = endOf(ends, 0);
  if (Math.abs(ends - before) <= MOVED_MS || now === undefined) return learnt;
  return { ...learnt, lease_ends: now, granted: seconds };
}

/** Judges the lease by this machine's clock alone. Someone may have renewed or revoked it since. */
function byTheClock(work: Work, why: string, level: "info" | "warning"): Learnt {
  const { context, learnt } = work;
  const end = endIn(learnt);
  if (learnt.open === true || end === undefined) return learnt;
  const at = new Date(end).toISOString();
  if (end > context.connection.runtime.now())
    context.log(level, `${why}; by this machine's clock, the lease ends at ${at}`);
  else
    context.log(
      "warning",
      `${why}; by this machine's clock, the lease of these credentials ended at ${at}, unless someone renewed it; change triggers to issue new credentials`,
      { changedBy: "unknown" },
    );
  tellWhatIsDue(work, learnt);
  return learnt;
}

function tellWhatIsDue({ context, inputs }: Work, learnt: Learnt): void {
  const due = dueOf({ connection: context.connection, inputs, learnt });
  if (due !== undefined) context.log("info", due.note);
}
