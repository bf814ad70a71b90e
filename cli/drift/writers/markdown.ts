import { excerpt } from "../../../provider/core/state/conflictTable";
import { plural } from "../../plural";
import { visible } from "../../visible";
import {
  type DriftReport,
  inOrder,
  type MovedField,
  PASSED_OVER,
  type ResourceReport,
  stackIn,
  summaryOf,
  timeInWords,
  WORDS,
} from "../report";

/** GitHub limits a comment on a pull request to 65,536 characters; the rest is left for the surrounding text. */
const MOST_CHARACTERS = 60_000;

/** The length at which a value is cut. */
const LONGEST_VALUE = 200;

/** Writes a report as Markdown for a comment or the summary of a CI run: counts, and a table for each changed resource. */
export function markdownOf(report: DriftReport): string {
  const stack = stackIn(report);
  const title = stack === undefined ? "# Drift" : `# Drift of ${code(stack)}`;
  const counted = WORDS.filter((word) => report.counts[word] > 0);
  const counts = [
    "| verdict | resources |",
    "| --- | ---: |",
    ...counted.map((word) => `| ${word} | ${report.counts[word]} |`),
  ];
  const shown = inOrder(report).filter(({ verdict }) => verdict !== "in sync");
  const head = [
    title,
    "",
    `**${summaryOf(report)}**`,
    "",
    ...(counted.length > 0 ? [...counts, ""] : []),
  ].join("\n");
  const foot = `\n${report.at}, ${plural(report.requests, "request")} in ${report.seconds.toFixed(1)} s\n`;
  const parts: string[] = [];
  let left = MOST_CHARACTERS - head.length - foot.length;
  for (const [index, verdict] of shown.entries()) {
    const part = section(verdict);
    left -= part.length;
    if (left < 100) {
      parts.push(`\nand ${shown.length - index} more, omitted to limit the length of this report\n`);
      break;
    }
    parts.push(part);
  }
  return head + parts.join("") + foot;
}

function section(verdict: ResourceReport): string {
  const { type, id, name, fields = [], why, when, ignored } = verdict;
  const more = [
    id === "" || id === name ? undefined : code(id),
    when && `last written ${timeInWords(when)}`,
    ignored && PASSED_OVER[ignored],
  ];
  const also = more.filter((text) => text !== undefined && text !== "").join(", ");
  const lines = [`\n## ${verdict.verdict}: ${code(type)} ${code(name)}`, ...(also === "" ? [] : ["", also])];
  if (fields.length > 0) lines.push("", "| field | was | is |", "| --- | --- | --- |", ...fields.map(row));
  // Text from a server must not be rendered as Markdown.
  if (why !== undefined)
    lines.push("", ...why.split(/\r?\n/).map((line) => (line === "" ? ">" : `> ${code(line)}`)));
  return `${lines.join("\n")}\n`;
}

function row({ field, was, is, ignored }: MovedField): string {
  const name = ignored === undefined ? code(field) : `${code(field)} *ignored: ${PASSED_OVER[ignored]}*`;
  return `| ${name} | ${code(excerpt(was, is, LONGEST_VALUE))} | ${code(excerpt(is, was, LONGEST_VALUE))} |`;
}

/** Formats a text as inline code on one line, whatever characters it contains; also inside a table. */
function code(text: string): string {
  const line = visible(text.replace(/[\r\n\t\u2028\u2029]+/g, " "));
  if (line.trim() === "") return "` `";
  // Renderers disagree about a backslash before the bar that ends a table cell.
  if (line.includes("|") && line.includes("\\")) return `<code>${byNumber(line)}</code>`;
  const shown = line.replaceAll("|", "\\|");
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const space = longest > 0 || shown.startsWith(" ") || shown.endsWith(" ") ? " " : "";
  return `${fence}${space}${shown}${space}${fence}`;
}

/** Writes every character with a meaning in Markdown as a character reference. */
function byNumber(text: string): string {
  return text.replace(/[!-/:-@[-`{-~]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
