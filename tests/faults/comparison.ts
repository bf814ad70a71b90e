import type { Course } from "./course";
import { leavesOf, movedBetween } from "./leaves";
import type { Deed } from "./strangers";

/** Differences from the final values without a fault that are expected. */
export interface Excuses {
  /** Another user's change. Their values stay, and a deleted object is created again. */
  readonly deed?: Deed | undefined;
  /** The object was to be adopted, and another user may have moved it. */
  readonly isAdoption?: boolean;
  /** The outcome was reported as unknown: each value may be the old or the new one. */
  readonly isOpen?: boolean;
  /** The command was carried out twice, so that its own generated values may differ. */
  readonly isDoubled?: boolean;
}

/** The stored values that differ without a reason, with their paths; undefined if there are none. */
export function otherwise(
  course: Course,
  free: Course,
  excuses: Excuses,
  at: (course: Course) => string = ({ end }) => end.dump,
): string | undefined {
  const differing = [...movedBetween(at(free), at(course))];
  if (differing.length === 0) return undefined;
  const isExcused = excuseOf(course, free, excuses);
  const expected = leavesOf(at(free));
  const others = differing
    .filter(([place, value]) => !isExcused(place, value))
    .map(([place, value]) => `${place}: ${value} in place of ${expected.get(place)}`);
  return others.length === 0 ? undefined : others.slice(0, MOST_TOLD).join("; ");
}

const MOST_TOLD = 5;

type IsExcused = (at: string, value: string | undefined) => boolean;

function excuseOf(course: Course, free: Course, { deed, isAdoption, isOpen, isDoubled }: Excuses): IsExcused {
  const theirs = (deed !== undefined && course.stranger.moved) || NOTHING;
  const anew = deed === "delete" && free.anew !== undefined ? leavesOf(free.anew) : undefined;
  const before = isOpen ? leavesOf(course.before) : undefined;
  const own = isDoubled
    ? new Set([...movedBetween(free.before, free.end.dump).keys()].map(plain))
    : undefined;
  const histories = valuesIn([free.end.dump, ...(deed ? [course.stranger.dump] : [])]);
  // An adopted object may lack values that a create writes as empty.
  const left = leavesOf(course.stranger.dump || "{}");
  const made =
    isAdoption && deed === "edit" ? valuesIn([free.anew ?? "{}", course.stranger.dump]) : undefined;
  return (at, value) =>
    MADE_UP.test(value ?? "") ||
    (theirs.has(at) && theirs.get(at) === value) ||
    (isAdoption === true && value === undefined && !left.has(at)) ||
    (anew !== undefined && anew.get(at) === value) ||
    (before !== undefined && before.get(at) === value) ||
    (HISTORY.test(at) && (value === undefined || histories.has(plain(`${at} ${value}`)))) ||
    (made?.has(plain(`${at} ${value}`)) ?? false) ||
    (own?.has(plain(at)) ?? false);
}

/** Generated ids of parts, which are different in each run. */
const MADE_UP = /^tb-[0-9a-z]{10}$/;

/** Submissions of a job. Each registration adds one, so a job that was registered twice has two. */
const HISTORY = /\.submissions\./;

/** Paths and values, without the position in a list. */
function valuesIn(dumps: readonly string[]): ReadonlySet<string> {
  return new Set(dumps.flatMap((dump) => [...leavesOf(dump)].map(([at, value]) => plain(`${at} ${value}`))));
}

const NOTHING: ReadonlyMap<string, string | undefined> = new Map();

/**
 * A path without list positions, generated ids and the accounts of a library. They differ if an object is created
 * again.
 */
function plain(at: string): string {
  return at
    .replace(/\[\d+\]/g, "[]")
    .replace(/id-\d+/g, "id")
    .replace(/(?<=\/)(?:made up|[A-Za-z0-9]{24})(?=\.)/g, "lease")
    .replace(/(?<=\.checkOuts\.)[\w-]+/g, "account");
}
