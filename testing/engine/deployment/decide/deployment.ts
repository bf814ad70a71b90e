import type { DeployOptions } from "../operation/options";
import type { Ledger } from "../record/ledger";
import type { Surroundings } from "../steps/surroundings";
import type { Marks } from "./marks";
import type { Targets } from "./targets";

/** The shared state of all decisions in one deployment: options, previous state, and the decisions so far. */
export interface Deployment extends Surroundings {
  readonly options: DeployOptions;
  readonly ledger: Ledger;
  /** The targets of the operation, including dependents with `--target-dependents`. */
  readonly targets: Targets;
  /** The resources of `--replace`. */
  readonly replaced: Targets;
  readonly marks: Marks;
}
