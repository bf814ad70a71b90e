import type { JsonValue } from "../../json";

/** A connection of an organization to a VCS provider. The server never shows its credentials. */
export interface OauthClient {
  readonly id: string;
  readonly organization: string;
  readonly createdAt: number;
  /** The ID of its OAuth token in the organization's settings; null before a person authorizes the client. */
  readonly token: string | null;
  readonly name: string | null;
  readonly serviceProvider: string;
  readonly httpUrl: string;
  readonly apiUrl: string;
  readonly key: string | null;
  readonly rsaPublicKey: string | null;
  readonly organizationScoped: boolean;
  /** IDs, as is the agent pool. */
  readonly projects: readonly string[];
  readonly agentPool: string | null;
}

/** A token of an agent pool. The server does not store its secret text. */
export interface AgentToken {
  readonly id: string;
  /** The ID of the agent pool. */
  readonly pool: string;
  readonly description: string;
  readonly createdAt: number;
  readonly creator: string;
}

/** The access of a team to a workspace. */
export interface TeamAccess {
  readonly id: string;
  readonly workspace: string;
  readonly team: string;
  readonly access: string;
  /** The single permissions, in the order of their names in `team-access.ts`. */
  readonly permissions: readonly JsonValue[];
}
