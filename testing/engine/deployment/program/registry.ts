import type { ResourceState } from "../../state/resource";
import type { PropertyMap } from "../../state/values";
import type { Checked } from "../provider/protocol";
import type { Goal, Invocation, ReadGoal } from "./goal";

/** Where what the program asks for is taken, and done. */
export interface Registry {
  register(goal: Goal): Promise<Outcome>;
  read(goal: ReadGoal): Promise<Outcome>;
  /** What a function answers, or what is wrong with its arguments. */
  invoke(invocation: Invocation): Promise<Checked>;
  /** Outputs that the program has for a component, or for the stack itself. */
  registerOutputs(urn: string, outputs: PropertyMap): Promise<void>;
}

/** What the program gets to know of a resource. */
export interface Outcome {
  readonly state: ResourceState;
  /** True where it was left out of a limited update: nobody can tell its outputs. */
  readonly unknown: boolean;
}
