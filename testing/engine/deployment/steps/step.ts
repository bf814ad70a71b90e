import type { PropertyDiff } from "@pulumi/pulumi/automation/events";
import type { Op } from "../../events";
import type { PendingOperation } from "../../state/resource";
import type { Diff } from "../provider/diff";
import type { Entry } from "../record/entry";

/** One operation on one resource. */
export interface Step {
  readonly op: Op;
  readonly urn: string;
  readonly type: string;
  readonly old?: Entry | undefined;
  /** The resource afterward; undefined if a refresh does not find it. */
  readonly new?: Entry | undefined;
  /** True for steps that the summary counts: one per resource of the program or the state. */
  readonly logical: boolean;
  readonly why?: Reasons;
  /** The pending operation to record before `apply`; it is removed afterward. */
  readonly pending?: { readonly entry: Entry; readonly type: PendingOperation["type"] };
  /** Executes the step. Throws a `ProviderFailure` with the partial result, or a different error. */
  apply(): Promise<void>;
  /** True if the summary counts the step, for steps that know this only afterward. */
  counted?(): boolean;
  /** Updates the record after a success or a partial success. Returns false if nothing needs to be saved. */
  commit(): boolean;
  /** The operation that the result amounts to, for steps that know this only afterward. */
  outcome?(): Op;
  /** Returns the result to the program. */
  done?(): void;
}

/** The reasons for an update or a replacement. */
export interface Reasons {
  readonly keys?: readonly string[];
  readonly diffs?: readonly string[];
  readonly detailed?: Readonly<Record<string, PropertyDiff>>;
}

/** The reasons in a provider's diff. */
export const reasonsOf = ({ changed, detailed }: Diff): Reasons => ({
  diffs: changed,
  ...(detailed && { detailed }),
});
