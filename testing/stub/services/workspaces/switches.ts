import type { RateLimit } from "../../request-windows";

/** The switches that a test can set, at the start or later; each defaults to the specification's behavior. */
export interface WorkspacesSwitches {
  /** `real` uses HCP Terraform's names of `engine-version` and `search[exclude_tags]`. */
  readonly dialect: "neutral" | "real";
  /** The form of an error: JSON:API objects, or the older list of strings. */
  readonly errorForm: "objects" | "strings";
  /** The status for a name in use: 422 as in HCP Terraform, 409 with "resource already exists" as in OTF. */
  readonly nameTakenStatus: 422 | 409;
  /** False omits `permissions.can-force-delete` and has no safe delete, like an older server. */
  readonly safeDeleteExists: boolean;
  /**
   * False: there are no key-value tags, like on an older server. The endpoints return the router's 404, and a create ignores
   * the tags.
   */
  readonly tagBindingsExist: boolean;
  /**
   * False: `setting-overwrites` has no effect, and its flags are always returned as false, as in OTF. A workspace then keeps
   * its execution mode.
   */
  readonly storesOverwrites: boolean;
  /** False: a body may set one trigger and empty another. */
  readonly refusesEmptiedTwins: boolean;
  /** False: a workspace hides the holder of its lock and the reason, as in another edition. */
  readonly showsLockHolder: boolean;
  /** True: locking a locked workspace returns a 409 without a body. */
  readonly lockConflictIsEmpty: boolean;
  /** False: public provider curation is disabled, 403. */
  readonly publicCuration: boolean;
  /** How long a workspace "is being processed" after its creation and after each new state. */
  readonly processingMilliseconds: number;
  /** The default of `global-remote-state` in a create. */
  readonly globalRemoteStateDefault: boolean;
  /** The default of `engine-version` in a create. */
  readonly latestEngineVersion: string;
  /** How the plan of a new run ends. */
  readonly planResult: "changes" | "none" | "error" | "policy";
  /** How long the plan and the apply of a new run take each. */
  readonly runPhaseMilliseconds: number;
  /** Requests per window and caller, by the mock server's clock; null means no limit. */
  readonly rateLimit: RateLimit | null;
}
