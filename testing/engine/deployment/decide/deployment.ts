import type { DeployOptions } from "../operation/options";
import type { Ledger } from "../record/ledger";
import type { Surroundings } from "../steps/surroundings";
import type { Marks } from "./marks";
import type { Targets } from "./targets";

/** What all decisions of one deployment share: what was asked for, what was there before, what is decided so far. */
export interface Deployment extends Surroundings {
  readonly options: DeployOptions;
  readonly ledger: Ledger;
  /** What the operation is limited to, grown by dependents where they were asked for. */
  readonly targets: Targets;
  /** What the user asks to replace. */
  readonly replaced: Targets;
  readonly marks: Marks;
}
