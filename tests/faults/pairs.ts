import type { Capability } from "./capability";
import type { Course, Trouble } from "./course";
import { courseOf, waysIn } from "./course";
import { faults } from "./faults";
import { judge, type Verdict } from "./judge";
import type { Life, Tried } from "./tried";

/** Two faults in one command, and what came of it. */
export interface PairResult {
  readonly verdict: Verdict;
  /** For people: the life, both requests and faults, and what came of it. */
  readonly told: string;
}

/** Faults that can meet: of strangers and of false answers that cannot be known for false each alone says enough. */
const meeting = faults.filter(
  ({ deed, isParticular, hears, name }) =>
    deed === undefined && !isParticular && hears !== "stale" && !name.startsWith("200 with another object"),
);

/** Tries two faults at a time, by chance. Whatever is told then: nothing is lost, doubled or said that is not so. */
export async function pairOf(
  tried: Tried,
  life: Life,
  { free, can, random }: { free: Course; can: Capability; random: () => number },
): Promise<PairResult | undefined> {
  const { requests } = free;
  const chosen = (at: number): Trouble | undefined => {
    const isRead = requests[at]?.isRead ?? true;
    const fitting = meeting.filter(({ to }) => to !== (isRead ? "writes" : "reads"));
    const fault = fitting[Math.floor(random() * fitting.length)];
    return fault && { at, fault };
  };
  const first = chosen(Math.floor(random() * requests.length));
  if (first === undefined) return undefined;
  // What comes after a fault may go another way: the next request, or one soon after it.
  const second = chosen(first.at + 1 + Math.floor(random() * 2));
  if (second === undefined) return undefined;
  const course = await courseOf(tried, life, first, second);
  const groups = [first.fault, second.fault].map(({ group }) => group);
  const verdict = judge(course, free, {
    life,
    can,
    at: second.at,
    isInWindow: false,
    isKill: groups.includes("killed"),
    isDoubled: [first.fault, second.fault].some(({ carries }) => carries === "twice"),
    isDeceived: can.checksWrites && groups.includes("a false answer"),
  });
  const what = [first, second].map(({ at, fault }) => `request ${at} ${fault.name}`).join(", then ");
  return {
    verdict,
    told: `${life.name}, ${what}: ${JSON.stringify(verdict)} after ${waysIn(course)}; ${course.told}`,
  };
}

/** Numbers by chance that are the same for the same seed. */
export function chance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
