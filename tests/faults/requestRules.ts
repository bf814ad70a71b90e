import {
  isCancel,
  isCarriedOut,
  isCreate,
  isKill,
  isUnclear,
  isUnprovable,
  lives,
  type Rule,
  receives,
} from "./rule";

/** Rules for faults of the service. */
export const ofServices: readonly Rule[] = [
  {
    says: "A stack that adopts identical objects adopts the object of a killed create. Only values that the service never returns need a decision.",
    of: (cell) => isKill(cell) && cell.life.adoptsIdentical === true && !cell.can.writesUnseen,
    allows: ["reported"],
  },
  {
    says: "A write that is repeated only as a proof may fail. If the service has added something, that is reported, and the next up repeats the proof.",
    of: (cell) =>
      cell.can.provesByRepeating && !cell.isRead && cell.isAfterWrite && !isKill(cell) && !isCancel(cell),
    allows: ["no effect", "reported"],
  },
  {
    says: "With a wrong clock of the service, a create may take its own object for another user's, but never the reverse.",
    of: (cell) => lives("object")(cell) && cell.fault.group === "wrong server clock" && isCreate(cell),
    allows: ["no effect", "decision"],
  },
  {
    says: "A wrong clock of the service has no other effect.",
    of: (cell) => lives("object")(cell) && cell.fault.group === "wrong server clock",
    allows: ["no effect"],
  },
  {
    says: "An object that is missing in a list is not deleted. It is read separately, and other differences show at the next refresh.",
    of: ({ fault }) => fault.group === "incomplete list",
    allows: ["no effect", "reported", "corrected"],
  },
  {
    says: "Whatever a list returns to a refresh, the object is read separately. Only errors of further reads are reported.",
    of: (cell) =>
      cell.life.name === "refresh by a list" &&
      receives("nothing", "error", "denied", "other", "stale")(cell),
    allows: ["no effect", "reported"],
  },
];

/** Rules for faults of any request. */
export const ofRequests: readonly Rule[] = [
  {
    says: "A request that was not sent, or that the service asks to delay, is sent again without a report.",
    of: receives("not sent", "wait"),
    allows: ["no effect"],
  },
  {
    says: "A kill loses only the step. The next up reads, and writes what is missing.",
    of: (cell) => isKill(cell) && !(isCreate(cell) && (isCarriedOut(cell) || cell.isAfterWrite)),
    allows: ["reported"],
  },
  {
    says: "The object of a killed create is not in the state. The next up finds it, and the program sets who owns it. If the service accepts the same create again, no decision is needed.",
    of: isKill,
    allows: ["decision", "reported", "manual delete"],
  },
  {
    says: "An applied create that was canceled is recognized by its values, or the program sets who owns the object.",
    of: (cell) => isCancel(cell) && isCreate(cell) && isCarriedOut(cell),
    allows: ["no effect", "reported", "decision"],
  },
  {
    says: "A cancellation ends the step before the next write. The last write is probed and reported.",
    of: isCancel,
    allows: ["no effect", "reported"],
  },
  {
    says: "A read that was lost, or that a gateway answered, is retried.",
    of: (cell) => cell.isRead && receives("reset", "gateway")(cell),
    allows: ["no effect"],
  },
  {
    says: "A read that times out is retried. A read after a write has a short timeout, and the state then marks the result as not read.",
    of: (cell) => cell.isRead && receives("nothing")(cell),
    allows: ["no effect", "reported"],
  },
  {
    says: "An invalid list during a wait is ignored, and the list is read again.",
    of: (cell) => cell.isRead && cell.isAfterWrite && cell.life.waits === true && receives("other")(cell),
    allows: ["no effect", "reported"],
  },
  {
    says: "A response about a different object is an error if objects have names. Otherwise it is accepted and shown. In a create the program sets who owns the object.",
    of: (cell) => cell.isRead && cell.fault.isOfOtherObject === true,
    allows: ["reported", "no effect", "corrected", "decision"],
  },
  {
    says: "A rejected read, or one with an invalid response, is an error, and the state stays.",
    of: (cell) => cell.isRead && receives("error", "denied", "other")(cell),
    allows: ["reported"],
  },
  {
    says: "A stale read is accepted. The next refresh and up correct the result.",
    of: receives("stale"),
    allows: ["no effect", "reported", "corrected"],
  },
  {
    says: "A user deletes an object that a proxy created twice, if the service rejects an existing name and never returns a value.",
    of: (cell) => isCreate(cell) && cell.fault.carries === "twice" && isUnprovable(cell),
    allows: ["manual delete"],
  },
  {
    says: "A create that a proxy sends twice meets its own object if the service rejects an existing name.",
    of: (cell) => isCreate(cell) && cell.fault.carries === "twice",
    allows: ["no effect", "decision"],
  },
  {
    says: "Any other write that a proxy sends twice has the same result.",
    of: ({ fault }) => fault.carries === "twice",
    allows: ["no effect"],
  },
  {
    says: "A rejected token is reported, and nothing is written.",
    of: receives("denied"),
    allows: ["reported"],
  },
  {
    says: "A response with a different object's index hides the author of the write. Values that the service added are reported.",
    of: (cell) => cell.can.checksWrites && !cell.isRead && cell.fault.isOfOtherObject === true,
    allows: ["no effect", "reported"],
  },
  {
    says: "A late delete deletes the new object with the same name, and the next refresh shows that.",
    of: (cell) => cell.life.kind === "replace" && cell.fault.carries === "late",
    allows: ["reported", "corrected"],
  },
  {
    says: "A write of values that the service never returns is reported as not confirmed, and is repeated.",
    of: (cell) => cell.can.writesUnseen && !cell.isRead && (isUnclear(cell) || receives("error")(cell)),
    allows: ["no effect", "reported"],
  },
  {
    says: "A probe shows an applied write, whatever the response was.",
    of: (cell) => isCarriedOut(cell) && cell.fault.carries === "yes",
    allows: ["no effect"],
  },
  {
    says: "A write in flight is reported as unknown, and is recognized when it arrives. A late adoption changes nothing.",
    of: receives("nothing"),
    allows: ["reported", "no effect"],
  },
  {
    says: "A gateway without a server carries nothing out. A write that the probe does not find is sent again. Values that the service never returns are reported.",
    of: (cell) => cell.fault.name.startsWith("503 ") && lives("object")(cell) && !cell.can.writesUnseen,
    allows: ["no effect"],
  },
  {
    says: "After any other gateway error a write may still be in flight. It is reported and not sent again, except an unlock.",
    of: receives("gateway"),
    allows: ["reported", "no effect"],
  },
  {
    says: "An error of the service without an effect is a rejection, unless a create only checks for an object to adopt.",
    of: receives("error"),
    allows: ["reported", "no effect"],
  },
  {
    says: "A write that the probe does not find is sent again or reported. A valid response without a name cannot be detected as wrong. The next refresh shows the difference.",
    of: receives("reset", "other"),
    allows: ["no effect", "reported", "warned"],
  },
];
