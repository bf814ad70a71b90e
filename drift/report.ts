/**
 * What became of one resource since its state was last written or refreshed, in a word. `in sync`: as the state has it.
 * `drifted`: some of its `fields` are others. `ignored`: so, or missing, but all of that is passed over. `missing`: proven
 * gone. `unreadable`: it could not be looked at, for the reason `why`.
 */
export type Word = "in sync" | "drifted" | "missing" | "unreadable" | "ignored";

/** The words, in the order in which a person should look at them. */
export const WORDS: readonly Word[] = ["unreadable", "missing", "drifted", "ignored", "in sync"];

/** By whose word something is passed over: the program's `ignoreChanges`, an ignore rule, or a baseline. */
export type PassedOver = "program" | "rule" | "baseline";

/** One field that is not as the state has it: texts in which secrets are masked. */
export interface MovedField {
  /** Where it is, in the program's names: `spec.taskGroups["web"].count`. */
  readonly field: string;
  readonly was: string;
  readonly is: string;
  /** By whose word it is no drift; none where it is one. */
  readonly ignored?: PassedOver;
}

/** What a look at one resource found. */
export interface ResourceReport {
  readonly urn: string;
  /** `scheduler:Job`. */
  readonly type: string;
  readonly name: string;
  readonly id: string;
  readonly verdict: Word;
  /** What moved; none unless it drifted, or would have but for what is ignored. */
  readonly fields?: readonly MovedField[];
  /**
   * When it was last written, by its service's clock, where the service tells and something drifted since the state was
   * written (RFC 3339): the drift is no later than that.
   */
  readonly when?: string;
  /** Why it could not be read; or what drifted where no field tells it. */
  readonly why?: string;
  /** By whose word it is passed over that it is missing. */
  readonly ignored?: PassedOver;
  /** Where the settings came from by which it was read. */
  readonly settings: string;
}

/** What a look at all resources of a stack found: every output is made of it. */
export interface DriftReport {
  /** The project's name, where it is known. */
  readonly project?: string;
  /** The stack's name, where it is known. */
  readonly stack?: string;
  /** When the look began (RFC 3339). */
  readonly at: string;
  /** In the order of the state. */
  readonly resources: readonly ResourceReport[];
  readonly counts: Readonly<Record<Word, number>>;
  /** How many requests were sent. */
  readonly requests: number;
  /** Seconds that it took. */
  readonly seconds: number;
}

/** The stack with its project in front, `shop/dev`; undefined where its name is not known. */
export function stackIn({ project, stack }: Pick<DriftReport, "project" | "stack">): string | undefined {
  return project === undefined || stack === undefined ? stack : `${project}/${stack}`;
}

/** How many resources there are of each verdict. */
export function countsOf(resources: readonly Pick<ResourceReport, "verdict">[]): DriftReport["counts"] {
  const counts: Record<Word, number> = { unreadable: 0, missing: 0, drifted: 0, ignored: 0, "in sync": 0 };
  for (const { verdict } of resources) counts[verdict] += 1;
  return counts;
}

/** The resources of a report, those first that a person should look at, else in the order of the state. */
export function inOrder({ resources }: Pick<DriftReport, "resources">): readonly ResourceReport[] {
  return WORDS.flatMap((word) => resources.filter(({ verdict }) => verdict === word));
}

/** The status of a process: 0 in sync, 2 drift, 3 where something could not be read, whatever else was found. */
export function exitCodeOf({ counts }: Pick<DriftReport, "counts">): 0 | 2 | 3 {
  if (counts.unreadable > 0) return 3;
  return counts.drifted + counts.missing > 0 ? 2 : 0;
}

/** The counts in a line, without those that are none: `3 drifted, 1 missing, 996 in sync`. */
export function summaryOf({ counts }: Pick<DriftReport, "counts">): string {
  const told = WORDS.filter((word) => counts[word] > 0).map((word) => `${counts[word]} ${word}`);
  return told.length === 0 ? "no resources" : told.join(", ");
}

/** A time (RFC 3339, UTC) as people read it. */
export function timeInWords(time: string): string {
  return time.replace("T", " ").replace(/(\.\d+)?Z$/, " UTC");
}

/** By whose word a field or a resource is passed over, in words. */
export const PASSED_OVER: Readonly<Record<PassedOver, string>> = {
  program: "ignoreChanges",
  rule: "ignore rule",
  baseline: "in the baseline",
};
