// The report of a preview for the reviewer, and the steps that must be the same at the apply. Pulumi has already masked the
// secrets.

/** The maximum length of a value and of a report, in characters, because the length of a comment is limited. */
const [VALUE, REPORT] = [160, 60_000];

/** Pulumi prints this in place of a value that is not known before the update. */
const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/**
 * The changes of a preview, sorted, because the order of independent steps varies.
 * @param preview the output of `pulumi preview --json`
 */
export function stepsOf({ steps = [] }) {
  return steps
    .filter(({ op, newState }) => op !== "same" && (newState?.type ?? "") !== "pulumi:pulumi:Stack")
    .map(({ op, urn, oldState, newState, replaceReasons = [] }) => ({
      urn,
      op,
      from: ownIn(oldState?.inputs),
      to: ownIn(newState?.inputs),
      replaces: [...replaceReasons].sort(),
    }))
    .sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

/** The steps in which two previews differ, one per line; empty if the previews are equal. */
export function differencesOf(reviewed, now) {
  const [before, after] = [reviewed, now].map(
    (steps) => new Map(steps.map((one) => [keyOf(one), text(one)])),
  );
  return [...new Set([...before.keys(), ...after.keys()])].sort().flatMap((key) => {
    if (before.get(key) === after.get(key)) return [];
    const [urn, op] = JSON.parse(key);
    if (!after.has(key)) return [`reviewed, but no longer planned: ${op} ${urn}`];
    return [`${before.has(key) ? "differs from the review" : "not reviewed"}: ${op} ${urn}`];
  });
}

/** A preview as Markdown, short enough for a comment. */
export function markdownOf({ stack, steps, diagnostics = [] }) {
  const head = [`## Preview of ${inline(stack)}`, ""];
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const warnings = diagnostics.filter(({ severity }) => severity === "warning");
  if (errors.length > 0) head.push("**The preview failed. Nothing can be applied.**", "");
  else if (steps.length === 0) head.push("No changes.", "");
  else head.push(`Plan: ${countsOf(steps)}.`, "");
  const told = [...errors, ...warnings].map(
    ({ severity, message = "" }) => `- ${severity}: ${inline(message.trim())}`,
  );
  if (told.length > 0) head.push(...told, "");
  const parts = steps.map((one) => partOf(one).join("\n"));
  let report = head.join("\n");
  for (const [at, part] of parts.entries()) {
    if (report.length + part.length > REPORT) return `${report}\n… and ${parts.length - at} more\n`;
    report += `${part}\n`;
  }
  return report;
}

function partOf({ urn, op, from, to, replaces }) {
  const lines = [`**${op}** ${inline(urn.split("::").slice(-2).join(" "))}`, ""];
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])].sort();
  const rows = names
    .filter((name) => text(from[name]) !== text(to[name]))
    .map((name) => `| ${inline(name)} | ${shown(from[name])} | ${shown(to[name])} |`);
  if (op !== "delete" && rows.length > 0)
    lines.push("| property | current | new |", "| --- | --- | --- |", ...rows, "");
  if (replaces.length > 0) lines.push(`Replaced because of ${replaces.map(inline).join(", ")}`, "");
  return lines;
}

function countsOf(steps) {
  const counts = new Map();
  for (const { op } of steps) counts.set(op, (counts.get(op) ?? 0) + 1);
  return [...counts].map(([op, count]) => `${count} to ${op}`).join(", ");
}

/** The inputs of the program, without those that the SDK adds. Their names begin with two underscores. */
function ownIn(inputs = {}) {
  const names = Object.keys(inputs).filter((name) => !name.startsWith("__"));
  return Object.fromEntries(names.map((name) => [name, inputs[name]]));
}

const keyOf = ({ urn, op }) => JSON.stringify([urn, op]);

/** JSON with sorted members, so that equal values have equal text. */
function text(value) {
  return JSON.stringify(value, (_, part) =>
    part !== null && typeof part === "object" && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
}

function shown(value) {
  if (value === undefined) return "(none)";
  const whole = text(value).replaceAll(UNKNOWN, "(known later)");
  return inline(whole.length > VALUE ? `${whole.slice(0, VALUE)}…` : whole);
}

/** Markdown code in one line, with escapes, so that the text cannot end the code span, the table cell or the line. */
function inline(value) {
  const line = String(value).replaceAll(/\s+/g, " ").replaceAll("|", "\\|");
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return longest === 0 ? `${fence}${line}${fence}` : `${fence} ${line} ${fence}`;
}
