import type { Json } from "../value/json";
import { shellWord } from "../value/scalar";

/** A remedy for an error, as data: what the user runs, sets or checks to resolve it. */
export type Remedy = Setting | Instruction;

interface Wording {
  /** The remedy as the message words it: commands as a user types them; complete sentences for a check. */
  readonly text: string;
  /** Its purpose, if there is a choice: `to adopt it`. */
  readonly to?: string;
}

/** Set a property of the resource to this value, then run the same command. */
interface Setting extends Wording {
  readonly kind: "set";
  readonly property: string;
  readonly value: Json;
}

interface Instruction extends Wording {
  /**
   * - `again`: run the same command again.
   * - `refresh`: refresh, then run the same command.
   * - `look`: run a preview, which changes nothing.
   * - `remove`: delete the object manually, then run the same command.
   * - `import`: import the object into the state.
   * - `edit`: do something that only the user can know, then run the same command.
   * - `check`: check the circumstances (empty if the service's message explains them), then run the same command.
   */
  readonly kind: "again" | "refresh" | "look" | "remove" | "import" | "edit" | "check";
}

const instruction = (kind: Instruction["kind"], text: string, to?: string): Remedy => ({
  kind,
  text,
  ...(to && { to }),
});

/** Run the same command again. */
export const again = (more = "") => instruction("again", `the same command again${more}`);
/** Run `pulumi up` again. */
export const rerunUp = (more = "") => instruction("again", `pulumi up again${more}`);
/** Refresh first, which records the changes of others. */
export const refreshFirst = (text: string, to?: string) => instruction("refresh", text, to);
/** Run a command that shows more and changes nothing. */
export const inspect = (text: string) => instruction("look", text, "to inspect");
/** Delete an object manually. */
export const removeObject = (text: string, to?: string) => instruction("remove", text, to);
/** Import an object by its ID. */
export const importById = (type: string, id: string) =>
  instruction(
    "import",
    `pulumi import quarterdeck:${type} <name> ${shellWord(id)} (with the plugin)`,
    "to import it",
  );
/** Do something that only the user can know. */
export const editProgram = (text: string, to?: string) => instruction("edit", text, to);
/** Restore an earlier state of the stack. */
export const restoreState = (condition = "") =>
  instruction(
    "edit",
    `${condition}restore an earlier state: pulumi stack export --version N | pulumi stack import (pulumi stack history shows the versions; for backends other than Pulumi Cloud, see "Restore an earlier state" in docs/secrets-and-state.md)`,
  );
/** Check the circumstances. */
export const manualCheck = (sentences: string) => instruction("check", sentences);
/** Set a property. */
export const set = (property: string, value: Json, { more = "", to = "" } = {}): Remedy => ({
  kind: "set",
  property,
  value,
  text: `set ${property}: ${JSON.stringify(value)}${more}`,
  ...(to && { to }),
});

/** Formats an error with its remedies: one line for each purpose, one sentence for the remedies without a purpose. */
export function formatMessage(problem: string, remedies: readonly Remedy[]): string {
  const purposes = new Map<string, string[]>();
  for (const { to, text } of remedies) {
    if (to !== undefined) purposes.set(`  ${to}:`, [...(purposes.get(`  ${to}:`) ?? []), text]);
  }
  const checks = remedies.flatMap(({ kind, text }) => (kind === "check" && text ? [text] : []));
  const others = remedies.filter(({ kind, to }) => to === undefined && kind !== "check");
  const next = others.length === 0 ? [] : [`Next: ${others.map(({ text }) => text).join("; or ")}.`];
  const width = Math.max(0, ...[...purposes.keys()].map((label) => label.length));
  const lines = [...purposes].map(([label, texts]) => `${label.padEnd(width)} ${texts.join("; or ")}`);
  return [appendParts(problem, ...checks, ...next), ...lines].join("\n");
}

/** A problem with further sentences. After a table, each is on a separate line. */
export function appendParts(problem: string, ...parts: readonly string[]): string {
  return [problem, ...parts].join(problem.includes("\n") ? "\n  " : " ");
}

/** The facts that an error or a notice reports, as data. A fact that it does not report is undefined. */
export interface MessageFacts {
  /**
   * What became of the writes that the operation has sent so far:
   *
   * - `notSent`: it sent none.
   * - `notApplied`: the server applied none.
   * - `rejected`: the server rejected the last one.
   * - `applied`: the server applied at least one.
   * - `unknown`: it is not known whether the server applied the last one.
   */
  readonly outcome?: "notSent" | "notApplied" | "rejected" | "applied" | "unknown";
  /** True if no later command finds out an unknown outcome, and the operation is not repeated. */
  readonly isUnknownForGood?: true;
  /** True if a read after the write did not show its result. */
  readonly isNotShown?: true;
  /** True if the operation sent no further write after the one whose response was lost. */
  readonly isLastWrite?: true;
  /** True if the operation ended an action: it canceled a rekey, or checked an account in again. */
  readonly isReverted?: true;
  /** Who changed, created or deleted the object. `unknown` includes this operation and an earlier command of this stack. */
  readonly changedBy?: "someoneElse" | "unknown";
  /** The properties whose values are not as they were, or not as the program writes them. */
  readonly properties?: readonly string[];
  /** True if the object of a create exists already. */
  readonly isExisting?: true;
}

/**
 * An error that says what to do next. Its remedies are in the order in which a user should try them. {@link NOTHING_TO_DO}
 * states that it has no remedy.
 */
export class ActionableError extends Error {
  /** The end of the message: the IDs of the request. */
  readonly suffix: string;
  #remedies: readonly Remedy[];

  constructor(
    /** What happened, without the remedies. */
    readonly problem: string,
    remedies: readonly Remedy[],
    readonly facts: MessageFacts = {},
    { suffix = "" } = {},
  ) {
    super(formatMessage(problem, remedies) + suffix);
    this.suffix = suffix;
    this.#remedies = remedies;
  }

  get remedies(): readonly Remedy[] {
    return this.#remedies;
  }

  /** Adds remedies that only the caller knows, after the error's own. */
  addRemedies(...more: readonly Remedy[]): this {
    this.#remedies = [...this.#remedies, ...more];
    this.message = formatMessage(this.problem, this.#remedies) + this.suffix;
    return this;
  }

  /** What happened and what to check, for an error that names the next command itself. */
  get summary(): string {
    const checks = this.remedies.filter(({ kind }) => kind === "check");
    return formatMessage(this.problem, checks) + this.suffix;
  }
}

/** States explicitly that nothing can be done. */
export const NOTHING_TO_DO: readonly Remedy[] = [];

/** What happened and what to check, for an error that names the next command itself. */
export function errorSummary(error: Error): string {
  return error instanceof ActionableError ? error.summary : error.message;
}

/** The remedies of an error; undefined if it is not an {@link ActionableError}. */
export function remediesOf(error: unknown): readonly Remedy[] | undefined {
  return error instanceof ActionableError ? error.remedies : undefined;
}
