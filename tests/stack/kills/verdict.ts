import { catalog } from "../../../provider/catalog";
import { capabilityOf } from "../../faults/capability";
import { faults } from "../../faults/faults";
import type { Cell, Outcome } from "../../faults/rule";
import { rules } from "../../faults/rules";
import type { Kind } from "../../faults/tried";
import type { Case } from "./cases";
import type { Ended, Hit, Operation } from "./course";
import type { Passed } from "./gate";

/** How an operation that was hit came to its end. */
export type Result =
  /** The next command brought it about, and said nothing. */
  | "at once"
  /** A command told what to run, and that brought it about. */
  | "told"
  /** The program had to say whose the object is, or that what is under way may be ended. */
  | "decided"
  /** What is done once was done again, because nothing of the first was left in the state. */
  | "done again"
  /** It was told that nobody can know what became of it, and left at that. */
  | "left open";

export type Verdict = { readonly result: Result } | { readonly wrong: string };

/** What the laws of the steps call the same end. */
const SAME: Readonly<Record<Result, readonly Outcome[]>> = {
  "at once": ["unharmed", "told"],
  told: ["told"],
  decided: ["decided", "by hand"],
  "done again": ["done again"],
  "left open": ["left open"],
};

/** Judges an operation that was hit by the same one that nothing hit, and by the rule of the laws for such a request. */
export function verdictOf(one: Case, hit: Hit, ended: Ended, free: Ended): Verdict {
  const context = JSON.stringify({ ways: ended.ways, told: ended.told.map((text) => text.slice(-900)) });
  if (ended.unrest !== "")
    return { wrong: `it is never quiet: ${ended.unrest.slice(-600)}; ${context}; ${ended.said.slice(-600)}` };
  const result = resultOf(ended, free);
  // What is done once more, or perhaps not at all, leaves something else; that is in the rule.
  const isOtherwise = result === "done again" || result === "left open";
  const others = isOtherwise ? undefined : differing(free.dump, ended.dump);
  if (others !== undefined)
    return { wrong: `the services hold something else in the end: ${others}; ${context}` };
  const rule = rules.find(({ of }) => of(cellOf(one, hit, ended)));
  const isAllowed = SAME[result].some((outcome) => rule?.allows.includes(outcome));
  return isAllowed ? { result } : { wrong: `${result}, against "${rule?.says}": ${context}` };
}

function resultOf(ended: Ended, free: Ended): Result {
  if (deedsIn(ended) > deedsIn(free)) return "done again";
  if (ended.ways.some((way) => way.startsWith("set "))) return "decided";
  if (OPEN.test([ended.said, ...ended.told].join("\n"))) return "left open";
  return ended.told.length === 0 ? "at once" : "told";
}

/** What is said of what nobody can know; a terminal breaks its lines anywhere. */
const OPEN = /it\s+is\s+unclear\s+what\s+became\s+of\s+it|it\s+is\s+open\s+whether/;

/** How often what is done once was done. A share that is given twice under one nonce is refused by the service. */
function deedsIn({ requests, later }: Ended): number {
  return [...requests, ...later].filter(
    ({ isSingleUse, isCarriedOut, path }) => isSingleUse && isCarriedOut && !path.includes("rekey"),
  ).length;
}

const KINDS: Readonly<Record<Operation, Kind>> = { create: "create", update: "update", delete: "delete" };

function cellOf({ token }: Case, { blow, moment, at }: Hit, { operation, requests }: Ended): Cell {
  const definition = catalog[token]?.();
  const group = blow === "the command is cancelled" ? "cancelled" : "killed";
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

/** The first lines that only one of two dumps has; undefined where neither has any. */
function differing(free: string, end: string): string | undefined {
  const [before, after] = [new Set(free.split("\n")), new Set(end.split("\n"))];
  const lines = (of: Set<string>, other: Set<string>) =>
    [...of]
      .filter((line) => !other.has(line))
      .slice(0, 5)
      .map((line) => line.trim());
  const others = { free: lines(before, after), end: lines(after, before) };
  return others.free.length + others.end.length === 0 ? undefined : JSON.stringify(others);
}
