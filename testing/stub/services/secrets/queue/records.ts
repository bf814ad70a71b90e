import type { JsonMap } from "../json";

export interface QueueConnection {
  readonly connectionUri: string;
  readonly username: string;
  readonly password: string;
  readonly passwordPolicy: string;
  readonly usernameTemplate: string;
}

export interface QueueRole {
  readonly tags: string;
  /** Null if the role was written without permissions. */
  readonly vhosts: JsonMap | null;
  readonly vhostTopics: JsonMap | null;
}

/** The state of a RabbitMQ engine. */
export interface QueueData {
  readonly connection: Map<"config", QueueConnection>;
  readonly lease: Map<"config", { readonly ttl: number; readonly maxTtl: number }>;
  readonly roles: Map<string, QueueRole>;
}

export function newQueue(): QueueData {
  return { connection: new Map(), lease: new Map(), roles: new Map() };
}
