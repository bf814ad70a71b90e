import { hears, isCancel, isCarriedOut, isKill, isUnclear, lives, type Rule } from "./rule";

/** Actions, write-only resources and procedures. */
export const ofDeeds: readonly Rule[] = [
  {
    says: "Without an answer about the cluster, requests go to the address of the connection.",
    of: (cell) => cell.asksAboutCluster && !isKill(cell) && !isCancel(cell) && cell.fault.deed === undefined,
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
