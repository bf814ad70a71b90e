import type { Values } from "../../provider/core/language/object";
import type { AnyDefinition } from "../../provider/core/language/resource";
import type { Resource } from "../steps/resource";
import type { Edit } from "../steps/subject";
import type { World } from "../steps/world";

/** The operation of a scenario. */
export type Kind =
  | "create"
  | "adopt"
  | "import"
  | "update"
  | "replace"
  | "refresh"
  | "delete"
  /** A one-time action. */
  | "act";

/** A scenario: the preparation, and the command under test. */
export interface Scenario {
  readonly kind: Kind;
  /** Unique within its definition. */
  readonly name: string;
  /** The program after the command; undefined if an import writes it. */
  readonly program?: Values;
  /** Whether the command waits for the result of its write. */
  readonly waits?: true;
  /** Whether the stack adopts identical objects. */
  readonly adoptsIdentical?: true;
  /** Whether the object is deleted at the end. */
  readonly deletesObject?: true;
  /** An edit by another user that a refresh shows before and after the command. */
  readonly edit?: Edit | undefined;
  before(resource: Resource): Promise<void>;
  /** The command. An engine stores its state after each step of the provider, and then calls `kept`. */
  command(resource: Resource, kept: () => void): Promise<unknown>;
}

/** A definition with everything that the fault tests need. */
export interface FaultSubject {
  readonly definition: AnyDefinition;
  /** A new service, with everything that programs refer to. */
  world(): Promise<World>;
  lives(): Promise<readonly Scenario[]>;
  /** Deletes the object as another user. */
  takeAway?(world: World, resource: Resource): Promise<void>;
  /** Does the same as the definition, as another user. */
  repeatsAction?(world: World): Promise<void>;
  /** The paths of the other user's values in a dump, which must not be overwritten unseen. Default: none. */
  readonly otherUsersPaths?: RegExp;
  /** Reverts the result as another user. */
  revertsAction?(world: World): Promise<void>;
  /** Edits the object as another user. */
  edit?(world: World, resource: Resource, edit: Edit): Promise<void>;
}
