/** What the service held: value by value, or nothing. */
export type Held = ReadonlyMap<string, string> | undefined;

/** Words by which nothing was carried out, and by which nothing is there. */
const UNDONE = /was not carried out|nothing was (written|sent|deleted|changed)|was not written/;
const GONE = /no longer exists|does not exist|is gone\b/;
const SOMEBODY = /by somebody else|somebody else's/;

/** What of a text is false, by what the service held before the command and holds after it. */
export function falseIn(text: string, before: Held, now: Held, wasEdited: boolean): string | undefined {
  if (UNDONE.test(text) && !isSame(before, now))
    return `it says that nothing happened, and the service holds something else: ${text}`;
  if (GONE.test(text) && now !== undefined) return `it says that it is gone, and it is there: ${text}`;
  if (SOMEBODY.test(text) && !wasEdited) return `it speaks of somebody else, and nobody was there: ${text}`;
  return undefined;
}

export function isSame(one: Held, other: Held): boolean {
  return differing(one, other).length === 0;
}

/** The paths at which they differ. */
export function differing(one: Held, other: Held): string[] {
  const paths = new Set([...(one?.keys() ?? []), ...(other?.keys() ?? [])]);
  return [...paths].filter((path) => one?.get(path) !== other?.get(path));
}

/** What an edit moved, and is no longer as it left it. */
export function lostOf(before: Held, edited: Held, now: Held): string[] {
  return differing(before, edited).filter((path) => edited?.get(path) !== now?.get(path));
}
