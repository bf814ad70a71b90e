import type { Capability } from "./capability";
import type { Fault } from "./fault";
import { ofLaterRequests, ofSilence } from "./laterRules";
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
  /** Whether it only asks which server of a cluster is the active one. */
  readonly asksWhoLeads: boolean;
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

const hears = (...words: readonly Fault["hears"][]) => {
  return ({ fault }: Cell): boolean => words.includes(fault.hears);
};
const lives = (...words: readonly Capability["lives"][]) => {
  return ({ can }: Cell): boolean => words.includes(can.lives);
};
const isCreate = ({ life }: Cell) => life.kind === "create" || life.kind === "replace";
const isCarriedOut = ({ fault }: Cell) => fault.carries !== "no";
const isKill = ({ fault }: Cell) => fault.group === "killed";
const isCancel = ({ fault }: Cell) => fault.group === "cancelled";
const does = (kind: NonNullable<Fault["deed"]>["kind"]) => {
  return ({ fault }: Cell): boolean => fault.deed?.kind === kind;
};
const isUnclear = hears("reset", "nothing", "gateway", "other");

/** What somebody else does about what is done once, in the same moment. */
const ofOthersDeeds: readonly Rule[] = [
  {
    says: "Whoever does the same in the same moment, or undoes it, changes nothing for an action, nor for what is only written: it is carried out, once, on whatever is there.",
    of: (cell) => (does("same")(cell) || does("undoing")(cell)) && lives("action", "writeOnly")(cell),
    allows: ["unharmed"],
  },
  {
    says: "Whoever does the same in the same moment has something of their own, or gives a share of what is ours: what is theirs is ended only once it was told.",
    of: (cell) => does("same")(cell) && lives("procedure")(cell),
    allows: ["unharmed", "told", "decided"],
  },
  {
    says: "What somebody takes back of a procedure shows at its next request, or at the next refresh, and is done again by an up; a rekey without a verification may have ended before, and a person sees which.",
    of: (cell) => does("undoing")(cell) && lives("procedure")(cell),
    allows: ["unharmed", "told", "done again", "by hand"],
  },
  {
    says: "Between the look and a delete what somebody takes or makes in its place may be taken away, too, where the service does not refuse it.",
    of: (cell) =>
      does("same")(cell) && (cell.life.kind === "delete" || cell.life.kind === "replace") && cell.isInWindow,
    allows: ["by hand", "unharmed", "told", "lost in the window"],
  },
  {
    says: "What somebody takes or makes in our place is theirs: it is told, and a person ends it.",
    of: does("same"),
    allows: ["unharmed", "by hand"],
  },
];

/** What somebody else does in the same moment. */
const ofStrangers: readonly Rule[] = [
  {
    says: "Between the last look of an adoption and its write an edit may be lost, where the service checks nothing.",
    of: (cell) =>
      does("edit")(cell) && cell.life.kind === "adopt" && cell.isInWindow && !cell.can.checksWrites,
    allows: ["lost in the window", "unharmed", "put right"],
  },
  {
    says: "An adoption and an import take what they find, as somebody left it a moment ago.",
    of: (cell) => does("edit")(cell) && (cell.life.kind === "adopt" || cell.life.kind === "import"),
    allows: ["unharmed", "told", "put right", "kept"],
  },
  {
    says: "Before a create an edit is somebody's own object, and the program says whose it is; what others may add to is shared.",
    of: (cell) => does("edit")(cell) && cell.life.kind === "create" && !cell.isAfterWrite,
    allows: ["decided", "lost in the window", "unharmed"],
  },
  {
    says: "Where the service checks writes no edit is ever written over unseen.",
    of: (cell) =>
      does("edit")(cell) && (cell.life.kind === "delete" ? cell.can.checksDeletes : cell.can.checksWrites),
    allows: ["told", "put right"],
  },
  {
    says: "Where it does not, an edit between the look and the write may be lost: one round trip.",
    of: (cell) => does("edit")(cell) && cell.isInWindow,
    allows: ["lost in the window", "told", "put right", "kept", "unharmed"],
  },
  {
    says: "An edit at any other moment is a conflict, or shows at the next refresh, before anything is written over it.",
    of: does("edit"),
    allows: ["told", "put right", "kept"],
  },
  {
    says: "Between the look and the write of a service that checks nothing a delete may be undone.",
    of: (cell) => does("delete")(cell) && cell.isInWindow && !cell.can.checksWrites,
    allows: ["unharmed", "lost in the window", "told", "put right"],
  },
  {
    says: "What somebody deletes is gone for a delete; else it is told, or the next refresh shows it.",
    of: does("delete"),
    allows: ["unharmed", "told", "put right"],
  },
  {
    says: "What somebody makes before a create is somebody's, and the program says whose it is; where neither check nor refusal tells it from ours, just what the program writes is no harm.",
    of: (cell) => does("equal create")(cell) && isCreate(cell) && !cell.isAfterWrite,
    allows: ["decided", "by hand", "unharmed"],
  },
  {
    says: "What somebody makes between the two steps of a replacement is theirs.",
    of: (cell) => does("equal create")(cell) && cell.life.kind === "replace",
    allows: ["decided", "by hand", "unharmed"],
  },
  {
    says: "What somebody makes after a write of ours is the same as ours, or theirs alone.",
    of: does("equal create"),
    allows: ["unharmed"],
  },
];

