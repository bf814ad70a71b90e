import { isChangeBy, isCreate, lives, type Rule } from "./rule";

/** Rules for another user who does or reverts the same action at the same moment. */
export const ofOthersDeeds: readonly Rule[] = [
  {
    says: "Another user who does or reverts the same at the same moment does not affect an action or a write-only resource. It is carried out once.",
    of: (cell) =>
      (isChangeBy("same")(cell) || isChangeBy("undoing")(cell)) && lives("action", "writeOnly")(cell),
    allows: ["unharmed"],
  },
  {
    says: "Another user who does the same at the same moment gets a separate result, or gives a share of ours. Their result is ended only after a report.",
    of: (cell) => isChangeBy("same")(cell) && lives("procedure")(cell),
    allows: ["unharmed", "told", "decided"],
  },
  {
    says: "If another user reverts a procedure, its next request or the next refresh shows that, and an up repeats it. A rekey without a verification may be complete, which a user must check.",
    of: (cell) => isChangeBy("undoing")(cell) && lives("procedure")(cell),
    allows: ["unharmed", "told", "done again", "by hand"],
  },
  {
    says: "An object that another user creates between the read and a delete may be deleted too, if the service does not reject that.",
    of: (cell) =>
      isChangeBy("same")(cell) &&
      (cell.life.kind === "delete" || cell.life.kind === "replace") &&
      cell.isInWindow,
    allows: ["by hand", "unharmed", "told", "lost in the window"],
  },
  {
    says: "An object that another user creates in our place is theirs. It is reported, and a user deletes it.",
    of: isChangeBy("same"),
    allows: ["unharmed", "by hand"],
  },
];

/** Rules for another user's change to the object at the same moment. */
export const ofStrangers: readonly Rule[] = [
  {
    says: "An edit between the last read of an adoption and its write may be lost if writes have no precondition.",
    of: (cell) =>
      isChangeBy("edit")(cell) && cell.life.kind === "adopt" && cell.isInWindow && !cell.can.checksWrites,
    allows: ["lost in the window", "unharmed", "put right"],
  },
  {
    says: "An adoption and an import use the values that they find, with another user's latest edit.",
    of: (cell) => isChangeBy("edit")(cell) && (cell.life.kind === "adopt" || cell.life.kind === "import"),
    allows: ["unharmed", "told", "put right", "kept"],
  },
  {
    says: "Before a create, an edited object is another user's, and the program sets who owns it. Resources that other users may add to are shared.",
    of: (cell) => isChangeBy("edit")(cell) && cell.life.kind === "create" && !cell.isAfterWrite,
    allows: ["decided", "lost in the window", "unharmed"],
  },
  {
    says: "With a precondition for writes, no edit is overwritten before it is shown.",
    of: (cell) =>
      isChangeBy("edit")(cell) &&
      (cell.life.kind === "delete" ? cell.can.checksDeletes : cell.can.checksWrites),
    allows: ["told", "put right"],
  },
  {
    says: "Without a precondition, an edit between the read and the write may be lost: a window of one round trip.",
    of: (cell) => isChangeBy("edit")(cell) && cell.isInWindow,
    allows: ["lost in the window", "told", "put right", "kept", "unharmed"],
  },
  {
    says: "An edit at any other moment is a conflict, or the next refresh shows it before it is overwritten.",
    of: isChangeBy("edit"),
    allows: ["told", "put right", "kept"],
  },
  {
    says: "Without a precondition, a deletion between the read and the write may be undone.",
    of: (cell) => isChangeBy("delete")(cell) && cell.isInWindow && !cell.can.checksWrites,
    allows: ["unharmed", "lost in the window", "told", "put right"],
  },
  {
    says: "A delete accepts another user's deletion. Other commands report it, or the next refresh shows it.",
    of: isChangeBy("delete"),
    allows: ["unharmed", "told", "put right"],
  },
  {
    says: "An object that another user creates before a create is theirs, and the program sets who owns it. Without a precondition or a rejection, an equal object is accepted.",
    of: (cell) => isChangeBy("equal create")(cell) && isCreate(cell) && !cell.isAfterWrite,
    allows: ["decided", "by hand", "unharmed"],
  },
  {
    says: "An object that another user creates between the two steps of a replacement is theirs.",
    of: (cell) => isChangeBy("equal create")(cell) && cell.life.kind === "replace",
    allows: ["decided", "by hand", "unharmed"],
  },
  {
    says: "An object that another user creates after our write is equal to ours, or separate from it.",
    of: isChangeBy("equal create"),
    allows: ["unharmed"],
  },
];
