import type { RateLimit } from "../../request-windows";

/** What a test may switch, at the start or later; every one has the specification's default. */
export interface WorkspacesSwitches {
  /** `real` renames `engine-version` and `search[exclude_tags]` to what the real product calls them. */
  readonly dialect: "neutral" | "real";
  /** The form of an error: JSON:API objects, or the older list of strings. */
  readonly errorForm: "objects" | "strings";
  /** The status of "Name has already been taken": 422 as the hosted service, 409 as another edition. */
  readonly nameTakenStatus: 422 | 409;
  /** False leaves `permissions.can-force-delete` out and answers no safe delete, as an older server does. */
  readonly safeDeleteExists: boolean;
  /** False: there are no key-value tags, as on an older server: 404 in the router's words, and what a create says of them is passed over. */
  readonly tagBindingsExist: boolean;
  /** False: a trigger may be emptied in the same body that gives another. */
  readonly refusesEmptiedTwins: boolean;
  /** False: a workspace does not show who holds its lock, nor why, as another edition does not. */
  readonly showsLockHolder: boolean;
  /** True answers a lock of a locked workspace with 409 and no body. */
  readonly lockConflictIsEmpty: boolean;
  /** False: public provider curation is disabled, 403. */
  readonly publicCuration: boolean;
  /** For how long after its creation and each new state a workspace "is being processed". */
  readonly processingMilliseconds: number;
  /** What `global-remote-state` is when a create omits it. */
  readonly globalRemoteStateDefault: boolean;
  /** What `engine-version` is when a create omits it. */
  readonly latestEngineVersion: string;
  /** Requests per window and caller, by the stub's clock; null is no limit. */
  readonly rateLimit: RateLimit | null;
}