/** What is done once, what is only written, and procedures. */
const ofDeeds: readonly Rule[] = [
  {
    says: "Where nobody tells which server is the active one, the address that the connection names is asked.",
    of: (cell) => cell.asksWhoLeads && !isKill(cell) && !isCancel(cell) && cell.fault.deed === undefined,
    allows: ["unharmed", "told"],
  },
  {
    says: "Where a token may not look a lease up, the clock tells of it, and that is said.",
    of: (cell) =>
      lives("procedure")(cell) && cell.isRead && cell.life.kind === "refresh" && hears("denied")(cell),
    allows: ["unharmed", "told"],
  },
  {
    says: "What is only written is written once more by the next up, whatever became of the first.",
    of: (cell) =>
      lives("writeOnly")(cell) && !hears("not sent", "wait")(cell) && cell.fault.carries !== "twice",
    allows: ["told", "unharmed"],
  },
  {
    says: "An action that was carried out before a kill is in no state, and is done again, as the engine's pending operation warns.",
    of: (cell) =>
      lives("action")(cell) && isKill(cell) && (isCarriedOut(cell) || cell.isAfterWrite) && !cell.isRead,
    allows: ["done again"],
  },
  {
    says: "What shows whether an action was carried out is missed only where its answer was lost.",
    of: (cell) => lives("action")(cell) && cell.isRead && hears("nothing", "error", "denied", "other")(cell),
    allows: ["unharmed", "told"],
  },
  {
    says: "An action that was carried out, and whose answer was lost, is known by its witness where it has one; done again it may leave no other trace than the first did.",
    of: (cell) =>
      lives("action")(cell) &&
      cell.can.hasWitness &&
      cell.life.name !== "act again" &&
      !cell.isRead &&
      isUnclear(cell) &&
      cell.fault.carries === "yes",
    allows: ["unharmed"],
  },
  {
    says: "An action whose answer was lost is known by its witness; without one it is left open, told, and never repeated.",
    of: (cell) => lives("action")(cell) && !cell.isRead && (isUnclear(cell) || isCancel(cell)),
    allows: ["unharmed", "left open"],
  },
  {
    says: "An action that the service says has failed is done by the next up.",
    of: (cell) => lives("action")(cell) && !cell.isRead && hears("error")(cell),
    allows: ["unharmed", "told", "done again"],
  },
  {
    says: "What a killed delete of a procedure has revoked is revoked once more, which changes nothing.",
    of: (cell) => lives("procedure")(cell) && isKill(cell) && cell.life.kind === "delete",
    allows: ["told", "done again"],
  },
  {
    says: "What a killed procedure was given is in no state: the next up begins anew, or the program says that what is under way may be ended; a new key that nobody was given is a person's to see to.",
    of: (cell) =>
      lives("procedure")(cell) &&
      isKill(cell) &&
      (cell.life.kind === "create" || cell.life.kind === "update"),
    allows: ["told", "decided", "done again"],
  },
  {
    says: "A step of a procedure whose answer was lost is found again by the service's status, is taken back, or is left open where the service shows nothing.",
    of: (cell) =>
      lives("procedure")(cell) && !cell.isRead && (isUnclear(cell) || isCancel(cell) || hears("error")(cell)),
    allows: ["unharmed", "told", "decided", "left open", "done again"],
  },
  {
    says: "Nobody can tell a request that a proxy sends twice from two: credentials that were made twice end with their lease, and an account too many comes back with its own.",
    of: (cell) => lives("procedure", "action")(cell) && cell.fault.carries === "twice",
    allows: ["unharmed", "told", "decided", "done again"],
  },
];

