import type { Json } from "../value/json";
import type { ObjectHookContext } from "./hookContext";
import type { Address, Observation } from "./object";

/** A part of a resource with a request of its own (an ssh key, a set of tags). */
export interface Link {
  /** The property that it carries. */
  readonly field: string;
  /** It travels in the create's own body, so only updates need its request. */
  readonly isCreatedWith?: boolean;
  /**
   * Further reads that its value needs; without it the object's own answer holds the value.
   * @throws NotOfferedError where this server has no endpoint for it.
   */
  read?(context: ObjectHookContext, address: Address, known: LinkContext): Promise<Json>;
  /** Brings the service from `from` to `to`; null stands for none. */
  write(context: ObjectHookContext, address: Address, change: { from: Json; to: Json }): Promise<void>;
}

/** What is known of a link when it is read. */
export interface LinkContext {
  /** What this program wrote there last, as it wrote it; undefined where it wrote nothing yet. */
  readonly written: Json | undefined;
  /** The object to which it belongs, as just read. */
  readonly body: Observation["body"];
}
