import { isStack } from "../state/urn";
import { detailsOf } from "./details";
import { type Diagnostic, messageOf, properties, type Step } from "./events";
import { wordsFor } from "./operations";
import { diffMaps, type MapDiff } from "./values";

/** The collected events of one resource; its line is rendered from all of them. */
export interface Row {
  step: Step;
  /** Operations that have ended. */
  readonly ended: Step[];
  failed: boolean;
  /** True if nothing has changed. */
  hidden: boolean;
  readonly diagnostics: Diagnostic[];
  startedAt?: number;
  endedAt?: number | undefined;
}

/** Inputs of a line other than its row. */
export interface RowContext {
  readonly preview: boolean;
  readonly debug: boolean;
  /** True if the operation has ended. */
  readonly over: boolean;
  /** The name of the stack's resource, for messages before it is known. */
  readonly stack: { readonly type: string; readonly name: string };
  readonly nameOf: (urn: string) => string;
  readonly typeOf: (urn: string) => string;
  readonly now: () => number;
}

export function newRow(step: Step): Row {
  return { step, ended: [], failed: false, hidden: true, diagnostics: [] };
}

/** A step for a resource that is only known from a message or a child. */
export function placeholder(urn: string): Step {
  return { op: "same", urn, type: "", provider: "" };
}

export function countOf({ diagnostics }: Row, severities: readonly string[]): number {
  return diagnostics.filter(({ severity, ephemeral }) => !ephemeral && severities.includes(severity)).length;
}

export function isDone(row: Row, over: boolean): boolean {
  if (row.failed || over) return true;
  // The stack ends with the program, when everything has ended.
  return !isRoot(row.step) && hasEnded(row);
}

/** Renders one line: sign, type, name, status and further information. */
export function renderRow(row: Row, context: RowContext): string {
  const { urn, op } = row.step;
  const columns = [
    wordsFor(op).sign,
    urn === "" ? context.stack.type : context.typeOf(urn),
    urn === "" ? context.stack.name : context.nameOf(urn),
    statusOf(row, context),
    infoOf(row, context),
  ];
  return ` ${columns.join(" ")}`;
}

function statusOf(row: Row, context: RowContext): string {
  const failed = row.failed || countOf(row, ["error"]) > 0;
  const { op } = row.step;
  const interrupted = !failed && context.over && isCustom(row.step) && op !== "same" && !hasEnded(row);
  const status = interrupted
    ? `${wordsFor(op).doing} (interrupted)`
    : isDone(row, context.over)
      ? doneStatus(row, failed, context)
      : progressStatus(row, context);
  const retained = ["delete", "replace", "create-replacement", "delete-replaced"].includes(op);
  return retained && row.step.old?.retainOnDelete ? `${status}[retain]` : status;
}

function doneStatus(row: Row, failed: boolean, context: RowContext): string {
  const words = wordsFor(row.step.op);
  if (context.preview) return words.plannedDone;
  const text = failed ? words.failed : words.done;
  const { startedAt, endedAt } = row;
  const timed = row.step.op !== "same" && startedAt !== undefined && endedAt !== undefined;
  const status = timed ? `${text} (${seconds((endedAt - startedAt) / 1000)}s)` : text;
  return failed ? `**${status}**` : status;
}

const seconds = (duration: number): string =>
  duration < 1 ? duration.toFixed(2) : String(Math.floor(duration));

function progressStatus(row: Row, context: RowContext): string {
  const { op } = row.step;
  if (isRoot(row.step) && op === "same") return "running";
  if (context.preview) return wordsFor(op).planned;
  if (op === "same" || row.startedAt === undefined) return wordsFor(op).doing;
  return `${wordsFor(op).doing} (${Math.floor((context.now() - row.startedAt) / 1000)}s)`;
}

function infoOf(row: Row, context: RowContext): string {
  const replaced = ["create-replacement", "delete-replaced"].includes(row.step.op);
  const step = (replaced && row.ended.findLast(({ op }) => op === "replace")) || row.step;
  const changes = shortDiff(step);
  const pieces = changes === "" ? [] : [`[${changes}]`];
  const last = row.diagnostics.at(-1);
  if (context.over) pieces.push(...counts(row));
  else if (last !== undefined) pieces.push(messageOf(last, context.debug).trimEnd());
  return (
    pieces
      .filter((piece) => piece !== "")
      .join("; ")
      .split("\n")[0] ?? ""
  );
}

function counts(row: Row): string[] {
  const kinds: readonly [string, readonly string[]][] = [
    ["error", ["error"]],
    ["warning", ["warning"]],
    ["message", ["info", "info#err"]],
    ["debug", ["debug"]],
  ];
  return kinds.flatMap(([word, severities]) => {
    const count = countOf(row, severities);
    return count === 0 ? [] : [`${count} ${word}${count === 1 || word === "debug" ? "" : "s"}`];
  });
}

/** The names of changed inputs: `diff: +added-removed~changed`. */
function shortDiff(step: Step): string {
  if (!step.old || !step.new) return "";
  const inputs = changesOf(step);
  const about = (["provider", "protect"] as const).filter(
    (name) => (step.old?.[name] || "") !== (step.new?.[name] || ""),
  );
  if (inputs === undefined && about.length === 0) return "";
  const isIncluded = (key: string) => !step.diffs?.length || step.diffs.includes(key);
  const changedKeysOf = (kind: "add" | "delete" | "update") => keysOf(inputs, kind).filter(isIncluded);
  const updated = [...changedKeysOf("update"), ...about.filter(isIncluded)].sort();
  return `diff: ${list("+", changedKeysOf("add"))}${list("-", changedKeysOf("delete"))}${list("~", updated)}`;
}

/** The provider's detailed diff, or else the difference of the inputs. */
function changesOf(step: Step): MapDiff | undefined {
  if (step.op === "same") return undefined;
  if (step.detailedDiff) return detailsOf(step, { refresh: false });
  return diffMaps(properties(step.old, "inputs"), properties(step.new, "inputs"));
}

const keysOf = (diff: MapDiff | undefined, wanted: string): string[] =>
  [...(diff ?? [])].filter(([, { kind }]) => kind === wanted).map(([key]) => key);

const list = (sign: string, keys: readonly string[]): string =>
  keys.length === 0 ? "" : sign + keys.join(",");

const isRoot = ({ urn }: Step): boolean => isStack(urn);

const isCustom = (step: Step): boolean => (step.new ?? step.old)?.custom === true;

const hasEnded = ({ step, ended }: Row): boolean => ended.some(({ op }) => op === step.op);
