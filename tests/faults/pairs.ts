import type { Capability } from "./capability";
import { cellOf } from "./cells";
import type { FaultSubject, Scenario } from "./faultSubject";
import { faults } from "./faults";
import { judge, type Verdict } from "./judge";
import { faultProperties } from "./judged";
import type { Cell, Outcome } from "./rule";
import { rules } from "./rules";
import type { PlacedFault, ScenarioRun } from "./scenarioRun";
import { describeRemedies, runScenario } from "./scenarioRun";
import type { Sent } from "./wire";

/** Two faults in one command, and the result. */
export interface PairResult {
  readonly troubles: readonly PlacedFault[];
  readonly verdict: Verdict;
  /** The number of commands until everything was correct. */
  readonly steps: number;
  /** A description of the scenario, the requests, the faults and the result for test output. */
  readonly told: string;
}

interface Trying {
  readonly free: ScenarioRun;
  readonly can: Capability;
}

/**
 * Runs a random pair of faults. The second one happens to a request after the first. Undefined if either fault does
 * not happen.
 */
export async function runRandomPair(
  tried: FaultSubject,
  life: Scenario,
  { random, ...trying }: Trying & { readonly random: () => number },
): Promise<PairResult | undefined> {
  const { requests } = trying.free;
  const first = randomFault(requests, Math.floor(random() * requests.length), random);
  if (first === undefined) return undefined;
  const alone = await runScenario(tried, life, first);
  const later = alone.requests.length - first.at - 1;
  if (!alone.happened || later <= 0) return undefined;
  const at = first.at + 1 + Math.floor(random() * later);
  const second = randomFault(alone.requests, at, random, first);
  return second && runPair(tried, life, { ...trying, alone }, [first, second]);
}

/** Runs two faults. `alone` is the course with only the first of them. */
export async function runPair(
  tried: FaultSubject,
  life: Scenario,
  { free, can, alone: { requests } }: Trying & { readonly alone: ScenarioRun },
  [first, second]: readonly [PlacedFault, PlacedFault],
): Promise<PairResult | undefined> {
  const course = await runScenario(tried, life, first, second);
  if (!course.happened) return undefined;
  const cells = [
    cellOf(life, first.fault, can, free.requests, first.at),
    cellOf(life, second.fault, can, requests, second.at),
  ];
  const verdict = allowed(judge(course, free, judgedOf([first, second], cells)), cells);
  const what = [first, second].map(({ at, fault }) => `request ${at} ${fault.name}`).join(", then ");
  return {
    troubles: [first, second],
    verdict,
    // The command, the user's remedies, and the final refresh and up.
    steps: 1 + course.remedies.length + 2,
    told: `${life.name}, ${what}: ${JSON.stringify(verdict)} after ${describeRemedies(course)}; ${course.failure}`,
  };
}

/**
 * A random fault for a request. At most one fault of a pair is another user's change, and at most one is a wrong
 * clock.
 */
function randomFault(
  requests: readonly Sent[],
  at: number,
  random: () => number,
  first?: PlacedFault,
): PlacedFault | undefined {
  const isRead = requests[at]?.isRead ?? true;
  const fitting = faults.filter(
    ({ to, change, clockAheadMs }) =>
      to !== (isRead ? "writes" : "reads") &&
      !(change && first?.fault.change) &&
      !(clockAheadMs && first?.fault.clockAheadMs),
  );
  const fault = fitting[Math.floor(random() * fitting.length)];
  return fault && { at, fault };
}

function judgedOf(troubles: readonly PlacedFault[], cells: readonly Cell[]) {
  // Another user's change is judged at its moment. Otherwise the last fault counts.
  const index = Math.max(
    0,
    cells.findIndex(({ fault }) => fault.change),
  );
  const [cell, { at }] = [cells[index] as Cell, troubles[index] as PlacedFault];
  return {
    ...cell,
    at,
    userChange: cell.fault.change?.kind,
    isOfTwo: true as const,
    ...faultProperties(cells.map(({ fault }) => fault)),
    isDeceived: cells.some(
      ({ fault }) =>
        fault.received === "stale" || fault.group === "incomplete list" || fault.isOfOtherObject === true,
    ),
  };
}

/** Accepts the outcomes that either fault allows, and reported ones. */
function allowed(verdict: Verdict, cells: readonly Cell[]): Verdict {
  if ("wrong" in verdict) return verdict;
  // A loss that could be detected is wrong.
  const outcomes = new Set<Outcome>(["reported", "overwritten"]);
  for (const cell of cells) {
    const rule = rules.find(({ of }) => of(cell));
    for (const outcome of rule?.allows ?? []) outcomes.add(outcome);
    // If the probe also fails, the outcome of an action stays unknown, and the program must decide about a create.
    if (cell.can.lives === "action") outcomes.add("unknown");
    if (cell.life.kind === "create" || cell.life.kind === "replace")
      outcomes.add(cell.can.adopts ? "decision" : "manual delete");
    if (cell.fault.carries === "late") outcomes.add("corrected");
    if (cell.fault.received === "stale")
      for (const one of ["edit preserved", "corrected"] as const) outcomes.add(one);
    if (cell.can.lives === "action" && cells.some(({ fault }) => fault.group === "killed"))
      outcomes.add("repeated");
  }
  if (outcomes.has(verdict.outcome)) return verdict;
  return { wrong: `${verdict.outcome}, which neither may end as` };
}

/** Random numbers that depend only on the seed. */
export function chance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
