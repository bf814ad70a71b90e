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
export const NEVER_UPDATED: Readonly<Record<string, string>> = {
  "workspaces:GpgKey": "its only property replaces it",
  "workspaces:RegistryProviderPlatform": "every change replaces it",
  "workspaces:RegistryProviderVersion": "every change replaces it",
  "workspaces:RegistryProvider": "all of its properties are its identity",
  "workspaces:RunTrigger": "every change replaces it",
  "workspaces:SshKey": "only its name can be changed, by which its programs find it",
  "workspaces:WorkspaceLock": "no request changes a lock",
  ...(process.env.QUARTERDECK_REAL === "otfd" && {
    "workspaces:OauthClient": "otfd has no update of OAuth clients",
  }),
};
