import { hears, isCancel, isCarriedOut, isCreate, isKill, isUnclear, lives, type Rule } from "./rule";

/** Rules for faults of the service. */
export const ofServices: readonly Rule[] = [
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

/** Rules for faults of any request. */
export const ofRequests: readonly Rule[] = [
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
    says: "A delete that comes late takes what was made at the same place meanwhile, and the next refresh shows it.",
    of: (cell) => cell.life.kind === "replace" && cell.fault.carries === "late",
    allows: ["told", "put right"],
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
