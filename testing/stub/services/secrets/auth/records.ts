import type { TokenSettings } from "./tokens";

/** A user of a userpass auth method. */
export interface AuthUser {
  readonly password: string;
  readonly tokens: TokenSettings;
  /** The older names of settings that reads show. */
  readonly older: readonly string[];
}

/** A role of an AppRole auth method. */
export interface AppRole {
  readonly roleId: string;
  readonly bindSecretId: boolean;
  /** Null until a write contains the list. */
  readonly secretIdBoundCidrs: readonly string[] | null;
  readonly secretIdNumUses: number;
  readonly secretIdTtl: number;
  readonly localSecretIds: boolean;
  readonly tokens: TokenSettings;
  readonly older: readonly string[];
}

/** The users and roles of the auth methods of a namespace. Each key begins with the path of the auth method and a colon. */
export interface AuthData {
  readonly users: Map<string, AuthUser>;
  readonly roles: Map<string, AppRole>;
}

export function newAuthData(): AuthData {
  return { users: new Map(), roles: new Map() };
}

/** Moves the users and roles of an auth method; without a new path, deletes them. */
export function moveAuthData({ users, roles }: AuthData, from: string, to?: string): void {
  for (const objects of [users, roles] as readonly Map<string, unknown>[])
    for (const [key, value] of [...objects]) {
      if (!key.startsWith(`${from}:`)) continue;
      objects.delete(key);
      if (to !== undefined) objects.set(to + key.slice(from.length), value);
    }
}
