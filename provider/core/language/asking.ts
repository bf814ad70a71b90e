import type { CallContext, StepName } from "./call";
import type { Definition } from "./resource";
import type { Described } from "./specified";

/** Everything a step and the small functions beside a definition need to talk to their service. */
export interface StepContext<D extends Described = Definition> extends CallContext {
  readonly definition: D;
  readonly step: StepName;
}
