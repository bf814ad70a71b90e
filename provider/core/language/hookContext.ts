import type { Address, Observation } from "./object";
import type { RequestContext, StepName } from "./stepInput";

/** What a function beside a definition is handed: what it takes to ask its service, and to tell what came of it. */
export interface HookContext extends RequestContext {
  readonly step: StepName;
  /** The resource as messages name it: `scheduler:Job "default/web"`. */
  name(address: Address): string;
}

/** The same beside the definition of an object, which can be looked at. */
export interface ObjectHookContext extends HookContext {
  /**
   * The object as the service holds it now; undefined where the service proves that it is gone.
   * @throws ServiceError for every answer that is neither the object nor a proof.
   */
  observe(this: ObjectHookContext, address: Address): Promise<Observation | undefined>;
}
