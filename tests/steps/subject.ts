import type fc from "fast-check";
import type { Values } from "../../provider/core/language/object";
import type { Definition } from "../../provider/core/language/resource";
import type { Json } from "../../provider/core/value/json";
import type { Resource } from "./resource";
import type { World } from "./world";

/** Another user's change to one property of an object. */
export interface Edit {
  /** The program's name of the changed property. */
  readonly property: string;
  /** The new value, as a program would write it. */
  readonly value: Json;
}

/** One definition with everything that the property tests need. */
export interface Subject {
  readonly definition: Definition;
  /** The number of stories with two programs and another user, if it is higher than the default. */
  readonly stories?: number;
  /** It differs from another subject only in its fields, so that it needs fewer runs. */
  readonly isVariant?: boolean;
  /** All of its properties are its identity, so that no update is possible. */
  readonly isFixed?: boolean;
  /** A new mock server with everything that programs of this subject refer to. */
  world(): Promise<World>;
  /** Valid programs, all for the same object. */
  readonly programs: fc.Arbitrary<Values>;
  /**
   * Programs of forms that were added after the first states were recorded, by the name of their own file of recorded
   * states.
   */
  readonly later?: Readonly<Record<string, fc.Arbitrary<Values>>>;
  /** Programs that are valid together with any properties that a previous one left unmanaged. Default: all programs. */
  readonly compatible?: fc.Arbitrary<Values>;
  /** Another user's edits, to properties that a program may or may not manage. */
  readonly edits: fc.Arbitrary<Edit>;
  /** Applies an edit, without a precondition. */
  edit(world: World, resource: Resource, edit: Edit): Promise<void>;
  /** Whether a value no longer applies after a write, by its path and all values that are stored then. */
  isNoLongerLookedAt?(path: string, after: ReadonlyMap<string, string>): boolean;
  /** Deletes the object as another user. Undefined if the service has no request for it. */
  takeAway?(world: World, resource: Resource): Promise<void>;
  /** Whether a delete removed all of the program's values, if the object around them can still be read. */
  isTakenAway?(world: World, resource: Resource): Promise<boolean>;
  /** The methods of the requests of a create of this program. */
  createTakes(program: Values): readonly string[];
  /** The number of requests of a refresh of this program. Default: one. */
  refreshTakes?(program: Values): number;
}
