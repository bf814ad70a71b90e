import type { Capability } from "./capability";
import type { Fault } from "./fault";
import type { Scenario } from "./faultSubject";

/** The outcome of a scenario with a fault. The final state is as without a fault, except for the last four. */
export type Outcome =
  /** Nothing was reported, and nothing had to be done. */
  | "no effect"
  /** An error was reported, and its first remedy solved it. */
  | "reported"
  /** An error was reported, and the program had to set who owns the object. */
  | "decision"
  /** Nothing was reported at first. The next refresh showed the difference, and an up corrected it. */
  | "corrected"
  /** The object has another user's values, and that was reported. */
  | "edit preserved"
  /** An error was reported, and a user had to delete the object before it could be created. */
  | "manual delete"
  /** An action was repeated, because the state contained nothing of the first one. */
  | "repeated"
  /** The outcome was reported as unknown, and nothing else happened. */
  | "unknown"
  /** A message reported that the stored values differ from the written ones, and nothing else happened. */
  | "warned"
  /** Another user's edit between the read and a write without a precondition was overwritten. */
  | "overwritten";

/** One request of a scenario, with a fault. */
export interface Cell {
  readonly life: Scenario;
  readonly fault: Fault;
  readonly can: Capability;
  /** Whether the request is a read, and whether it follows a write of the same command. */
  readonly isRead: boolean;
  readonly isAfterWrite: boolean;
  /** Whether the read serves to find the cluster's server with the latest write. */
  readonly asksAboutCluster: boolean;
  /** Whether a change at this moment comes after the last read before a write. */
  readonly isInWindow: boolean;
}

/** A requirement. The first rule that applies to a cell counts. */
export interface Rule {
  readonly says: string;
  readonly of: (cell: Cell) => boolean;
  readonly allows: readonly Outcome[];
  /** Whether the command must report an error or an unknown outcome. */
  readonly mustBeReported?: true;
  /**
   * Whether a repeated action must have been reverted, so that the service has the same content as without a fault.
   */
  readonly mustBeReverted?: true;
}

/** Whether a rejected create cannot be recognized as ours, because the service never returns a value of the program. */
export const isUnprovable = ({ can, life }: Cell): boolean =>
  can.lives === "object" && can.writesUnseen && can.refusesExisting && !can.adopts && life.kind === "create";

/** Whether the client receives one of these. */
export const receives = (...words: readonly Fault["received"][]) => {
  return ({ fault }: Cell): boolean => words.includes(fault.received);
};
/** Whether the definition has one of these kinds of life cycle. */
export const lives = (...words: readonly Capability["lives"][]) => {
  return ({ can }: Cell): boolean => words.includes(can.lives);
};
export const isCreate = ({ life }: Cell) => life.kind === "create" || life.kind === "replace";
export const isCarriedOut = ({ fault }: Cell) => fault.carries !== "no";
export const isKill = ({ fault }: Cell) => fault.group === "killed";
export const isCancel = ({ fault }: Cell) => fault.group === "canceled";
/** Whether another user makes this change. */
export const isChangeBy = (kind: NonNullable<Fault["change"]>["kind"]) => {
  return ({ fault }: Cell): boolean => fault.change?.kind === kind;
};
/** Whether the client cannot know if the request was carried out. */
export const isUnclear = receives("reset", "nothing", "gateway", "other");
