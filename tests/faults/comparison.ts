import { changesBetween, leavesOf } from "./leaves";
import type { UserChange } from "./otherUser";
import type { ScenarioRun } from "./scenarioRun";

/** Differences from the final values without a fault that are expected. */
export interface ExpectedDifferences {
  /** Another user's change. Their values stay, and a deleted object is created again. */
  readonly userChange?: UserChange | undefined;
  /** The object was to be adopted, and another user may have moved it. */
  readonly isAdoption?: boolean;
  /** The outcome was reported as unknown: each value may be the old or the new one. */
  readonly isUnknown?: boolean;
  /** The command was carried out twice, so that its own generated values may differ. */
  readonly isDoubled?: boolean;
}

/** The stored values that differ without a reason, with their paths; undefined if there are none. */
export function unexpectedDifferences(
  course: ScenarioRun,
  free: ScenarioRun,
  excuses: ExpectedDifferences,
  at: (course: ScenarioRun) => string = ({ end }) => end.dump,
): string | undefined {
  const differing = [...changesBetween(at(free), at(course))];
  if (differing.length === 0) return undefined;
  const isExcused = expectedDifferences(course, free, excuses);
  const expected = leavesOf(at(free));
  const others = differing
    .filter(([place, value]) => !isExcused(place, value))
    .map(([place, value]) => `${place}: ${value} in place of ${expected.get(place)}`);
  return others.length === 0 ? undefined : others.slice(0, MAX_DIFFERENCES).join("; ");
}

const MAX_DIFFERENCES = 5;

type IsExcused = (at: string, value: string | undefined) => boolean;

function expectedDifferences(
  course: ScenarioRun,
  free: ScenarioRun,
  { userChange, isAdoption, isUnknown, isDoubled }: ExpectedDifferences,
): IsExcused {
  const otherUsersValues = (userChange !== undefined && course.otherUser.changes) || NOTHING;
  const recreated =
    userChange === "delete" && free.recreated !== undefined ? leavesOf(free.recreated) : undefined;
  const before = isUnknown ? leavesOf(course.before) : undefined;
  const own = isDoubled
    ? new Set([...changesBetween(free.before, free.end.dump).keys()].map(withoutPositions))
    : undefined;
  const histories = valuesIn([free.end.dump, ...(userChange ? [course.otherUser.dump] : [])]);
  // An adopted object may lack values that a create writes as empty.
  const left = leavesOf(course.otherUser.dump || "{}");
  const made =
    isAdoption && userChange === "edit"
      ? valuesIn([free.recreated ?? "{}", course.otherUser.dump])
      : undefined;
  return (at, value) =>
    GENERATED_ID.test(value ?? "") ||
    (otherUsersValues.has(at) && otherUsersValues.get(at) === value) ||
    (isAdoption === true && value === undefined && !left.has(at)) ||
    (recreated !== undefined && recreated.get(at) === value) ||
    (before !== undefined && before.get(at) === value) ||
    (HISTORY.test(at) && (value === undefined || histories.has(withoutPositions(`${at} ${value}`)))) ||
    (made?.has(withoutPositions(`${at} ${value}`)) ?? false) ||
    (own?.has(withoutPositions(at)) ?? false);
}

/** Generated IDs of parts, which are different in each run. */
const GENERATED_ID = /^tb-[0-9a-z]{10}$/;

/** Submissions of a job. Each registration adds one, so a job that was registered twice has two. */
const HISTORY = /\.submissions\./;

/** Paths and values, without the position in a list. */
function valuesIn(dumps: readonly string[]): ReadonlySet<string> {
  return new Set(
    dumps.flatMap((dump) => [...leavesOf(dump)].map(([at, value]) => withoutPositions(`${at} ${value}`))),
  );
}

const NOTHING: ReadonlyMap<string, string | undefined> = new Map();

/**
 * A path without list positions, generated IDs and the accounts of a library. They differ if an object is created
 * again.
 */
function withoutPositions(at: string): string {
  return at
    .replace(/\[\d+\]/g, "[]")
    .replace(/id-\d+/g, "id")
    .replace(/(?<=\/)(?:made up|[A-Za-z0-9]{24})(?=\.)/g, "lease")
    .replace(/(?<=\.checkOuts\.)[\w-]+/g, "account");
}
