/**
 * The verdict on one resource since its state was last written or refreshed. `in sync`: it matches the state. `drifted`:
 * some of its `fields` differ. `ignored`: it differs or is missing, but every difference is ignored. `missing`: it is proven
 * to be deleted. `unreadable`: it could not be checked; `why` gives the reason.
 */
export type Word = "in sync" | "drifted" | "missing" | "unreadable" | "ignored";

/** The verdicts, in the order in which a person should look at them. */
export const WORDS: readonly Word[] = ["unreadable", "missing", "drifted", "ignored", "in sync"];

/** The reason to ignore a difference: the program's `ignoreChanges`, an ignore rule or a baseline. */
export type PassedOver = "program" | "rule" | "baseline";

/** A field that differs from the state. Secrets in both values are masked. */
export interface MovedField {
  /** The path with the program's property names: `spec.taskGroups["web"].count`. */
  readonly field: string;
  readonly was: string;
  readonly is: string;
  /** Why the difference is ignored; undefined if it counts as drift. */
  readonly ignored?: PassedOver;
}

/** The result of checking one resource. */
export interface ResourceReport {
  readonly urn: string;
  /** For example `scheduler:Job`. */
  readonly type: string;
  readonly name: string;
  readonly id: string;
  readonly verdict: Word;
  /** The changed fields; only for the verdicts `drifted` and `ignored`. */
  readonly fields?: readonly MovedField[];
  /**
   * The time of the last write by the server's clock (RFC 3339), if the server reports it and something changed since the
   * state was written. The drift happened no later than this.
   */
  readonly when?: string;
  /** Why the resource could not be read, or the drift if no field shows it. */
  readonly why?: string;
  /** Why it is ignored that the resource is missing. */
  readonly ignored?: PassedOver;
  /** The source of the settings that the resource was read with. */
  readonly settings: string;
}

/** The result of checking all resources of a stack. Every output format is made from it. */
export interface DriftReport {
  /** The project's name, if it is known. */
  readonly project?: string;
  /** The stack's name, if it is known. */
  readonly stack?: string;
  /** When the check began (RFC 3339). */
  readonly at: string;
  /** In the order of the state. */
  readonly resources: readonly ResourceReport[];
  readonly counts: Readonly<Record<Word, number>>;
  /** The number of requests sent. */
  readonly requests: number;
  /** The duration of the check in seconds. */
  readonly seconds: number;
}

/** The stack's name after its project, `shop/dev`; undefined if the stack's name is unknown. */
export function stackIn({ project, stack }: Pick<DriftReport, "project" | "stack">): string | undefined {
  return project === undefined || stack === undefined ? stack : `${project}/${stack}`;
}

/** Counts the resources of each verdict. */
export function countsOf(resources: readonly Pick<ResourceReport, "verdict">[]): DriftReport["counts"] {
  const counts: Record<Word, number> = { unreadable: 0, missing: 0, drifted: 0, ignored: 0, "in sync": 0 };
  for (const { verdict } of resources) counts[verdict] += 1;
  return counts;
}

/** The resources of a report by urgency of their verdict, otherwise in the order of the state. */
export function inOrder({ resources }: Pick<DriftReport, "resources">): readonly ResourceReport[] {
  return WORDS.flatMap((word) => resources.filter(({ verdict }) => verdict === word));
}

/** The exit code: 0 for in sync, 2 for drift, 3 if any resource could not be read. */
export function exitCodeOf({ counts }: Pick<DriftReport, "counts">): 0 | 2 | 3 {
  if (counts.unreadable > 0) return 3;
  return counts.drifted + counts.missing > 0 ? 2 : 0;
}

/** The nonzero counts in one line: `3 drifted, 1 missing, 996 in sync`. */
export function summaryOf({ counts }: Pick<DriftReport, "counts">): string {
  const parts = WORDS.filter((word) => counts[word] > 0).map((word) => `${counts[word]} ${word}`);
  return parts.length === 0 ? "no resources" : parts.join(", ");
}

/** Formats a time (RFC 3339, UTC) for people. */
export function timeInWords(time: string): string {
  return time.replace("T", " ").replace(/(\.\d+)?Z$/, " UTC");
}

/** Display texts for the reasons to ignore a difference. */
export const PASSED_OVER: Readonly<Record<PassedOver, string>> = {
  program: "ignoreChanges",
  rule: "ignore rule",
  baseline: "in the baseline",
};
