import type { Asking, ObjectAsking } from "./asking";
import type { Definition } from "./resource";
import type { Described } from "./specified";

/** Everything that a step works with: a definition, and what it takes to ask its service. */
export interface StepContext<D extends Described = Described> extends Asking {
  readonly definition: D;
}

/** The same for an object. */
export interface ObjectContext extends ObjectAsking {
  readonly definition: Definition;
}
