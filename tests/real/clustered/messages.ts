/** The values of an object, by path; undefined if it does not exist. */
export type StoredValues = ReadonlyMap<string, string> | undefined;

/** Messages that say that nothing was carried out, and that the object does not exist. */
const NOT_APPLIED = /was not carried out|nothing was (written|sent|deleted|changed)|was not written/;
const NOT_FOUND = /no longer exists|does not exist|is gone\b/;
const SOMEONE_ELSE = /by someone else|someone else's/;

/** The false statement of a message, given the stored values before and after the command. */
export function falseStatementIn(
  text: string,
  before: StoredValues,
  now: StoredValues,
  wasEdited: boolean,
): string | undefined {
  if (NOT_APPLIED.test(text) && !hasSameValues(before, now))
    return `it reports that nothing was applied, but the stored values differ: ${text}`;
  if (NOT_FOUND.test(text) && now !== undefined) return `it reports a deleted object, but it exists: ${text}`;
  if (SOMEONE_ELSE.test(text) && !wasEdited)
    return `it reports a change by someone else, but there was none: ${text}`;
  return undefined;
}

export function hasSameValues(one: StoredValues, other: StoredValues): boolean {
  return changedPaths(one, other).length === 0;
}

/** The paths with different values. */
export function changedPaths(one: StoredValues, other: StoredValues): string[] {
  const paths = new Set([...(one?.keys() ?? []), ...(other?.keys() ?? [])]);
  return [...paths].filter((path) => one?.get(path) !== other?.get(path));
}

/** The paths that the edit changed and that no longer have the edit's values. */
export function lostPaths(before: StoredValues, edited: StoredValues, now: StoredValues): string[] {
  return changedPaths(before, edited).filter((path) => edited?.get(path) !== now?.get(path));
}
