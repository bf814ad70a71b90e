import { endOf, type ProcedureInput, type ProcedureProgress } from "../../../core";
import { dueOf } from "./due";
import { endIn, leaseIdIn, lookUpLease } from "./leases";
import { isWrapped, lookUpWrapping } from "./wrapping";

/** The tolerance for the end of a lease, in milliseconds. A larger difference means that someone renewed it. */
const MOVED_MS = 30_000;

/**
 * Checks whether the issued credentials still exist: by their lease if the server can look it up, else by the clock. It
 * changes nothing. It reports due actions, which the next update performs.
 */
export async function stillThere(work: ProcedureInput): Promise<ProcedureProgress | undefined> {
  const { context, address, progress } = work;
  if (isWrapped(progress)) return lookUpWrapping(work);
  const id = leaseIdIn(progress);
  if (id === undefined) return byTheClock(work, "the lease is unknown", "info");
  const found = await lookUpLease(context, address, id);
  if (found.kind === "gone") {
    context.log("info", `${found.why}; the next pulumi up issues new credentials`, { changedBy: "unknown" });
    return undefined;
  }
  if (found.kind === "untold") return byTheClock(work, found.why, found.isRefused ? "warning" : "info");
  const now = withEnd(progress, found);
  tellWhatIsDue(work, now);
  return now;
}

/** The known data, with the new end of the lease if someone has renewed it. */
function withEnd(
  progress: ProcedureProgress,
  { ends, seconds }: { ends?: number; seconds?: number },
): ProcedureProgress {
  const before = endIn(progress);
  if (ends === undefined || seconds === undefined || before === undefined) return progress;
  const now = endOf(ends, 0);
  if (Math.abs(ends - before) <= MOVED_MS || now === undefined) return progress;
  return { ...progress, lease_ends: now, granted: seconds };
}

/** Judges the lease by this machine's clock alone. Someone may have renewed or revoked it since. */
function byTheClock(work: ProcedureInput, why: string, level: "info" | "warning"): ProcedureProgress {
  const { context, progress } = work;
  const end = endIn(progress);
  if (progress.open === true || end === undefined) return progress;
  const at = new Date(end).toISOString();
  if (end > context.connection.runtime.now())
    context.log(level, `${why}; by this machine's clock, the lease ends at ${at}`);
  else
    context.log(
      "warning",
      `${why}; by this machine's clock, the lease of these credentials ended at ${at}, unless someone renewed it; change triggers to issue new credentials`,
      { changedBy: "unknown" },
    );
  tellWhatIsDue(work, progress);
  return progress;
}

function tellWhatIsDue({ context, inputs }: ProcedureInput, progress: ProcedureProgress): void {
  const due = dueOf({ connection: context.connection, inputs, progress });
  if (due !== undefined) context.log("info", due.note);
}
