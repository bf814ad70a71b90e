import { del, get, type ProcedureInput, type ProcedureProgress, post, type Route } from "../../../core";

/** The requests of a rekey and of its verification, at the paths that a server has for them. */
export interface RekeyRoutes {
  /** The path prefix. The state records it: an attempt under one prefix does not exist under the other. */
  readonly prefix: string;
  readonly status: Route;
  readonly start: Route;
  readonly cancel: Route;
  readonly update: Route;
  readonly verification: Route;
  readonly verify: Route;
  readonly restart: Route;
  readonly backup: Route;
}

/** The work on a rekey, and the requests that its server has for it. */
export interface RekeyWork extends ProcedureInput {
  readonly routes: RekeyRoutes;
}

/** The parts that a read of a rekey's state needs. */
export type Asking = Pick<RekeyWork, "context" | "routes">;

const routesUnder = (prefix: string, startAnswers: string, backup: string): RekeyRoutes => ({
  prefix,
  status: get(`/${prefix}/init`),
  start: post(`/${prefix}/init`, { expects: [startAnswers] }),
  cancel: del(`/${prefix}/init`),
  update: post(`/${prefix}/update`, { expects: ["nonce"] }),
  verification: get(`/${prefix}/verify`),
  verify: post(`/${prefix}/verify`, { expects: ["nonce"] }),
  restart: del(`/${prefix}/verify`, { expects: ["nonce"] }),
  backup: get(`/${backup}`),
});

/** The specification's requests. The two path prefixes differ on purpose. */
export const UNAUTHENTICATED = routesUnder(
  "sys/rekey-recovery-key",
  "nonce",
  "sys/rekey/recovery-key-backup",
);

/**
 * OpenBao's requests since 2.4, which need a token. Since 2.5 they are the only ones, unless a listener enables the others.
 * If there was no recovery key, the start itself returns the new shares, without a nonce.
 */
export const AUTHENTICATED = routesUnder("sys/rotate/recovery", "n", "sys/rotate/recovery/backup");

/** The requests that started a recorded rekey; undefined if no rekey is recorded. Earlier versions knew one prefix. */
export function recordedRoutes({ phase, prefix }: ProcedureProgress): RekeyRoutes | undefined {
  if (phase === undefined) return undefined;
  return prefix === AUTHENTICATED.prefix ? AUTHENTICATED : UNAUTHENTICATED;
}
