import type { HttpAnswer } from "../http/request";
import type { CheckAndSet } from "./checkAndSet";
import type { ObjectHookContext } from "./hookContext";
import type { Address, Observation, Values } from "./object";

type FoundBody = Observation["body"];

/** What a create does about what is there already, and about itself where its answer is lost. */
export interface Creation {
  /** What keeps it from what exists. Without it: the service's check where there is one, else a look first. */
  readonly existing?: LookedFor | RefusesExisting;
  /** Whether what it finds may be taken over unasked (a stopped job that was never purged). */
  takesOver?(found: FoundBody, inputs: Values): boolean;
  /** How the error describes what was found: who holds a lock. */
  called?(found: FoundBody): string;
  /** By what an object is known to be its own after a lost answer. Without it: it holds all that was written. */
  readonly ours?: BornAfter | Recognised;
}

/** It looks first: what is there before is then never taken for its own. */
export interface LookedFor {
  readonly by: "a look";
  /** How an object is found before it has an id; by its address where nothing is said. */
  readonly search?: Search;
}

/** The service refuses to create what exists. */
export interface RefusesExisting {
  readonly by: "a refusal";
  readonly looksFirst: boolean;
  /** Whether this answer is that refusal. */
  says(answer: HttpAnswer): boolean;
}

/** How an object is found by its program's inputs. */
export interface Search {
  find(context: ObjectHookContext, address: Address, inputs: Values): Promise<Observation | undefined>;
  /** Whether it finds what these inputs make (it has a name); what it cannot find is never made a second time. */
  canFind(inputs: Values): boolean;
}

/** What is older than the create is not its own. */
export interface BornAfter {
  /** The member that says when an object was made (ISO 8601). */
  readonly born: string;
  readonly recognise?: undefined;
}

/** It is recognised by other signs than that it holds all that was written. */
export interface Recognised {
  readonly born?: undefined;
  /**
   * What the address of an object carries that was not there before, and that may be ours although it cannot be told;
   * undefined where it is somebody else's.
   */
  recognise(found: FoundBody, inputs: Values): Address | undefined;
}

export const lookedFor = (search?: Search): LookedFor => ({ by: "a look", ...(search && { search }) });
export const refused = (says: RefusesExisting["says"]): RefusesExisting => ({
  by: "a refusal",
  looksFirst: false,
  says,
});
export const lookedForAndRefused = (says: RefusesExisting["says"]): RefusesExisting => ({
  by: "a refusal",
  looksFirst: true,
  says,
});

/** Whether a create looks before it writes. */
export function looksBeforeCreate(life: {
  readonly check?: CheckAndSet;
  readonly creation: Creation;
}): boolean {
  const { existing } = life.creation;
  if (existing === undefined) return life.check === undefined;
  return existing.by === "a look" || existing.looksFirst;
}
