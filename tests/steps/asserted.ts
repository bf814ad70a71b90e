/**
 * Expects that a property test has asserted something: otherwise a test over every definition passes without an
 * assertion for some of them. `nothingIn` names the exceptions with their reasons; an exception that asserts something
 * fails, too.
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

/** Definitions for which each different program is a different object, so that no update is ever sent. */
export const NEVER_UPDATED = {
  "workspaces:RegistryProvider": "all of its properties are its identity",
  "workspaces:WorkspaceLock": "no request changes a lock",
};
