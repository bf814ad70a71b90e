import type { Capability } from "./capability";
import type { Fault } from "./fault";
import type { Life } from "./tried";

/** How a life with a fault in it may end. In each of them the end is what it is without any fault, but for the last four. */
export type Outcome =
  /** Nobody was told anything, and nothing had to be done. */
  | "unharmed"
  /** It was told, and the first way that was named brought it about. */
  | "told"
  /** It was told, and the program had to say whose the object is. */
  | "decided"
  /** Nobody was told at first; the next refresh showed it, and an up put it right. */
  | "put right"
  /** It is as somebody else left it, and that was told. */
  | "kept"
  /** It was told, and a person had to take it away before it could be made. */
  | "by hand"
  /** It was done a second time, because nothing of the first was left in the state. */
  | "done again"
  /** It was told that nobody can know what became of it, and it was left at that. */
  | "left open"
  /** It was told that the service holds something else than was written, and it was left at that. */
  | "warned"
  /** Somebody's edit came between the look and the write of a service that checks nothing, and was written over. */
  | "lost in the window";

/** One request of a life, and what goes wrong with it. */
export interface Cell {
  readonly life: Life;
  readonly fault: Fault;
  readonly can: Capability;
  /** Whether it is a read, and whether a write of the same command went before it. */
  readonly isRead: boolean;
  readonly isAfterWrite: boolean;
  /** Whether it is a read with which the connection finds the server that holds the latest write. */
  readonly asksAboutCluster: boolean;
  /** Whether somebody who acts now does so after the last look before a write. */
  readonly isInWindow: boolean;
}

/** What must be. The first rule that is for a cell counts. */
export interface Rule {
  readonly says: string;
  readonly of: (cell: Cell) => boolean;
  readonly allows: readonly Outcome[];
  /** Whether the command must have told it, by an error, or as open, however it ends. */
  readonly isTold?: true;
  /** Whether what was done again must have been taken back: the service holds what it holds without any fault. */
  readonly isTakenBack?: true;
}

/** Whether the sender hears one of these. */
export const hears = (...words: readonly Fault["hears"][]) => {
  return ({ fault }: Cell): boolean => words.includes(fault.hears);
};
/** Whether what is managed lives in one of these ways. */
export const lives = (...words: readonly Capability["lives"][]) => {
  return ({ can }: Cell): boolean => words.includes(can.lives);
};
export const isCreate = ({ life }: Cell) => life.kind === "create" || life.kind === "replace";
export const isCarriedOut = ({ fault }: Cell) => fault.carries !== "no";
export const isKill = ({ fault }: Cell) => fault.group === "killed";
export const isCancel = ({ fault }: Cell) => fault.group === "cancelled";
/** Whether somebody else does this. */
export const does = (kind: NonNullable<Fault["deed"]>["kind"]) => {
  return ({ fault }: Cell): boolean => fault.deed?.kind === kind;
};
/** Whether what is heard leaves open what became of the request. */
export const isUnclear = hears("reset", "nothing", "gateway", "other");
