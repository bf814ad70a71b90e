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
  /** Null where the role was written without any. */
  readonly vhosts: JsonMap | null;
  readonly vhostTopics: JsonMap | null;
}

/** What a message-queue engine stores. */
export interface QueueData {
  readonly connection: Map<"config", QueueConnection>;
  readonly lease: Map<"config", { readonly ttl: number; readonly maxTtl: number }>;
  readonly roles: Map<string, QueueRole>;
}

export function newQueue(): QueueData {
  return { connection: new Map(), lease: new Map(), roles: new Map() };
}
