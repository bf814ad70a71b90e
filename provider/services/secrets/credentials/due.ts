import { type Due, type DueInput, knownAmong, numberIn } from "../../../core";
import { secondsIn } from "../durations";
import { endIn, isRenewable } from "./leases";

/**
 * The action that `renewBefore` requires now. At the earliest, it is due after half of the last granted lease, so that newly
 * issued or renewed credentials are not due immediately.
 */
export function dueOf({ connection, inputs, progress }: DueInput): Due | undefined {
  const before = secondsIn(knownAmong(inputs).renewBefore ?? undefined) ?? 0;
  const end = endIn(progress);
  if (before === 0 || end === undefined || progress.open === true) return undefined;
  const now = connection.runtime.now();
  const given = numberIn(progress.granted ?? progress.lease_duration) ?? 0;
  if (now < end - Math.min(before, given / 2) * 1000) return undefined;
  const at = new Date(end).toISOString();
  if (now < end && isRenewable(connection, progress) && progress.is_last !== true)
    return {
      output: "leaseEnds",
      isReplacement: false,
      note: `the next pulumi up renews the lease, which ends at ${at}`,
    };
  const why = now >= end ? `the lease ended at ${at}` : `the lease ends at ${at} and cannot be renewed`;
  return {
    output: "leaseEnds",
    isReplacement: true,
    note: `${why}: the next pulumi up issues new credentials and then revokes the current ones`,
  };
}
