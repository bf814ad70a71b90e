import type { IssuedToken } from "./logins";

/** A token as the scheduler and the mesh answer one, by their own clock. */
export function secretIdOf({ secret, since, end }: IssuedToken<unknown>): object {
  return {
    AccessorID: `accessor-of-${secret}`,
    SecretID: secret,
    CreateTime: new Date(since).toISOString(),
    ...(end !== undefined && { ExpirationTime: new Date(end).toISOString() }),
  };
}
