import type { HttpAnswer } from "../http/request";

/**
 * What is known of services whose servers form a cluster in which every one answers by itself what it can, perhaps from
 * before the latest write.
 */
export interface Cluster {
  readonly state: StateHeader;
  /** The request that tells which server takes the writes; its path is below the service's prefix. */
  readonly active: { readonly path: string; tells(answer: HttpAnswer): ActiveServer };
}

/** The header by which an answer names the state that it left or shows, and a later request asks for none from before it. */
export interface StateHeader {
  /** Its name, in lower case. */
  readonly name: string;
  /** What else a request says that asks so: what a server shall do that is behind. */
  readonly beside: Readonly<Record<string, string>>;
  /** The states to ask for, those known together with one that was just answered. */
  latest(known: readonly string[], answered: string): readonly string[];
}

/** What one server says of the active one. */
export interface ActiveServer {
  /** False where there is only one, or the servers are no cluster. */
  readonly isClustered: boolean;
  /** Whether the server that answered is the active one itself. */
  readonly isSelf: boolean;
  /** Where the active one is, as it tells others; undefined while there is none. */
  readonly address: string | undefined;
}