/** What the service does to everybody. */
const ofServices: readonly Rule[] = [
  {
    says: "What a killed create made, and holds just what the program writes, is taken over where the stack asks for that; only what the service never shows stays a question.",
    of: (cell) => isKill(cell) && cell.life.takesIdentical === true && !cell.can.writesUnseen,
    allows: ["told"],
  },
  {
    says: "A write that is only repeated for a proof is missed by nobody; where it cannot be asked, and the service has added something, that is told, and the next up asks again.",
    of: (cell) =>
      cell.can.provesByRepeating && !cell.isRead && cell.isAfterWrite && !isKill(cell) && !isCancel(cell),
    allows: ["unharmed", "told"],
  },
  {
    says: "By a service's clock that is wrong a create may take its own for somebody's; never somebody's for its own.",
    of: (cell) => lives("object")(cell) && cell.fault.group === "a clock that is wrong" && isCreate(cell),
    allows: ["unharmed", "decided"],
  },
  {
    says: "A service's clock that is wrong moves nothing else.",
    of: (cell) => lives("object")(cell) && cell.fault.group === "a clock that is wrong",
    allows: ["unharmed"],
  },
  {
    says: "What a list does not show is not gone: what can be asked for is asked for, and whatever else is missing shows at the next refresh.",
    of: ({ fault }) => fault.group === "a list that lacks a page",
    allows: ["unharmed", "told", "put right"],
  },
  {
    says: "Whatever a list answers to a refresh, the object itself is asked for: nobody notices, but of what only further reads show.",
    of: (cell) =>
      cell.life.name === "refresh by a list" && hears("nothing", "error", "denied", "other", "stale")(cell),
    allows: ["unharmed", "told"],
  },
];

const ofRequests: readonly Rule[] = [
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
    says: "What a wait is answered that is no list tells nothing: it is asked again.",
    of: (cell) => cell.isRead && cell.isAfterWrite && cell.life.isWait === true && hears("other")(cell),
    allows: ["unharmed", "told"],
  },
  {
    says: "A read of what names itself that is answered with another is an error; what has no name of its own is believed, and shown; where a create meets it, the program says whose it is.",
    of: (cell) => cell.isRead && cell.fault.isAnothers === true,
    allows: ["told", "unharmed", "put right", "decided"],
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
    allows: ["unharmed", "decided"],
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
    says: "An answer that names another object's index hides whose the write was: what the service added is told.",
    of: (cell) => cell.can.checksWrites && !cell.isRead && cell.fault.isAnothers === true,
    allows: ["unharmed", "told"],
  },
  {
    says: "What is written and never shown is told as not seen to happen, and is written once more.",
    of: (cell) => cell.can.writesUnseen && !cell.isRead && (isUnclear(cell) || hears("error")(cell)),
    allows: ["unharmed", "told"],
  },
  {
    says: "A write that was carried out shows when it is looked at, whatever was answered.",
    of: (cell) => isCarriedOut(cell) && cell.fault.carries === "yes",
    allows: ["unharmed"],
  },
  {
    says: "A delete that comes late takes what was made at the same place meanwhile, and the next refresh shows it.",
    of: (cell) => cell.life.kind === "replace" && cell.fault.carries === "late",
    allows: ["told", "put right"],
  },
  {
    says: "A write that may still be carried out is told as open, and known again when it comes; one that meets what it is to take over changes nothing.",
    of: hears("nothing"),
    allows: ["told", "unharmed"],
  },
  {
    says: "A gateway that has nobody to hand a write to carries nothing out: what a look shows undone is sent once more, and nobody notices; what the service never shows is told.",
    of: (cell) => cell.fault.name.startsWith("503 ") && lives("object")(cell) && !cell.can.writesUnseen,
    allows: ["unharmed"],
  },
  {
    says: "Behind any other error of a gateway a write may still be at work: it is told, and not sent again; an unlock may be.",
    of: hears("gateway"),
    allows: ["told", "unharmed"],
  },
  {
    says: "A service's own error that shows nothing written is the service's no, but where a create only asks for what it takes over.",
    of: hears("error"),
    allows: ["told", "unharmed"],
  },
  {
    says: "A write that a look shows not to have happened is sent once more, or told. An answer that is right in form cannot be known for wrong where it names nothing: the next refresh shows it.",
    of: hears("reset", "other"),
    allows: ["unharmed", "told", "warned"],
  },
];

export const rules: readonly Rule[] = [
  ...ofLaterRequests,
  ...ofSilence,
  ...ofOthersDeeds,
  ...ofStrangers,
  ...ofServices,
  ...ofDeeds,
  ...ofRequests,
];
