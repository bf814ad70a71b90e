import type { HttpAnswer } from "../http/request";

/**
 * What is known of services whose objects are written in one place, the primary, and copied to others, which count by
 * indexes of their own.
 */
export interface Replication {
  /** What the service calls such a place: `datacenter`. */
  readonly place: string;
  /** The query parameter that names the place of which is asked. */
  readonly parameter: string;
  /** The setting by which a person names the primary. */
  readonly setting: string;
  /** The requests that tell the primary, in the order in which they are tried; their paths are below the service's prefix. */
  readonly asked: readonly PrimaryQuestion[];
}

/** What stands for the name of the place that the server itself is in, where it does not say that. */
export const OWN = "";

/** A request that tells which place is the primary. */
export interface PrimaryQuestion {
  readonly path: string;
  /** The primary's name, or {@link OWN}; undefined where the answer does not tell. */
  tells(answer: HttpAnswer): string | undefined;
}
