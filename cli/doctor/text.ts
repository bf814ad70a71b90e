import { indentWords } from "../columns";
import { plural } from "../plural";
import { messageIndent, type Status, statusLines } from "../status";
import { visibleIn } from "../visible";
import type { Diagnosis, Finding } from "./report";

/** Formats a diagnosis for a terminal; with colors only if the output is a terminal. */
export function diagnosisText(diagnosis: Diagnosis): string[] {
  const { findings } = visibleIn(diagnosis);
  const groups = Map.groupBy(findings, ({ about }) => about);
  const width = Math.max(0, ...findings.map(({ what }) => what.length));
  const counts = Map.groupBy(findings, ({ status }) => status);
  const count = (status: Status) => counts.get(status)?.length ?? 0;
  return [
    ...[...groups].flatMap(([about, own]) => [about, ...own.flatMap((one) => linesOf(one, width)), ""]),
    `${count("FAIL")} failed, ${plural(count("WARN"), "warning")}, ${count("SKIP")} skipped, ${count("OK")} OK`,
  ];
}

function linesOf(finding: Finding, width: number): string[] {
  const { advice, command } = finding;
  const layout = { width, indent: 2 };
  const indent = " ".repeat(messageIndent(layout));
  return [
    ...statusLines(finding, layout),
    ...(advice === undefined ? [] : indentWords(advice, indent.length)),
    // A command stays on one line, so that it can be copied.
    ...(command === undefined ? [] : [`${indent}Run: ${command}`]),
  ];
}
