/**
 * Holds a law to having said something: a law that is tried over every definition and finds nothing to judge in one of
 * them passes without a word. `nothingIn` names those of which it can say nothing, and why; a name too many fails, too.
 */
export function expectAsserted(
  token: string,
  times: number,
  nothingIn: Readonly<Record<string, string>> = {},
): void {
  const why = nothingIn[token];
  if (why === undefined)
    expect(`${token}: ${times > 0 ? "asserted" : "asserted nothing"}`).toBe(`${token}: asserted`);
  else expect(`${token}: ${times} (${why})`).toBe(`${token}: 0 (${why})`);
}

/** Definitions whose every other program is another object, so that no update is ever sent. */
export const NEVER_UPDATED = {
  "workspaces:RegistryProvider": "whatever its program writes is its identity",
  "workspaces:WorkspaceLock": "a lock has no request that changes it",
};
