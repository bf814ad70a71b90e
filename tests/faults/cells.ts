import { type Capability, capabilityOf } from "./capability";
import { type Course, courseOf, waysIn } from "./course";
import type { Fault } from "./fault";
import { faults } from "./faults";
import { judge, type Verdict } from "./judge";
import { wentWrongBy } from "./judged";
import type { Cell, Rule } from "./rule";
import { rules } from "./rules";
import type { Life, Tried } from "./tried";
import { firstLook, isAboutCluster, type Sent } from "./wire";

/** A cell with what came of it; no verdict where the fault found nothing to do. */
export interface Result {
  readonly cell: Cell;
  readonly rule: Rule | undefined;
  readonly course: Course;
  readonly verdict: Verdict;
  readonly isAllowed: boolean;
  /** For people: the life, the request, the fault, and what came of it. */
  readonly told: string;
}

/** Tries every fault on every request of a definition's lives, or so many as `isChosen` lets through. */
export async function* resultsOf(tried: Tried, isChosen: () => boolean): AsyncGenerator<Result> {
  const can = capabilityOf(tried.definition);
  for (const life of await tried.lives()) {
    const free = await courseOf(tried, life);
    const { requests, told } = free;
    if (told !== undefined) throw new Error(`${life.name} does not come to its end: ${String(told)}`);
    for (const [index, { isRead }] of requests.entries())
      for (const fault of faults) {
        if (fault.to === (isRead ? "writes" : "reads") || (fault.isAllAlong && index > 0)) continue;
        if (!isChosen()) continue;
        const cell = cellOf(life, fault, can, requests, index);
        // After a kill both are tried: what the docs say to run, and what an engine asks for.
        for (const afterKill of fault.group === "killed" ? (["again", "refresh"] as const) : [undefined]) {
          const course = await courseOf(tried, life, { at: index, fault, ...(afterKill && { afterKill }) });
          if (!course.happened && fault.isParticular) continue;
          yield resultOf(cell, course, free, index);
        }
      }
  }
}

/** What a rule has to know of a fault at a request of a life. */
export function cellOf(
  life: Life,
  fault: Fault,
  can: Capability,
  requests: readonly Sent[],
  index: number,
): Cell {
  const isOfRead = requests[index]?.isRead ?? true;
  const moment = fault.deed?.when === "after" ? index + 1 : index;
  const isAfterWrite = requests.slice(0, fault.deed ? moment : index).some(({ isRead }) => !isRead);
  return {
    life,
    fault,
    can,
    isRead: isOfRead,
    isAfterWrite,
    asksAboutCluster: isAboutCluster(requests[index]),
    isInWindow: isUnlooked(requests, moment),
  };
}

/** Whether the object is written before it is looked at again, after this moment; its parts may be read in between. */
function isUnlooked(requests: readonly Sent[], moment: number): boolean {
  const look = firstLook(requests)?.target;
  const next = requests.slice(moment).find(({ isRead, target }) => !isRead || target === look);
  return next !== undefined && !next.isRead;
}

/** What has no name of its own is believed; an index that is another's hides whose a write was. */
function isAnotherObject({ isRead, fault, can }: Cell): boolean {
  return (isRead || can.checksWrites) && fault.isAnothers === true;
}

/** What a step may take by itself, and the looks after a write of it, of which each has time of its own. */
const LONGEST_MS = 600_000 + 60_000;

/** How many steps a command has at most: what cannot be updated is deleted and made. */
const stepsOf = ({ kind }: Life) => (kind === "replace" || kind === "act" ? 2 : 1);

/** True if the command failed, or reported that the outcome of a request is unknown. */
function isTold({ told, notices }: Course): boolean {
  return told instanceof Error || notices.some(({ facts }) => facts.outcome === "unknown");
}

function resultOf(cell: Cell, course: Course, free: Course, index: number): Result {
  const { life, fault } = cell;
  const rule = rules.find(({ of }) => of(cell));
  const verdict: Verdict = course.happened
    ? judge(course, free, {
        ...cell,
        at: index,
        deed: fault.deed?.kind,
        ...wentWrongBy([fault]),
        isDeceived:
          fault.hears === "stale" || fault.group === "a list that lacks a page" || isAnotherObject(cell),
      })
    : { wrong: "the fault never happened" };
  const isAsSaid = "outcome" in verdict && (rule?.allows.includes(verdict.outcome) ?? false);
  const isAllowed =
    isAsSaid &&
    (rule?.isTold !== true || isTold(course)) &&
    (rule?.isTakenBack !== true || verdict.outcome !== "done again" || course.end.dump === free.end.dump) &&
    course.tookMs <= LONGEST_MS * stepsOf(life);
  const { method, target } = free.requests[index] ?? {};
  return {
    cell,
    rule,
    course,
    verdict,
    isAllowed,
    told: `${life.name}, request ${index} (${method} ${target}), ${fault.name}: ${JSON.stringify(verdict)} after ${waysIn(course)}; ${course.told}`,
  };
}
