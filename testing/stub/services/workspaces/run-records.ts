import type { JsonValue } from "../../json";

/** A connection of a workspace to a source workspace, whose applies queue runs in it. */
export interface RunTrigger {
  readonly id: string;
  readonly workspace: string;
  readonly source: string;
  readonly createdAt: number;
}

/** A notification configuration of a workspace. The server never shows its token. */
export interface Notification {
  readonly id: string;
  /** The ID of the workspace. */
  readonly workspace: string;
  readonly type: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly name: string;
  readonly enabled: boolean;
  readonly url: string | null;
  readonly hasToken: boolean;
  readonly triggers: readonly string[];
  readonly addresses: readonly string[];
  readonly users: readonly string[];
}

/** A configuration version of a workspace, with its files (base64); null before the upload. */
export interface ConfigurationVersion {
  readonly id: string;
  /** The ID of the workspace. */
  readonly workspace: string;
  readonly speculative: boolean;
  readonly provisional: boolean;
  readonly autoQueueRuns: boolean;
  readonly createdAt: number;
  readonly files: string | null;
}

/** A run of a workspace. Its status follows from the clock. */
export interface Run {
  readonly id: string;
  /** The ID of the workspace. */
  readonly workspace: string;
  readonly configurationVersion: string | null;
  /** The attributes of its create, by their wire names. */
  readonly attributes: Readonly<Record<string, JsonValue>>;
  /** How its plan ends. */
  readonly planResult: "changes" | "none" | "error" | "policy";
  readonly createdAt: number;
  /** How long its plan and its apply take. */
  readonly phaseMilliseconds: number;
  readonly confirmedAt: number | null;
  readonly discardedAt: number | null;
}
