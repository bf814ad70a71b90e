import type { HttpAnswer } from "../http/request";
import type { Address, Observation, Values } from "./object";
import type { Route } from "./route";
import type { ObjectHookContext } from "./stepInput";
import type { CheckAndSet } from "./writes";

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

/** What a delete does. */
export type Deletion = PlainDelete | CheckedDelete | Stays;

/** An object that is deleted by now: where it was, what the program wrote, and what was seen of it last. */
export interface Deleted {
  readonly address: Address;
  readonly inputs: Values;
  readonly seen: Observation["body"];
}

interface Delete {
  readonly kind: "deletes";
  readonly route: Route;
  /** What else is to be known of it, for the documentation: whole sentences. */
  readonly doc?: string;
  /** What it leaves behind elsewhere, for the documentation and the delete itself. */
  readonly leavesBehind?: string;
  /** Its answer proves nothing, because it is given for what is not there, too: the object is looked at. */
  readonly looksAfter?: true;
  /** What follows once the object is deleted; an error keeps the resource in the state, and a repeated delete runs it again. */
  after?(context: ObjectHookContext, deleted: Deleted): Promise<void>;
  /** Whether it leaves the object alone (`deregisterOnDelete: false`). */
  isSkipped?(inputs: Values): boolean;
  /** Whether an object that can still be read counts as deleted (a job that is stopped, and not to be purged). */
  isDone?(body: Observation["body"], inputs: Values): boolean;
}

/** The object is read and compared just before. */
export interface PlainDelete extends Delete {
  readonly isChecked: false;
  /** Real work in place of the plain request, where the endpoint needs it. */
  perform?(context: ObjectHookContext, address: Address, inputs: Values, seen: Observation): Promise<void>;
}

/** The service checks it, like a write. */
export interface CheckedDelete extends Delete {
  readonly isChecked: true;
}

/** The service has no request for it: nothing is sent. */
export interface Stays {
  readonly kind: "stays";
  /** What stays on the service, and why. */
  readonly as: string;
}

type More<D> = Omit<D, "kind" | "route" | "isChecked">;

export const deletes = (route: Route, more: More<PlainDelete> = {}): PlainDelete => ({
  kind: "deletes",
  route,
  isChecked: false,
  ...more,
});

export const deletesChecked = (route: Route, more: More<CheckedDelete> = {}): CheckedDelete => ({
  kind: "deletes",
  route,
  isChecked: true,
  ...more,
});

export const stays = (as: string): Stays => ({ kind: "stays", as });
