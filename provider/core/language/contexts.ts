import type { HookContext, ObjectHookContext } from "./hookContext";
import type { Definition } from "./resource";
import type { DefinitionBase } from "./specified";

/** Everything that a step works with: a definition, and what it takes to ask its service. */
export interface StepContext<D extends DefinitionBase = DefinitionBase> extends HookContext {
  readonly definition: D;
}

/** The same for an object. */
export interface ObjectContext extends ObjectHookContext {
  readonly definition: Definition;
}
