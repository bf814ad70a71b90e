import type { Values } from "../../provider/core/language/object";
import type { AnyDefinition } from "../../provider/core/language/resource";
import type { Resource } from "../steps/resource";
import type { Edit } from "../steps/subject";
import type { World } from "../steps/world";

/** What a stretch of a life is about. */
export type Kind =
  | "create"
  | "adopt"
  | "import"
  | "update"
  | "replace"
  | "refresh"
  | "delete"
  /** Something that is done once. */
  | "act";

/** One stretch of a resource's life: what stands before it, and the command that is tried. */
export interface Life {
  readonly kind: Kind;
  /** Unlike any other of its definition. */
  readonly name: string;
  /** What the program says when it has ended; what an import has written where there is none. */
  readonly program?: Values;
  /** Whether the command waits for what the service makes of its write. */
  readonly isWait?: true;
  /** Whether the stack asks for what is just as written to be taken over. */
  readonly takesIdentical?: true;
  /** Whether nothing is there in the end. */
  readonly ends?: true;
  /** What somebody else may change of it, so that a refresh shows it before and after the command. */
  readonly edit?: Edit | undefined;
  before(resource: Resource): Promise<void>;
  /** The command. An engine writes its state down after each of the provider's steps: then `kept` is called. */
  command(resource: Resource, kept: () => void): Promise<unknown>;
}

/** One definition with all that is needed to try every fault on it. */
export interface Tried {
  readonly definition: AnyDefinition;
  /** A fresh service, with everything that programs refer to. */
  world(): Promise<World>;
  lives(): Promise<readonly Life[]>;
  /** The object, taken away by somebody else. */
  takeAway?(world: World, resource: Resource): Promise<void>;
  /** Somebody else does just what the definition is for. */
  doesTheSame?(world: World): Promise<void>;
  /** What of a dump is theirs then, by where it stands: it must not be undone unseen. Nothing where nothing is said. */
  readonly theirs?: RegExp;
  /** Somebody else takes back what was done. */
  undoes?(world: World): Promise<void>;
  /** Somebody else's edit. */
  edit?(world: World, resource: Resource, edit: Edit): Promise<void>;
}
