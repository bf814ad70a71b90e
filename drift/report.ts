import type { Drifted } from "../provider/core/bridge/verdict";

export type { Drifted };

/** What became of one resource since its state was last written or refreshed. */
export interface ResourceReport {
  readonly urn: string;
  /** `scheduler:Job`. */
  readonly type: string;
  /** Its name in the program. */
  readonly name: string;
  readonly id: string;
  /**
   * `in sync`: as the state has it. `drifted`: its `fields` are others. `ignored`: so, but the program ignores all of them.
   * `missing`: proven gone. `unreadable`: it could not be looked at, for the reason `why`.
   */
  readonly verdict: "in sync" | "drifted" | "ignored" | "missing" | "unreadable";
  /** What moved, secrets masked; none but where it drifted. */
  readonly fields?: readonly Drifted[];
  readonly why?: string;
  /** Where the settings came from by which it was looked at. */
  readonly settings: string;
}

/** What a look at all resources of a stack found. */
export interface DriftReport {
  /** The stack's name, where it is known. */
  readonly stack?: string;
  /** When the look began, in ISO 8601. */
  readonly at: string;
  /** Seconds that it took. */
  readonly seconds: number;
  /** Requests that were sent. */
  readonly requests: number;
  readonly counts: Readonly<Record<ResourceReport["verdict"], number>>;
  /** In the order of the state. */
  readonly resources: readonly ResourceReport[];
}
