import type { Cell, Rule } from "./rule";

/** The minimum duration of the probe after a write with an unknown outcome. */
const GRACE_MS = 20_000;

const isLater = ({ fault }: Cell) => fault.laterMs !== undefined;
const isAfterTheLooks = ({ fault }: Cell) => (fault.laterMs ?? 0) > GRACE_MS;
const lives = (kind: Cell["can"]["lives"]) => {
  return (cell: Cell): boolean => isLater(cell) && cell.can.lives === kind;
};

/** A request that is carried out after its sender received a reset or an error. */
export const ofLaterRequests: readonly Rule[] = [
  {
    says: "An action that is carried out later than its sender is told shows by its witness, or is left open: it is never told as not carried out, and never sent again.",
    of: lives("action"),
    allows: ["unharmed", "left open"],
  },
  {
    says: "A step of a procedure that is carried out after all looks was told as open, and leaves behind what comes back with its lease, or what the next up finds.",
    of: (cell) => lives("procedure")(cell) && isAfterTheLooks(cell),
    allows: ["told", "left open", "done again"],
  },
  {
    says: "A step of a procedure that is carried out later is found by the service's status, is taken back, or is left open; what it has made is made again only once that was taken back.",
    of: lives("procedure"),
    allows: ["unharmed", "decided", "left open", "done again"],
    isTakenBack: true,
  },
  {
    says: "What is only written, and is carried out later, is the same however often it is written.",
    of: lives("writeOnly"),
    allows: ["told"],
  },
  {
    says: "A delete before a create that is carried out after all looks takes what was made at the same place meanwhile: it was told as open, and the next refresh shows it.",
    of: (cell) =>
      isLater(cell) && cell.life.kind === "replace" && !cell.isAfterWrite && isAfterTheLooks(cell),
    allows: ["put right"],
    isTold: true,
  },
  {
    says: "A delete before a create that is carried out within the time of a look is waited for: nothing is made where it could take it.",
    of: (cell) => isLater(cell) && cell.life.kind === "replace" && !cell.isAfterWrite,
    allows: ["unharmed"],
  },
  {
    says: "Any other write that is carried out later meets the one that was sent again, or is found; nothing is doubled, and nothing of it is told as somebody else's.",
    of: isLater,
    allows: ["unharmed"],
  },
];

const isSilent = ({ fault }: Cell) => fault.group === "nobody answers any more";
const isSilentFor = (kind: Cell["can"]["lives"]) => {
  return (cell: Cell): boolean => isSilent(cell) && cell.can.lives === kind;
};

/** From one request on no server answers. The command ends within its timeout and reports what it knows. */
export const ofSilence: readonly Rule[] = [
  {
    says: "An action that nobody answers, nor any look after it, is left open; one that was not begun is told.",
    of: (cell) => isSilentFor("action")(cell) && !cell.isRead,
    allows: ["left open"],
  },
  {
    says: "A procedure that nobody answers any more keeps what it has learnt, and says what is open.",
    of: isSilentFor("procedure"),
    allows: ["told", "decided", "left open", "done again"],
    isTakenBack: true,
  },
  {
    says: "A create that was carried out, and that nobody can look at, is known again by what it holds, or the program says whose it is.",
    of: (cell) =>
      isSilent(cell) && cell.life.kind === "create" && !cell.isRead && cell.fault.carries === "yes",
    allows: ["told", "decided"],
  },
  {
    says: "A write that is only repeated for a proof, and that nobody answers, is told where the service has added something.",
    of: (cell) => isSilent(cell) && cell.can.provesByRepeating && !cell.isRead && cell.isAfterWrite,
    allows: ["told"],
  },
  {
    says: "A command that nobody answers any more ends within its time, and tells it; what it may have made is known again.",
    of: isSilent,
    allows: ["told"],
  },
];
