import type { Fault } from "./faults";
import type { Life } from "./lives";

/** How a life with a fault in it may end. In each of them the end is what it is without any fault. */
export type Outcome =
  /** Nobody was told anything, and nothing had to be done. */
  | "unharmed"
  /** It was told, and a refresh and an up, or a destroy, brought it about. */
  | "told"
  /** It was told, and the program had to say whose the object is. */
  | "decided"
  /** Nobody was told; the next refresh and up put right what it did not know. */
  | "put right"
  /** It was told, and a person had to take it away before it could be made. */
  | "by hand";

/** One request of a life, and what goes wrong with it. */
export interface Cell {
  readonly life: Life;
  readonly fault: Fault;
  /** Whether it is a read, and whether a write of the same step went before it. */
  readonly isRead: boolean;
  readonly isAfterWrite: boolean;
}

/** What must be, written before it was tried. The first rule that is for a cell counts. */
export interface Rule {
  readonly says: string;
  readonly of: (cell: Cell) => boolean;
  readonly allows: readonly Outcome[];
}

const hears = (...words: readonly Fault["hears"][]) => {
  return ({ fault }: Cell): boolean => words.includes(fault.hears);
};
const isCreate = ({ life }: Cell) => life.name === "create";
const isCarriedOut = ({ fault }: Cell) => fault.carries !== "no";
const isKill = ({ fault }: Cell) => fault.name.startsWith("killed");
const isCancel = ({ fault }: Cell) => fault.name.startsWith("cancelled");

export const rules: readonly Rule[] = [
  {
    says: "What was never sent, and what the service asks to wait for, is sent again: nobody notices.",
    of: hears("not sent", "wait"),
    allows: ["unharmed"],
  },
  {
    says: "A kill loses the step and nothing else: the next up looks, and writes what is missing.",
    of: (cell) => isKill(cell) && !(isCreate(cell) && (isCarriedOut(cell) || cell.isAfterWrite)),
    allows: ["told"],
  },
  {
    says: "What a killed create made is in no state: the next up finds it, and the program says whose it is; where the service takes the same once more, nothing is to be said.",
    of: isKill,
    allows: ["decided", "told", "by hand"],
  },
  {
    says: "A cancelled create that was carried out is known as ours by what it holds, or the program says whose it is.",
    of: (cell) => isCancel(cell) && isCreate(cell) && isCarriedOut(cell),
    allows: ["unharmed", "told", "decided"],
  },
  {
    says: "A cancel ends the step before anything more is written; what was written is looked at, and told.",
    of: isCancel,
    allows: ["unharmed", "told"],
  },
  {
    says: "A read that was lost, or that a gateway answered, is repeated.",
    of: (cell) => cell.isRead && hears("reset", "gateway")(cell),
    allows: ["unharmed"],
  },
  {
    says: "A read that nobody answers in time is repeated, but for one after a write, whose time is short: what was written is then in the state as not read.",
    of: (cell) => cell.isRead && hears("nothing")(cell),
    allows: ["unharmed", "told"],
  },
  {
    says: "A read of what names itself that is answered with another is an error; what has no name of its own is believed, and shown.",
    of: (cell) => cell.isRead && cell.fault.name.startsWith("200 with another object"),
    allows: ["told", "unharmed", "put right"],
  },
  {
    says: "A read that is refused, or answered with anything that is not the object, is an error, and the state stays.",
    of: (cell) => cell.isRead && hears("error", "denied", "other")(cell),
    allows: ["told"],
  },
  {
    says: "A read from before the latest write is believed: the next refresh and up put right what came of it.",
    of: hears("stale"),
    allows: ["unharmed", "told", "put right"],
  },
  {
    says: "A create that a proxy sends twice meets itself, where the service refuses a name that is taken.",
    of: (cell) => isCreate(cell) && cell.fault.carries === "twice",
    allows: ["unharmed", "decided", "by hand"],
  },
  {
    says: "Another write that a proxy sends twice is the same write.",
    of: ({ fault }) => fault.carries === "twice",
    allows: ["unharmed"],
  },
  {
    says: "A refused token is told, and nothing was written.",
    of: hears("denied"),
    allows: ["told"],
  },
  {
    says: "A write that was carried out shows when it is looked at, whatever was answered.",
    of: (cell) => isCarriedOut(cell) && cell.fault.carries === "yes",
    allows: ["unharmed"],
  },
  {
    says: "A write that may still be carried out is told as open, and known again when it comes.",
    of: hears("nothing"),
    allows: ["told"],
  },
  {
    says: "Behind a gateway's error a write may still be at work: it is told, and not sent again; an unlock may be.",
    of: hears("gateway"),
    allows: ["told", "unharmed"],
  },
  {
    says: "A service's own error that shows nothing written is the service's no.",
    of: hears("error"),
    allows: ["told"],
  },
  {
    says: "A write that a look shows not to have happened is sent once more, or told. An answer that is right in form cannot be known for wrong where it names nothing: the next refresh shows it.",
    of: hears("reset", "other"),
    allows: ["unharmed", "told", "put right"],
  },
];
