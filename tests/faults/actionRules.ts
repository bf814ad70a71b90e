import { isCancel, isCarriedOut, isKill, isUnclear, lives, type Rule, receives } from "./rule";

/** Actions, write-only resources and procedures. */
export const ofDeeds: readonly Rule[] = [
  {
    says: "If requests about the cluster get no response, the connection uses its configured address.",
    of: (cell) =>
      cell.asksAboutCluster && !isKill(cell) && !isCancel(cell) && cell.fault.change === undefined,
    allows: ["no effect", "reported"],
  },
  {
    says: "If the token may not look a lease up, the clock decides about its end, and a message reports that.",
    of: (cell) =>
      lives("procedure")(cell) && cell.isRead && cell.life.kind === "refresh" && receives("denied")(cell),
    allows: ["no effect", "reported"],
  },
  {
    says: "The next up writes a write-only resource again, whatever the outcome of the first write.",
    of: (cell) =>
      lives("writeOnly")(cell) && !receives("not sent", "wait")(cell) && cell.fault.carries !== "twice",
    allows: ["reported", "no effect"],
  },
  {
    says: "An action that was carried out before a kill is not in the state. It is repeated, as the engine's pending operation warns.",
    of: (cell) =>
      lives("action")(cell) && isKill(cell) && (isCarriedOut(cell) || cell.isAfterWrite) && !cell.isRead,
    allows: ["repeated"],
  },
  {
    says: "A failed read of the effect of an action matters only if the response to the action was lost.",
    of: (cell) =>
      lives("action")(cell) && cell.isRead && receives("nothing", "error", "denied", "other")(cell),
    allows: ["no effect", "reported"],
  },
  {
    says: "If the response to an applied action was lost, its effect shows the outcome. A repeated action leaves no further trace.",
    of: (cell) =>
      lives("action")(cell) &&
      cell.can.hasWitness &&
      cell.life.name !== "act again" &&
      !cell.isRead &&
      isUnclear(cell) &&
      cell.fault.carries === "yes",
    allows: ["no effect"],
  },
  {
    says: "If the response to an action was lost, its effect shows the outcome. Without an effect the outcome is reported as unknown, and the action is not repeated.",
    of: (cell) => lives("action")(cell) && !cell.isRead && (isUnclear(cell) || isCancel(cell)),
    allows: ["no effect", "unknown"],
  },
  {
    says: "The next up carries out an action that the service reported as failed.",
    of: (cell) => lives("action")(cell) && !cell.isRead && receives("error")(cell),
    allows: ["no effect", "reported", "repeated"],
  },
  {
    says: "After a killed delete of a procedure the next delete revokes the same again, which changes nothing.",
    of: (cell) => lives("procedure")(cell) && isKill(cell) && cell.life.kind === "delete",
    allows: ["reported", "repeated"],
  },
  {
    says: "The result of a killed procedure is not in the state. The next up starts again, or the program allows it to cancel the running one. A lost new key needs a user.",
    of: (cell) =>
      lives("procedure")(cell) &&
      isKill(cell) &&
      (cell.life.kind === "create" || cell.life.kind === "update"),
    allows: ["reported", "decision", "repeated"],
  },
  {
    says: "If the response to a procedure's step was lost, the status of the service shows the outcome, the step is reverted, or the outcome stays unknown.",
    of: (cell) =>
      lives("procedure")(cell) &&
      !cell.isRead &&
      (isUnclear(cell) || isCancel(cell) || receives("error")(cell)),
    allows: ["no effect", "reported", "decision", "unknown", "repeated"],
  },
  {
    says: "A request that a proxy sends twice cannot be detected. Doubled credentials end with their lease, and a doubled check-out ends with its own.",
    of: (cell) => lives("procedure", "action")(cell) && cell.fault.carries === "twice",
    allows: ["no effect", "reported", "decision", "repeated"],
  },
];
