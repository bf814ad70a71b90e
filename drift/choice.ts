import { isLike } from "./glob";
import { countsOf, type DriftReport, type MovedField, type PassedOver, type ResourceReport } from "./report";

/** What drift is told of nothing: a field of a type. */
export interface IgnoreRule {
  /** `scheduler:Job`, with `*` for any text. */
  readonly type: string;
  /** A field, with `*` for any text; all that is inside of it is meant too. */
  readonly field: string;
}

/** A rule, or a baseline, that cannot be read: the message says what it should be. */
export class UnreadableChoice extends Error {
  override readonly name = "UnreadableChoice";
}

/**
 * A rule as it is written: `scheduler:Job:spec.taskGroups[*].count`, `*:tags`.
 * @throws UnreadableChoice for what is none
 */
export function ignoreRule(text: string): IgnoreRule {
  const [first = "", second = "", ...rest] = text.trim().split(":");
  const isAnyType = first === "*" && rest.length === 0;
  const rule = isAnyType
    ? { type: "*", field: second }
    : { type: `${first}:${second}`, field: rest.join(":") };
  const isWhole = first !== "" && second !== "" && rule.field !== "";
  if (isWhole) return rule;
  throw new UnreadableChoice(
    `${JSON.stringify(text)} names no field of a type: write scheduler:Job:spec.priority, or *:tags for any type`,
  );
}

/**
 * The rules of an ignore file, one a line; blank lines and what begins with `#` say nothing.
 * @throws UnreadableChoice that names the line
 */
export function ignoreRules(text: string): IgnoreRule[] {
  return text.split(/\r?\n/).flatMap((line, index) => {
    if (/^\s*(#|$)/.test(line)) return [];
    try {
      return [ignoreRule(line)];
    } catch (error) {
      if (!(error instanceof UnreadableChoice)) throw error;
      throw new UnreadableChoice(`line ${index + 1}: ${error.message}`);
    }
  });
}

/** What names a resource: for a choice of what is looked at. */
export type Named = Pick<ResourceReport, "urn" | "type" | "name" | "id">;

/** Whether a resource is one of those that patterns name, by type, name, id or URN; all are where there is none. */
export function isChosen(patterns: readonly string[], { urn, type, name, id }: Named): boolean {
  if (patterns.length === 0) return true;
  return patterns.some((pattern) => [type, name, id, urn].some((text) => isLike(pattern, text)));
}

/** A report in which everything that these rules name is no drift. */
export function withIgnored(report: DriftReport, rules: readonly IgnoreRule[]): DriftReport {
  if (rules.length === 0) return report;
  return passing(report, "rule", {
    change: ({ type }, { field }) =>
      rules.some((rule) => isLike(rule.type, type) && isInside(rule.field, field)),
    missing: () => false,
  });
}

/** Whether a field is one that a pattern names, or inside of one. */
function isInside(pattern: string, field: string): boolean {
  const ends = [...field.matchAll(/[.[]/g)].map(({ index }) => index);
  return [...ends, field.length].some((end) => isLike(pattern, field.slice(0, end)));
}

/** What a masked text is known by: nobody can tell whether two of them are the same. */
const MASK = "[secret]";

/**
 * A report in which everything that an earlier one shows, just as it is now, is known and no drift: the same field of the
 * same resource with the same value, or the same resource missing. What is masked is never known, as nobody can tell
 * whether it moved again; and what could not be read stays that.
 */
export function withBaseline(report: DriftReport, baseline: Pick<DriftReport, "resources">): DriftReport {
  const known = new Map(baseline.resources.map((verdict) => [verdict.urn, verdict]));
  return passing(report, "baseline", {
    change: ({ urn }, { field, is }) =>
      !is.includes(MASK) &&
      (known.get(urn)?.fields?.some((earlier) => earlier.field === field && earlier.is === is) ?? false),
    missing: ({ urn }) => {
      const earlier = known.get(urn);
      return earlier?.verdict === "missing" || earlier?.ignored !== undefined;
    },
  });
}

/**
 * The report in a text that `--json` has written.
 * @throws UnreadableChoice for what is none
 */
export function baselineIn(text: string): Pick<DriftReport, "resources"> {
  let report: unknown;
  try {
    report = JSON.parse(text);
  } catch {
    throw new UnreadableChoice("the baseline is no JSON: write one with quarterdeck drift --json > FILE");
  }
  const { resources } = Object(report) as { readonly resources?: unknown };
  if (!Array.isArray(resources) || !resources.every(isVerdict))
    throw new UnreadableChoice("the baseline is no report: write one with quarterdeck drift --json > FILE");
  return { resources };
}

function isVerdict(value: unknown): value is ResourceReport {
  const { urn, verdict, fields = [] } = Object(value) as Partial<ResourceReport>;
  const isChange = (change: unknown) => {
    const { field, is } = Object(change) as Partial<MovedField>;
    return typeof field === "string" && typeof is === "string";
  };
  return (
    typeof urn === "string" && typeof verdict === "string" && Array.isArray(fields) && fields.every(isChange)
  );
}

/** Of what a report shows, what is passed over. */
interface Passes {
  change(verdict: ResourceReport, change: MovedField): boolean;
  missing(verdict: ResourceReport): boolean;
}

function passing(report: DriftReport, by: PassedOver, passes: Passes): DriftReport {
  const resources = report.resources.map((verdict): ResourceReport => {
    if (verdict.verdict === "missing")
      return passes.missing(verdict) ? { ...verdict, verdict: "ignored", ignored: by } : verdict;
    if (verdict.verdict !== "drifted" || verdict.fields === undefined) return verdict;
    const fields = verdict.fields.map((change) =>
      change.ignored === undefined && passes.change(verdict, change) ? { ...change, ignored: by } : change,
    );
    return { ...verdict, fields, verdict: wordOf(fields) };
  });
  return { ...report, resources, counts: countsOf(resources) };
}

/** The verdict of a resource of which these fields moved. */
export function wordOf(fields: readonly MovedField[]): "drifted" | "ignored" {
  return fields.length > 0 && fields.every(({ ignored }) => ignored !== undefined) ? "ignored" : "drifted";
}
