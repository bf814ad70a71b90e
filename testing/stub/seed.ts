import type { ServiceName } from "./service";

/** The default ports of `quarterdeck-stub`. */
export const DEFAULT_PORTS = {
  control: 4600,
  secrets: 4620,
  workspaces: 4640,
  scheduler: 4646,
  mesh: 4650,
} as const satisfies Record<ServiceName | "control", number>;

/** The tokens of {@link defaultSeed}. They have every permission, and are valid on the mock servers only. */
export const TEST_TOKENS = {
  workspaces: "workspaces-token",
  scheduler: "scheduler-token",
  secrets: "secrets-token",
  mesh: "mesh-token",
} as const satisfies Record<ServiceName, string>;

/** The initial seed for the examples: the organization `acme`, and one token per service. */
export const defaultSeed = {
  workspaces: {
    organizations: { acme: {} },
    tokens: { [TEST_TOKENS.workspaces]: { team: "owners", organization: "acme" } },
  },
  scheduler: { tokens: { [TEST_TOKENS.scheduler]: { management: true } } },
  secrets: { tokens: { [TEST_TOKENS.secrets]: { policies: ["root"] } } },
  mesh: { tokens: { [TEST_TOKENS.mesh]: { management: true } } },
} as const;
