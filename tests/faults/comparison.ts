import type { Course } from "./course";
import { leavesOf, movedBetween } from "./leaves";
import type { Deed } from "./strangers";

/** What may be otherwise in the end than without any fault. */
export interface Excuses {
  /** What somebody else did: theirs stands where they wrote it, and what they took away is made anew. */
  readonly deed?: Deed | undefined;
  /** It was to be taken over, and somebody may have taken it from its place. */
  readonly isAdoption?: boolean;
  /** It was told that nobody knows: each part is as it would be, or as it was before. */
  readonly isOpen?: boolean;
  /** It was done once more: what the command itself moves is another. */
  readonly isDoubled?: boolean;
}

/**
 * What the service holds in the end, or at another moment, that it should not, each by where it stands; undefined where nothing does.
 */
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
  // What is taken over may lack what others never wrote, and a create writes empty.
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

/** Ids of parts, which no two runs have in common. */
const MADE_UP = /^tb-[0-9a-z]{10}$/;

/** Texts of a job as it was registered: each registration adds one, so that what is there twice was written twice. */
const HISTORY = /\.submissions\./;

/** Values by where they stand, whichever of its like. */
function valuesIn(dumps: readonly string[]): ReadonlySet<string> {
  return new Set(dumps.flatMap((dump) => [...leavesOf(dump)].map(([at, value]) => plain(`${at} ${value}`))));
}

const NOTHING: ReadonlyMap<string, string | undefined> = new Map();

/**
 * Where something stands, whichever of its like it is: what is made once more has another
 * place in a list, another id, or is another account of a library.
 */
function plain(at: string): string {
  return at
    .replace(/\[\d+\]/g, "[]")
    .replace(/id-\d+/g, "id")
    .replace(/(?<=\/)(?:made up|[A-Za-z0-9]{24})(?=\.)/g, "lease")
    .replace(/(?<=\.checkOuts\.)[\w-]+/g, "account");
}
