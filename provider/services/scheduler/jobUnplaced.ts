import { amountIn, isObject, type Json, stringIn } from "../../core";
import type { Members } from "./jobFollowed";

/** A group that Nomad could not place, as text, with one string for each reason that excluded nodes. */
export interface Unplaced {
  readonly what: string;
  readonly reasons: readonly string[];
}

/**
 * The groups that an evaluation could not place, and the reasons that excluded nodes. One line each, such as
 * `2 allocations of group "front" cannot be placed now: 3 nodes evaluated; constraint "${attr.arch} = arm64" filtered 3`.
 */
export function placementFailures(evaluation: Members): string[] {
  return unplacedGroups(evaluation).map(({ what, reasons }) =>
    reasons.length > 0 ? `${what}: ${reasons.join("; ")}` : what,
  );
}

/** The groups that an evaluation or a plan could not place. */
export function unplacedGroups(evaluation: Members): Unplaced[] {
  const failed = membersOf(evaluation.FailedTGAllocs);
  const waiting = Object.entries(membersOf(evaluation.QueuedAllocations)).filter(
    ([, count]) => amountIn(count) > 0,
  );
  const counts = new Map(waiting.map(([group, count]) => [group, amountIn(count)]));
  for (const [group, metric] of Object.entries(failed))
    counts.set(group, counts.get(group) ?? amountIn(membersOf(metric).CoalescedFailures ?? 0) + 1);
  return [...counts].map(([group, count]) => ({
    what: `${count === 1 ? "1 allocation" : `${count} allocations`} of group ${JSON.stringify(group)} cannot be placed now`,
    reasons: reasonsIn(membersOf(failed[group])),
  }));
}

function reasonsIn(metric: Members): string[] {
  if (Object.keys(metric).length === 0) return [];
  const evaluated = amountIn(metric.NodesEvaluated ?? 0);
  const empty = Object.entries(membersOf(metric.NodesAvailable)).filter(([, count]) => amountIn(count) === 0);
  return [
    evaluated === 0 ? "no node was eligible" : `${evaluated} ${evaluated === 1 ? "node" : "nodes"} evaluated`,
    ...empty.map(([datacenter]) => `no node is available in datacenter ${JSON.stringify(datacenter)}`),
    ...countLines(metric.ConstraintFiltered, "constraint", "filtered"),
    ...countLines(metric.ClassFiltered, "class", "filtered"),
    ...countLines(metric.DimensionExhausted, "resource", "exhausted on"),
    ...countLines(metric.ClassExhausted, "class", "exhausted on"),
    ...(Array.isArray(metric.QuotaExhausted) ? metric.QuotaExhausted : []).map(
      (quota) => `quota reached: ${stringIn(quota)}`,
    ),
  ];
}

function countLines(value: Json | undefined, what: string, did: string): string[] {
  return Object.entries(membersOf(value)).map(
    ([name, count]) => `${what} ${JSON.stringify(name)} ${did} ${stringIn(count)}`,
  );
}

function membersOf(value: Json | undefined): Members {
  return isObject(value) ? value : {};
}
