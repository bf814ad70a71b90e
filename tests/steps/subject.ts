import type fc from "fast-check";
import type { Values } from "../../provider/core/language/object";
import type { Definition } from "../../provider/core/language/resource";
import type { Json } from "../../provider/core/value/json";
import type { Resource } from "./resource";
import type { World } from "./world";

/** What somebody else does to one property of an object, at a console. */
export interface Edit {
  /** The program's name of the property that moves. */
  readonly property: string;
  /** The value that it gets, as a program would write it. */
  readonly value: Json;
}

/** One definition with all that the laws need to try it. */
export interface Subject {
  readonly definition: Definition;
  /** How many stories of two programs and a person at a console are tried, where it is worth more than most. */
  readonly stories?: number;
  /** It shares all but its fields with another subject, so that it is tried less often. */
  readonly isVariant?: boolean;
  /** All of it is its identity, so that nobody can change anything of it. */
  readonly isFixed?: boolean;
  /** A fresh service, with everything that programs of this subject refer to. */
  world(): Promise<World>;
  /** Valid programs, all for the same object. */
  readonly programs: fc.Arbitrary<Values>;
  /**
   * Programs of kinds that came after the first states were recorded, by the name of the file in which theirs are:
   * they are recorded once, too.
   */
  readonly later?: Readonly<Record<string, fc.Arbitrary<Values>>>;
  /** Programs that go with whatever another of them left unmanaged. Default: all of them. */
  readonly compatible?: fc.Arbitrary<Values>;
  /** Somebody else's edits, to properties that a program may or may not manage. */
  readonly edits: fc.Arbitrary<Edit>;
  /** Carries an edit out; it asks for no check. */
  edit(world: World, resource: Resource, edit: Edit): Promise<void>;
  /** Whether a value is only no longer looked at after a write, by its path and by everything that is then held. */
  isNoLongerLookedAt?(path: string, after: ReadonlyMap<string, string>): boolean;
  /** The object, taken away by somebody else. None where the service has no request for it. */
  takeAway?(world: World, resource: Resource): Promise<void>;
  /** Whether a delete took everything of the program's away, where what it is part of can still be read. */
  isTakenAway?(world: World, resource: Resource): Promise<boolean>;
  /** The requests of a create of this program, by their methods. */
  createTakes(program: Values): readonly string[];
  /** The requests of a refresh of this program. Default: one. */
  refreshTakes?(program: Values): number;
}
