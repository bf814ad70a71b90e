import type { CheckAndSet } from "./checkAndSet";
import type { Creation, LookedFor } from "./creation";
import type { Deletion, PlainDelete, Stays } from "./deletion";
import type { Link } from "./link";
import type { Action, Procedure, WriteOnly } from "./lives";
import type { Reads } from "./reads";
import type { Writes } from "./writes";

/** How a resource lives. */
export type Life = ObjectLife | Action | WriteOnly | Procedure;

/** The life of an object, which is created, read, updated and deleted. */
export interface ObjectLife<R extends Reads = Reads> {
  readonly kind: "object";
  readonly reads: R;
  readonly writes: Writes;
  /** How the service checks at the moment of writing; without it the object is read and compared just before. */
  readonly check?: CheckAndSet;
  readonly creation: Creation;
  readonly deletion: Deletion;
  /** The parts of it that have requests of their own. */
  readonly links: readonly Link[];
}

/** What a definition says of an object's life. */
type GivenLife<R extends Reads> = {
  readonly reads: R;
  readonly writes: Writes;
  readonly links?: readonly Link[];
} & (Guarded | Unguarded);

/** The service checks writes: what exists already is told by its check, and by no other refusal. */
interface Guarded {
  readonly check: CheckAndSet;
  readonly creation?: Creation & { readonly existing?: LookedFor };
  readonly deletion: Deletion;
}

/** The service does not check writes, and so no deletes either. */
interface Unguarded {
  readonly check?: undefined;
  readonly creation?: Creation;
  readonly deletion: PlainDelete | Stays;
}

/** The life of an object. */
export function object<const R extends Reads>(given: GivenLife<R>): ObjectLife<R> {
  const { check, ...life } = given;
  return { kind: "object", creation: {}, links: [], ...life, ...(check && { check }) };
}
