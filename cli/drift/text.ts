import { styleText } from "node:util";
import { COLUMNS, columnWidths, hangValue, hangWords, indentWords, rowLine, rowLines } from "../columns";
import { plural } from "../plural";
import { visible, visibleIn } from "../visible";
import {
  type DriftReport,
  type MovedField,
  PASSED_OVER,
  type ResourceReport,
  stackIn,
  summaryOf,
  timeInWords,
} from "./report";

/** The maximum width of a column: a longer value shifts or wraps the rest of its row. */
const WIDEST_CELL = 32;

/** Formats a report for a terminal; with colors only if the output is a terminal. */
export function driftText(
  report: DriftReport,
  { verbose = false }: { readonly verbose?: boolean },
): string[] {
  const { resources, requests, seconds } = report;
  const stack = stackIn(report);
  const shown = resources.filter(({ verdict }) => verbose || verdict !== "in sync");
  const header = ["VERDICT", "TYPE", "NAME", "ID"];
  const widths = columnWidths([header, ...shown.map(cellsOf)], WIDEST_CELL);
  const head = stack === undefined ? "" : `${visible(stack)}: `;
  return [
    ...(shown.length === 0 ? [] : rowLines(header, widths)),
    ...shown.flatMap((resource) => [...resourceText(resource, verbose, widths), ""]),
    ...hangWords(head, `${summaryOf(report)} (${plural(requests, "request")}, ${seconds.toFixed(1)} s)`, 2),
  ];
}

const COLORS = {
  "in sync": "green",
  drifted: "yellow",
  ignored: "gray",
  missing: "red",
  unreadable: "red",
} as const;

const cellsOf = ({ verdict, type, name, id }: ResourceReport) => [verdict, type, name, id].map(visible);

/**
 * Formats one resource in lines.
 * @param widths the widths of the columns of its first line
 * @param time the time in front of its first line
 */
export function resourceText(
  resource: ResourceReport,
  verbose: boolean,
  widths: readonly number[] = [],
  time?: string,
): string[] {
  const { verdict, fields, when, why, ignored, settings } = visibleIn(resource);
  const cells = time === undefined ? cellsOf(resource) : [time, ...cellsOf(resource)];
  const [first = "", ...more] = rowLines(cells, widths);
  return [
    first.replace(verdict, styleText(COLORS[verdict], verdict)),
    ...more,
    ...(ignored === undefined ? [] : [`  missing (ignored: ${PASSED_OVER[ignored]})`]),
    ...(when === undefined ? [] : [`  last written ${timeInWords(when)}`]),
    ...(fields === undefined ? [] : fieldTable(fields)),
    ...(why === undefined ? [] : indentWords(why, 2)),
    ...(verbose ? indentWords(`settings: ${settings}`, 2) : []),
  ];
}

/** A table of the fields. If a row is too long, each value gets its own line. */
function fieldTable(fields: readonly MovedField[]): string[] {
  const rows = fields.map(({ field, was, is, ignored }) => [
    ignored === undefined ? `  ${field}` : `  ${field} (ignored: ${PASSED_OVER[ignored]})`,
    was,
    is,
  ]);
  const table = [["  field", "was", "is"], ...rows];
  const widths = columnWidths(table, COLUMNS);
  const lines = table.map((row) => rowLine(row, widths));
  if (lines.every((line) => line.length <= COLUMNS)) return lines;
  return rows.flatMap(([field = "", was = "", is = ""]) => [
    ...hangValue("  ", field.trimStart()),
    ...hangValue("    was  ", was),
    ...hangValue("    is   ", is),
  ]);
}
