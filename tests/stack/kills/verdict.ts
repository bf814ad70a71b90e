import { catalog } from "../../../provider/catalog";
import { capabilityOf } from "../../faults/capability";
import type { Kind } from "../../faults/faultSubject";
import { faults } from "../../faults/faults";
import type { Cell, Outcome } from "../../faults/rule";
import { rules } from "../../faults/rules";
import type { Case } from "./cases";
import type { Passed } from "./gate";
import type { Ended, Hit, Operation } from "./interruptedRun";

/** How an interrupted operation was completed. */
export type Result =
  /** The next command completed it without an error. */
  | "at once"
  /** A command printed a remedy, which completed it. */
  | "told"
  /** The program had to decide about the ownership of the object, or allow to end a procedure in progress. */
  | "decided"
  /** A one-time action was repeated, because the state had no record of the first one. */
  | "done again"
  /** A command reported that the outcome is unknown, and did nothing more. */
  | "left open";

export type Verdict = { readonly result: Result } | { readonly wrong: string };

/** The corresponding outcomes of the fault rules. */
const SAME: Readonly<Record<Result, readonly Outcome[]>> = {
  "at once": ["no effect", "reported"],
  told: ["reported"],
  decided: ["decision", "manual delete"],
  "done again": ["repeated"],
  "left open": ["unknown"],
};

/** Compares an interrupted operation with the undisturbed one, and with the fault rule for such a request. */
export function verdictOf(one: Case, hit: Hit, ended: Ended, free: Ended): Verdict {
  const context = JSON.stringify({ ways: ended.ways, told: ended.told.map((text) => text.slice(-900)) });
  if (ended.unrest !== "")
    return { wrong: `it is never quiet: ${ended.unrest.slice(-600)}; ${context}; ${ended.said.slice(-600)}` };
  const result = resultOf(ended, free);
  // A repeated or perhaps omitted action has another result, as its rule allows.
  const hasOtherResult = result === "done again" || result === "left open";
  const differences = hasOtherResult ? undefined : differing(free.dump, ended.dump);
  if (differences !== undefined)
    return { wrong: `the services hold something else in the end: ${differences}; ${context}` };
  const rule = rules.find(({ of }) => of(cellOf(one, hit, ended)));
  const isAllowed = SAME[result].some((outcome) => rule?.allows.includes(outcome));
  return isAllowed ? { result } : { wrong: `${result}, against "${rule?.says}": ${context}` };
}

function resultOf(ended: Ended, free: Ended): Result {
  if (oneTimeRequestsIn(ended) > oneTimeRequestsIn(free)) return "done again";
  if (ended.ways.some((way) => way.startsWith("set "))) return "decided";
  if (OPEN.test([ended.said, ...ended.told].join("\n"))) return "left open";
  return ended.told.length === 0 ? "at once" : "told";
}

/** The report of an unknown outcome; a terminal breaks its lines anywhere. */
const OPEN = /it\s+is\s+unclear\s+what\s+became\s+of\s+it|it\s+is\s+open\s+whether/;

/** The number of one-time requests. The server rejects a share that is sent twice under one nonce. */
function oneTimeRequestsIn({ requests, later }: Ended): number {
  return [...requests, ...later].filter(
    ({ isSingleUse, isCarriedOut, path }) => isSingleUse && isCarriedOut && !path.includes("rekey"),
  ).length;
}

const KINDS: Readonly<Record<Operation, Kind>> = { create: "create", update: "update", delete: "delete" };

function cellOf({ token }: Case, { blow, moment, at }: Hit, { operation, requests }: Ended): Cell {
  const definition = catalog[token]?.();
  const group = blow === "the command is canceled" ? "canceled" : "killed";
  const fault = faults.find(
    (one) => one.group === group && one.carries === (moment === "after" ? "yes" : "no"),
  );
  if (!definition || !fault) throw new Error(`nobody knows ${token}, or ${blow}`);
  const kind = definition.life.kind === "action" ? "act" : KINDS[operation];
  const name = operation;
  return {
    life: { kind, name, before: async () => undefined, command: async () => undefined },
    fault,
    can: capabilityOf(definition),
    isRead: requests[at]?.isRead ?? true,
    isAfterWrite: requests.slice(0, at).some(isWrite),
    asksAboutCluster: false,
    isInWindow: false,
  };
}

const isWrite = ({ isRead }: Passed) => !isRead;

/** The first lines that only one of two dumps has, or undefined if the dumps are equal. */
function differing(free: string, end: string): string | undefined {
  const [before, after] = [new Set(free.split("\n")), new Set(end.split("\n"))];
  const lines = (of: Set<string>, other: Set<string>) =>
    [...of]
      .filter((line) => !other.has(line))
      .slice(0, 5)
      .map((line) => line.trim());
  const differences = { free: lines(before, after), end: lines(after, before) };
  return differences.free.length + differences.end.length === 0 ? undefined : JSON.stringify(differences);
}
