import type { ResourceState } from "../../state/resource";
import type { PropertyMap } from "../../state/values";
import type { Checked } from "../provider/protocol";
import type { Goal, Invocation, ReadGoal } from "./goal";

/** Handles the program's registrations and calls. */
export interface Registry {
  register(goal: Goal): Promise<Outcome>;
  read(goal: ReadGoal): Promise<Outcome>;
  /** The result of a function, or the failures of its arguments. */
  invoke(invocation: Invocation): Promise<Checked>;
  /** Sets the outputs of a component or of the stack. */
  registerOutputs(urn: string, outputs: PropertyMap): Promise<void>;
}

/** The result of a registration for the program. */
export interface Outcome {
  readonly state: ResourceState;
  /** True if a targeted update left the resource out, so that its outputs are unknown. */
  readonly unknown: boolean;
}
