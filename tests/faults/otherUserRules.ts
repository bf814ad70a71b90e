import { isChangeBy, isCreate, lives, type Rule } from "./rule";

/** Rules for another user who does or reverts the same action at the same moment. */
export const ofOthersDeeds: readonly Rule[] = [
  {
    says: "Another user who does or reverts the same at the same moment does not affect an action or a write-only resource. It is carried out once.",
    of: (cell) =>
      (isChangeBy("same")(cell) || isChangeBy("undoing")(cell)) && lives("action", "writeOnly")(cell),
    allows: ["no effect"],
  },
  {
    says: "Another user who does the same at the same moment gets a separate result, or gives a share of ours. Their result is ended only after a report.",
    of: (cell) => isChangeBy("same")(cell) && lives("procedure")(cell),
    allows: ["no effect", "reported", "decision"],
  },
  {
    says: "If another user reverts a procedure, its next request or the next refresh shows that, and an up repeats it. A rekey without a verification may be complete, which a user must check.",
    of: (cell) => isChangeBy("undoing")(cell) && lives("procedure")(cell),
    allows: ["no effect", "reported", "repeated", "manual delete"],
  },
  {
    says: "An object that another user creates between the read and a delete may be deleted too, if the service does not reject that.",
    of: (cell) =>
      isChangeBy("same")(cell) &&
      (cell.life.kind === "delete" || cell.life.kind === "replace") &&
      cell.isInWindow,
    allows: ["manual delete", "no effect", "reported", "overwritten"],
  },
  {
    says: "An object that another user creates in our place is theirs. It is reported, and a user deletes it.",
    of: isChangeBy("same"),
    allows: ["no effect", "manual delete"],
  },
];

/** Rules for another user's change to the object at the same moment. */
export const ofStrangers: readonly Rule[] = [
  {
    says: "An edit between the last read of an adoption and its write may be lost if writes have no precondition.",
    of: (cell) =>
      isChangeBy("edit")(cell) &&
      cell.life.kind === "adopt" &&
      cell.isInWindow &&
      !cell.can.checksWrites &&
      !cell.can.checksReads,
    allows: ["overwritten", "no effect", "corrected"],
  },
  {
    says: "An adoption and an import use the values that they find, with another user's latest edit.",
    of: (cell) => isChangeBy("edit")(cell) && (cell.life.kind === "adopt" || cell.life.kind === "import"),
    allows: ["no effect", "reported", "corrected", "edit preserved"],
  },
  {
    says: "Before a create, an edited object is another user's, and the program sets who owns it. Resources that other users may add to are shared.",
    of: (cell) => isChangeBy("edit")(cell) && cell.life.kind === "create" && !cell.isAfterWrite,
    allows: ["decision", "overwritten", "no effect"],
  },
  {
    says: "With a precondition for writes, no edit is overwritten before it is shown.",
    of: (cell) =>
      isChangeBy("edit")(cell) &&
      (cell.life.kind === "delete" ? cell.can.checksDeletes : cell.can.checksWrites),
    allows: ["reported", "corrected"],
  },
  {
    says: "Without a precondition, an edit between the read and the write may be lost: a window of one round trip.",
    of: (cell) =>
      isChangeBy("edit")(cell) && cell.isInWindow && !(cell.can.checksReads && cell.life.kind !== "delete"),
    allows: ["overwritten", "reported", "corrected", "edit preserved", "no effect"],
  },
  {
    says: "An edit at any other moment is a conflict, or the next refresh shows it before it is overwritten.",
    of: isChangeBy("edit"),
    allows: ["reported", "corrected", "edit preserved"],
  },
  {
    says: "Without a precondition, a deletion between the read and the write may be undone.",
    of: (cell) => isChangeBy("delete")(cell) && cell.isInWindow && !cell.can.checksWrites,
    allows: ["no effect", "overwritten", "reported", "corrected"],
  },
  {
    says: "A delete accepts another user's deletion. Other commands report it, or the next refresh shows it.",
    of: isChangeBy("delete"),
    allows: ["no effect", "reported", "corrected"],
  },
  {
    says: "An object that another user creates before a create is theirs, and the program sets who owns it. Without a precondition or a rejection, an equal object is accepted.",
    of: (cell) => isChangeBy("equal create")(cell) && isCreate(cell) && !cell.isAfterWrite,
    allows: ["decision", "manual delete", "no effect"],
  },
  {
    says: "An object that another user creates between the two steps of a replacement is theirs.",
    of: (cell) => isChangeBy("equal create")(cell) && cell.life.kind === "replace",
    allows: ["decision", "manual delete", "no effect"],
  },
  {
    says: "An object that another user creates after our write is equal to ours, or separate from it.",
    of: isChangeBy("equal create"),
    allows: ["no effect"],
  },
];
