import type { IssuedToken } from "./logins";

/** A token in the response format of Nomad and Consul; its times are by the mock server's clock. */
export function secretIdOf({ secret, since, end }: IssuedToken<unknown>): object {
  return {
    AccessorID: `accessor-of-${secret}`,
    SecretID: secret,
    CreateTime: new Date(since).toISOString(),
    ...(end !== undefined && { ExpirationTime: new Date(end).toISOString() }),
  };
}
