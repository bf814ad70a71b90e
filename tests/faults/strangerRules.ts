import { does, isCreate, lives, type Rule } from "./rule";

/** Rules for another user who does or reverts the same action at the same moment. */
export const ofOthersDeeds: readonly Rule[] = [
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

/** Rules for another user's change to the object at the same moment. */
export const ofStrangers: readonly Rule[] = [
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
