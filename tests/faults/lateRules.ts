import { type Cell, isUnprovable, type Rule } from "./rule";

/** The minimum duration of the probe after a write with an unknown outcome. */
const GRACE_MS = 20_000;

const isLater = ({ fault }: Cell) => fault.delayMs !== undefined;
const isAfterTheLooks = ({ fault }: Cell) => (fault.delayMs ?? 0) > GRACE_MS;
const lives = (kind: Cell["can"]["lives"]) => {
  return (cell: Cell): boolean => isLater(cell) && cell.can.lives === kind;
};

/** A request that is carried out after its sender received a reset or an error. */
export const ofLaterRequests: readonly Rule[] = [
  {
    says: "A late action shows by its effect, or its outcome stays unknown. It is never reported as not applied, and never sent again.",
    of: lives("action"),
    allows: ["no effect", "unknown"],
  },
  {
    says: "A step of a procedure that is applied after the probe was reported as unknown. It leaves a lease that ends, or a result that the next up finds.",
    of: (cell) => lives("procedure")(cell) && isAfterTheLooks(cell),
    allows: ["reported", "unknown", "repeated"],
  },
  {
    says: "A late step of a procedure is found by the status of the service, is reverted, or stays unknown. Its result is created again only after it was reverted.",
    of: lives("procedure"),
    allows: ["no effect", "decision", "unknown", "repeated"],
    mustBeReverted: true,
  },
  {
    says: "A late write of a write-only resource has the same result each time.",
    of: lives("writeOnly"),
    allows: ["reported"],
  },
  {
    says: "In a replacement, a delete that is applied after the probe deletes the new object. Its outcome was reported as unknown, and the next refresh shows the deletion.",
    of: (cell) =>
      isLater(cell) && cell.life.kind === "replace" && !cell.isAfterWrite && isAfterTheLooks(cell),
    allows: ["corrected"],
    mustBeReported: true,
  },
  {
    says: "In a replacement, the create waits for a delete that is applied during the probe.",
    of: (cell) => isLater(cell) && cell.life.kind === "replace" && !cell.isAfterWrite,
    allows: ["no effect"],
  },
  {
    says: "Any other late write meets the repeated one, or is found. Nothing is doubled, and nothing is reported as another user's.",
    of: isLater,
    allows: ["no effect"],
  },
];

const isSilent = ({ fault }: Cell) => fault.group === "no further responses";
const isSilentFor = (kind: Cell["can"]["lives"]) => {
  return (cell: Cell): boolean => isSilent(cell) && cell.can.lives === kind;
};

/** From one request on no server answers. The command ends within its timeout and reports what it knows. */
export const ofSilence: readonly Rule[] = [
  {
    says: "An action without a response, also to its probe, has an unknown outcome. An action that was not sent is reported.",
    of: (cell) => isSilentFor("action")(cell) && !cell.isRead,
    allows: ["unknown"],
  },
  {
    says: "A procedure without further responses stores what it has received, and reports what is unknown.",
    of: isSilentFor("procedure"),
    allows: ["reported", "decision", "unknown", "repeated"],
    mustBeReverted: true,
  },
  {
    says: "A user deletes the object of an applied create without a probe, if the service rejects an existing name and never returns a value.",
    of: (cell) => isSilent(cell) && isUnprovable(cell) && !cell.isRead && cell.fault.carries === "yes",
    allows: ["manual delete"],
  },
  {
    says: "An applied create without a probe is recognized by its values, or the program sets who owns the object.",
    of: (cell) =>
      isSilent(cell) && cell.life.kind === "create" && !cell.isRead && cell.fault.carries === "yes",
    allows: ["reported", "decision"],
  },
  {
    says: "A write that is repeated only as a proof and gets no response is reported if the service has added something.",
    of: (cell) => isSilent(cell) && cell.can.provesByRepeating && !cell.isRead && cell.isAfterWrite,
    allows: ["reported"],
  },
  {
    says: "A command without further responses ends within its timeout with an error. A created object is recognized later.",
    of: isSilent,
    allows: ["reported"],
  },
];
