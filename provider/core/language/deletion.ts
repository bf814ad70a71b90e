import type { ObjectHookContext } from "./hookContext";
import type { Address, Observation, Values } from "./object";
import type { Route } from "./route";

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
