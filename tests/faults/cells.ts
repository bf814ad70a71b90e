import { type Capability, capabilityOf } from "./capability";
import type { Fault } from "./fault";
import type { FaultSubject, Scenario } from "./faultSubject";
import { faults } from "./faults";
import { judge, type Verdict } from "./judge";
import { faultProperties } from "./judged";
import type { Cell, Rule } from "./rule";
import { rules } from "./rules";
import { describeRemedies, runScenario, type ScenarioRun } from "./scenarioRun";
import { firstRead, isAboutCluster, type Sent } from "./wire";

/** The result of a cell. */
export interface Result {
  readonly cell: Cell;
  readonly rule: Rule | undefined;
  readonly course: ScenarioRun;
  readonly verdict: Verdict;
  readonly isAllowed: boolean;
  /** A description of the scenario, the request, the fault and the result for test output. */
  readonly told: string;
}

/** Runs every fault at every request of a definition's scenarios, or the cells that `isChosen` selects. */
export async function* resultsOf(tried: FaultSubject, isChosen: () => boolean): AsyncGenerator<Result> {
  const can = capabilityOf(tried.definition);
  for (const life of await tried.lives()) {
    const free = await runScenario(tried, life);
    const { requests, failure } = free;
    if (failure !== undefined) throw new Error(`${life.name} does not come to its end: ${String(failure)}`);
    for (const [index, { isRead }] of requests.entries())
      for (const fault of faults) {
        if (fault.to === (isRead ? "writes" : "reads") || (fault.isRequestIndependent && index > 0)) continue;
        if (!isChosen()) continue;
        const cell = cellOf(life, fault, can, requests, index);
        // After a kill, test both documented reactions: run the same command again, or refresh first as the engine
        // asks.
        for (const afterKill of fault.group === "killed" ? (["again", "refresh"] as const) : [undefined]) {
          const course = await runScenario(tried, life, {
            at: index,
            fault,
            ...(afterKill && { afterKill }),
          });
          if (!course.happened && fault.isConditional) continue;
          yield resultOf(cell, course, free, index);
        }
      }
  }
}

/** The data that rules need about a fault at a request of a scenario. */
export function cellOf(
  life: Scenario,
  fault: Fault,
  can: Capability,
  requests: readonly Sent[],
  index: number,
): Cell {
  const isOfRead = requests[index]?.isRead ?? true;
  const moment = fault.change?.when === "after" ? index + 1 : index;
  const isAfterWrite = requests.slice(0, fault.change ? moment : index).some(({ isRead }) => !isRead);
  return {
    life,
    fault,
    can,
    isRead: isOfRead,
    isAfterWrite,
    asksAboutCluster: isAboutCluster(requests[index]),
    isInWindow: isBeforeUnreadWrite(requests, moment),
  };
}

/** Whether the next relevant request after this moment is a write. Reads of other parts of the object do not count. */
function isBeforeUnreadWrite(requests: readonly Sent[], moment: number): boolean {
  const look = firstRead(requests)?.target;
  const next = requests.slice(moment).find(({ isRead, target }) => !isRead || target === look);
  return next !== undefined && !next.isRead;
}

/**
 * A response about a different object is accepted if the object has no name. A different index hides the author of a
 * write.
 */
function isOtherObject({ isRead, fault, can }: Cell): boolean {
  return (isRead || can.checksWrites) && fault.isOfOtherObject === true;
}

/** The timeout of a step plus that of the probe after its write. */
const LONGEST_MS = 600_000 + 60_000;

/** The maximum number of steps of a command. A replacement is a delete and a create. */
const stepsOf = ({ kind }: Scenario) => (kind === "replace" || kind === "act" ? 2 : 1);

/** True if the command failed, or reported that the outcome of a request is unknown. */
function isReported({ failure, notices }: ScenarioRun): boolean {
  return failure instanceof Error || notices.some(({ facts }) => facts.outcome === "unknown");
}

function resultOf(cell: Cell, course: ScenarioRun, free: ScenarioRun, index: number): Result {
  const { life, fault } = cell;
  const rule = rules.find(({ of }) => of(cell));
  const verdict: Verdict = course.happened
    ? judge(course, free, {
        ...cell,
        at: index,
        userChange: fault.change?.kind,
        ...faultProperties([fault]),
        isDeceived: fault.received === "stale" || fault.group === "incomplete list" || isOtherObject(cell),
      })
    : { wrong: "the fault never happened" };
  const isAsSaid = "outcome" in verdict && (rule?.allows.includes(verdict.outcome) ?? false);
  const isAllowed =
    isAsSaid &&
    (rule?.mustBeReported !== true || isReported(course)) &&
    (rule?.mustBeReverted !== true || verdict.outcome !== "repeated" || course.end.dump === free.end.dump) &&
    course.durationMs <= LONGEST_MS * stepsOf(life);
  const { method, target } = free.requests[index] ?? {};
  return {
    cell,
    rule,
    course,
    verdict,
    isAllowed,
    told: `${life.name}, request ${index} (${method} ${target}), ${fault.name}: ${JSON.stringify(verdict)} after ${describeRemedies(course)}; ${course.failure}`,
  };
}
