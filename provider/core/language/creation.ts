import type { HttpResponse } from "../http/request";
import type { Address, Observation, Values } from "./object";
import type { Route } from "./route";
import type { ObjectHookContext } from "./stepInput";
import type { CheckAndSet } from "./writes";

type FoundBody = Observation["body"];

/** How a create treats an existing object, and how it recognizes its own object after a lost response. */
export interface Creation {
  /** How the create detects an existing object. Default: by check-and-set if the service supports it, else by a read first. */
  readonly existing?: DetectedByRead | DetectedByRejection;
  /** True if the create adopts the object it finds without an explicit request (a stopped job that was never purged). */
  adoptsImplicitly?(found: FoundBody, inputs: Values): boolean;
  /** The error's description of the object found, such as the holder of a lock. */
  describeExisting?(found: FoundBody): string;
  /** How the create recognizes its own object after a lost response. Default: the object contains every written value. */
  readonly recognition?: CreatedAfter | CustomRecognition;
}

/** The create reads first, so it never mistakes an object that existed before for its own. */
export interface DetectedByRead {
  readonly by: "read";
  /** How to find an object that has no ID yet. Default: by its address. */
  readonly search?: Search;
}

/** The service rejects the create of an existing object. */
export interface DetectedByRejection {
  readonly by: "rejection";
  readonly readsFirst: boolean;
  /** How to find an object that has no ID yet. Default: by its address. */
  readonly search?: Search;
  /** True if this response is that rejection. */
  isRejection(answer: HttpResponse): boolean;
}

/** Finds an object by the program's inputs. */
export interface Search {
  find(context: ObjectHookContext, address: Address, inputs: Values): Promise<Observation | undefined>;
  /**
   * True if the search can find the object of these inputs (it has a name). The create never creates an object a second time
   * if the search cannot find it.
   */
  canFind(inputs: Values): boolean;
}

/**
 * The maximum assumed difference between a server's clock and this machine's, in milliseconds. An object that is older than a
 * create by more than this is not the create's own.
 */
export const MAX_CLOCK_SKEW_MS = 30_000;

/** An object older than the create is not its own. */
export interface CreatedAfter {
  /** The member with the creation time (ISO 8601). */
  readonly creationTimeMember: string;
  readonly recognize?: undefined;
}

/** The create recognizes its object by other signs than the written values. */
export interface CustomRecognition {
  readonly creationTimeMember?: undefined;
  /**
   * Parts to add to the object's address if the object may be the create's own, even without proof; undefined if it is
   * someone else's.
   */
  recognize(found: FoundBody, inputs: Values): Address | undefined;
}

export const checksByRead = (search?: Search): DetectedByRead => ({
  by: "read",
  ...(search && { search }),
});
export const checksByRejection = (isRejection: DetectedByRejection["isRejection"]): DetectedByRejection => ({
  by: "rejection",
  readsFirst: false,
  isRejection,
});
export const checksByReadAndRejection = (
  isRejection: DetectedByRejection["isRejection"],
  search?: Search,
): DetectedByRejection => ({ by: "rejection", readsFirst: true, isRejection, ...(search && { search }) });

/** True if a create reads before it writes. */
export function readsBeforeCreate(life: {
  readonly check?: CheckAndSet;
  readonly creation: Creation;
}): boolean {
  const { existing } = life.creation;
  if (existing === undefined) return life.check === undefined;
  return existing.by === "read" || existing.readsFirst;
}

/** How an object is deleted. */
export type Deletion = PlainDelete | CheckedDelete | Stays;

/** A deleted object: its address, the program's inputs, and its body as last observed. */
export interface Deleted {
  readonly address: Address;
  readonly inputs: Values;
  readonly lastObserved: Observation["body"];
}

interface Delete {
  readonly kind: "deletes";
  readonly route: Route;
  /** Further facts for the documentation, as complete sentences. */
  readonly doc?: string;
  /** The remains that the delete leaves elsewhere, for the documentation and for the delete's warning. */
  readonly leavesBehind?: string;
  /**
   * The response proves nothing, because a delete of an absent object gets the same one. The delete reads the object
   * afterward.
   */
  readonly readsAfter?: true;
  /** Runs once the object is deleted. An error keeps the resource in the state, and a repeated delete runs it again. */
  after?(context: ObjectHookContext, deleted: Deleted): Promise<void>;
  /** True if the delete leaves the object alone (`deregisterOnDelete: false`). */
  isSkipped?(inputs: Values): boolean;
  /** True if an object that can still be read counts as deleted (a stopped job, if the program does not purge it). */
  isDone?(body: Observation["body"], inputs: Values): boolean;
}

/** Quarterdeck reads and compares the object just before the delete. */
export interface PlainDelete extends Delete {
  readonly isChecked: false;
  /** Replaces the plain request if the endpoint needs more work. */
  perform?(context: ObjectHookContext, address: Address, inputs: Values, seen: Observation): Promise<void>;
}

/** The service checks the delete, like a write. */
export interface CheckedDelete extends Delete {
  readonly isChecked: true;
}

/** The service has no delete request, so Quarterdeck sends nothing. */
export interface Stays {
  readonly kind: "stays";
  /** The data that stays on the service, and the reason. */
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
