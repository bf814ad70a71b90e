import { styleText } from "node:util";
import { visibleIn } from "../visible";
import type { Diagnosis, Finding } from "./report";

const COLOURS = { OK: "green", WARN: "yellow", FAIL: "red", SKIP: "gray" } as const;

/** The minimum width of a terminal. */
const COLUMNS = 80;

/** Formats a diagnosis for a terminal; with colours only if the output is a terminal. */
export function diagnosisText(diagnosis: Diagnosis): string[] {
  const { findings } = visibleIn(diagnosis);
  const groups = Map.groupBy(findings, ({ about }) => about);
  const width = Math.max(0, ...findings.map(({ what }) => what.length));
  const counts = Map.groupBy(findings, ({ status }) => status);
  const count = (status: Finding["status"]) => counts.get(status)?.length ?? 0;
  return [
    ...[...groups].flatMap(([about, own]) => [about, ...own.flatMap((one) => linesOf(one, width)), ""]),
    `${count("FAIL")} failed, ${count("WARN")} warnings, ${count("SKIP")} skipped, ${count("OK")} OK`,
  ];
}

function linesOf({ what, status, message, advice, command }: Finding, width: number): string[] {
  const indent = " ".repeat("  SKIP  ".length + width + 2);
  const [first = "", ...rest] = wrap(message, COLUMNS - indent.length);
  const more = advice === undefined ? [] : wrap(advice, COLUMNS - indent.length);
  return [
    `  ${styleText(COLOURS[status], status.padEnd("SKIP".length))}  ${what.padEnd(width)}  ${first}`,
    ...[...rest, ...more].map((line) => indent + line),
    // A command stays on one line, so that it can be copied.
    ...(command === undefined ? [] : [`${indent}Run: ${command}`]),
  ];
}

/** Wraps a text at this width; a longer word gets its own line. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/)) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
