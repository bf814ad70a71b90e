import { catalog } from "../../provider/catalog";
import { isLike } from "./glob";
import { countsOf, type DriftReport, type MovedField, type PassedOver, type ResourceReport } from "./report";

/** A rule that excludes a field of a type from drift. */
export interface IgnoreRule {
  /** `scheduler:Job`; `*` matches any text. */
  readonly type: string;
  /** A field path; `*` matches any text. The rule also covers everything inside the field. */
  readonly field: string;
}

/** An ignore rule or a baseline cannot be read; the message describes the expected form. */
export class UnreadableChoice extends Error {
  override readonly name = "UnreadableChoice";
}

/**
 * Parses a rule such as `scheduler:Job:spec.taskGroups[*].count` or `*:tags`.
 * @throws UnreadableChoice if the text is not a rule, or names an unknown type
 */
export function ignoreRule(text: string): IgnoreRule {
  const [first = "", second = "", ...rest] = text.trim().split(":");
  const isAnyType = first === "*" && rest.length === 0;
  const rule = isAnyType
    ? { type: "*", field: second }
    : { type: `${first}:${second}`, field: rest.join(":") };
  const isComplete = first !== "" && second !== "" && rule.field !== "";
  if (isComplete && !rule.type.includes("*") && !(rule.type in catalog))
    throw new UnreadableChoice(
      `${JSON.stringify(text)} names ${rule.type}, which is no type of this package`,
    );
  if (isComplete) return rule;
  throw new UnreadableChoice(
    `${JSON.stringify(text)} is not a rule. Examples: scheduler:Job:spec.priority, or *:tags for any type`,
  );
}

/**
 * Parses an ignore file with one rule per line. Blank lines and lines that begin with `#` are skipped.
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

/** The parts of a resource that `--only` patterns match. */
export type Named = Pick<ResourceReport, "urn" | "type" | "name" | "id">;

/** True if a pattern matches the resource's type, name, ID or URN, or if there are no patterns. */
export function isChosen(patterns: readonly string[], { urn, type, name, id }: Named): boolean {
  if (patterns.length === 0) return true;
  return patterns.some((pattern) => [type, name, id, urn].some((text) => isLike(pattern, text)));
}

/** Returns the report with every change that a rule names marked as ignored. */
export function withIgnored(report: DriftReport, rules: readonly IgnoreRule[]): DriftReport {
  if (rules.length === 0) return report;
  return passing(report, "rule", {
    change: ({ type }, { field }) =>
      rules.some((rule) => isLike(rule.type, type) && isInside(rule.field, field)),
    missing: () => false,
  });
}

/** True if the pattern names the field or one of its parents. */
function isInside(pattern: string, field: string): boolean {
  const ends = [...field.matchAll(/[.[]/g)].map(({ index }) => index);
  return [...ends, field.length].some((end) => isLike(pattern, field.slice(0, end)));
}

/** The mask for secrets: two masked values cannot be compared. */
const MASK = "[secret]";

/**
 * Returns the report with every difference that an earlier report already contains marked as ignored: the same field of the
 * same resource with the same value, or the same missing resource. Masked values never match the baseline, because a second
 * change would be invisible. Unreadable resources stay unreadable.
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
 * Parses a report that `quarterdeck drift --json` wrote.
 * @throws UnreadableChoice if the text is not such a report
 */
export function baselineIn(text: string): Pick<DriftReport, "resources"> {
  let report: unknown;
  try {
    report = JSON.parse(text);
  } catch {
    throw new UnreadableChoice(
      "the baseline is not valid JSON.\nCreate a baseline with: quarterdeck drift --json > FILE",
    );
  }
  const { resources } = Object(report) as { readonly resources?: unknown };
  if (!Array.isArray(resources) || !resources.every(isVerdict))
    throw new UnreadableChoice(
      "the baseline is not a drift report.\nCreate a baseline with: quarterdeck drift --json > FILE",
    );
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

/** Decides which differences of a report are ignored. */
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

/** The verdict of a resource with these changed fields. */
export function wordOf(fields: readonly MovedField[]): "drifted" | "ignored" {
  return fields.length > 0 && fields.every(({ ignored }) => ignored !== undefined) ? "ignored" : "drifted";
}
