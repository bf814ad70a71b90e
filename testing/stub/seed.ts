import type { ServiceName } from "./service";

/** The ports that `quarterdeck-stub` serves on. */
export const DEFAULT_PORTS = {
  control: 4600,
  secrets: 4620,
  workspaces: 4640,
  scheduler: 4646,
  mesh: 4650,
} as const satisfies Record<ServiceName | "control", number>;

/** The tokens of {@link defaultSeed}. They may do everything, and are worth nothing anywhere else. */
export const TEST_TOKENS = {
  workspaces: "workspaces-token",
  scheduler: "scheduler-token",
  secrets: "secrets-token",
  mesh: "mesh-token",
} as const satisfies Record<ServiceName, string>;

/** What the stub knows when it is started for the examples: the organization `acme`, and one token a service. */
export const defaultSeed = {
  workspaces: {
    organizations: { acme: {} },
    tokens: { [TEST_TOKENS.workspaces]: { team: "owners", organization: "acme" } },
  },
  scheduler: { tokens: { [TEST_TOKENS.scheduler]: { management: true } } },
  secrets: { tokens: { [TEST_TOKENS.secrets]: { policies: ["root"] } } },
  mesh: { tokens: { [TEST_TOKENS.mesh]: { management: true } } },
} as const;
