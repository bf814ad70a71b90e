import type { PropertyDiff } from "@pulumi/pulumi/automation/events";
import type { Op } from "../../events";
import type { PendingOperation } from "../../state/resource";
import type { Diff } from "../provider/diff";
import type { Entry } from "../record/entry";

/** One thing to do to one resource. */
export interface Step {
  readonly op: Op;
  readonly urn: string;
  readonly type: string;
  readonly old?: Entry | undefined;
  /** What stands afterwards; a refresh that finds nothing has none in the end. */
  readonly new?: Entry | undefined;
  /** True for what the summary counts: one a resource that the program has or had. */
  readonly logical: boolean;
  readonly why?: Reasons;
  /** What goes on record before `apply` begins, and is struck out after it. */
  readonly pending?: { readonly entry: Entry; readonly type: PendingOperation["type"] };
  /** Does it. Throws a `ProviderFailure` with what is half made, or any other error. */
  apply(): Promise<void>;
  /** Whether the summary counts it, where that shows only afterwards. */
  counted?(): boolean;
  /** Changes the record after success, or after half of one. False where nothing needs to be written for it. */
  commit(): boolean;
  /** The operation that the outcome amounts to, where that shows only afterwards. */
  outcome?(): Op;
  /** Tells the program. */
  done?(): void;
}

/** Why a resource changes or is replaced. */
export interface Reasons {
  readonly keys?: readonly string[];
  readonly diffs?: readonly string[];
  readonly detailed?: Readonly<Record<string, PropertyDiff>>;
}

/** The reasons that a provider gives. */
export const reasonsOf = ({ changed, detailed }: Diff): Reasons => ({
  diffs: changed,
  ...(detailed && { detailed }),
});
