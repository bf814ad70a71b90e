import { styleText } from "node:util";
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

/** Formats a report for a terminal; with colours only if the output is a terminal. */
export function driftText(
  report: DriftReport,
  { verbose = false }: { readonly verbose?: boolean },
): string[] {
  const { resources, requests, seconds } = report;
  const known = stackIn(report);
  const stack = known === undefined ? undefined : visible(known);
  const told = resources.filter(({ verdict }) => verbose || verdict !== "in sync");
  const name = stack === undefined ? "" : `${stack}: `;
  return [
    ...told.flatMap((resource) => [...resourceText(resource, verbose), ""]),
    `${name}${summaryOf(report)} (${requests} requests, ${seconds.toFixed(1)} s)`,
  ];
}

const COLOURS = {
  "in sync": "green",
  drifted: "yellow",
  ignored: "gray",
  missing: "red",
  unreadable: "red",
} as const;

/** Formats one resource in lines. */
export function resourceText(resource: ResourceReport, verbose: boolean) {
  const { verdict, type, name, id, fields, when, why, ignored, settings } = visibleIn(resource);
  const head = `${styleText(COLOURS[verdict], verdict)}  ${type} ${JSON.stringify(name)} (${id})`;
  return [
    head,
    ...(ignored === undefined ? [] : [`  missing, ${PASSED_OVER[ignored]}`]),
    ...(when === undefined ? [] : [`  last written ${timeInWords(when)}`]),
    ...(fields === undefined ? [] : fieldTable(fields)),
    ...(why === undefined ? [] : why.split("\n").map((line) => `  ${line}`)),
    ...(verbose ? [`  settings: ${settings}`] : []),
  ];
}

function fieldTable(fields: readonly MovedField[]): string[] {
  const rows = fields.map(({ field, was, is, ignored }) => [
    ignored === undefined ? field : `${field} (ignored: ${PASSED_OVER[ignored]})`,
    was,
    is,
  ]);
  const table = [["field", "was", "is"], ...rows];
  const widths = [0, 1].map((column) =>
    Math.min(LONGEST, Math.max(...table.map((row) => (row[column] ?? "").length))),
  );
  return table.map((row) =>
    `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")}`.trimEnd(),
  );
}

/** The width of the value column: a longer value shifts the next column. */
const LONGEST = 60;
