import { styleText } from "node:util";
import { visibleIn } from "../visible";
import type { FoundObject, ListReport, Unlisted } from "./report";

interface ListTextOptions {
  readonly verbose?: boolean;
}

/** Formats a list for a terminal; with colours only if the output is a terminal. */
export function listText(report: ListReport, options: ListTextOptions): string[] {
  const { found, apart, known } = visibleIn(report);
  const lines = [...found.map(lineOf), ...besideFound(report, options)];
  return [
    ...lines,
    ...(lines.length > 0 ? [""] : []),
    `${found.length} in no state, ${known} in the state, ${apart.length} never imported`,
  ];
}

/** The lines after the found objects: other objects, errors and notes. */
export function besideFound(report: ListReport, { verbose = false }: ListTextOptions): string[] {
  const { absent, apart, unconfigured, unread, unlistable, notes } = visibleIn(report);
  return [
    ...part(
      "\nNever imported:",
      apart.map((object) => `  ${lineOf(object)}: ${object.why}`),
    ),
    ...part("\nCould not be listed:", unread.map(reason("red"))),
    ...part("\nNot there:", absent.map(reason("gray"))),
    ...part("\nNot asked:", unconfigured.map(reason("gray"))),
    ...(verbose ? part("\nIn no list:", unlistable.map(reason("gray"))) : []),
    ...part(
      "\nThe services say:",
      notes.map((note) => `  ${note}`),
    ),
  ];
}

const part = (title: string, lines: readonly string[]) => (lines.length === 0 ? [] : [title, ...lines]);

const lineOf = ({ type, id, name }: FoundObject) =>
  `${type}  ${id}${name === "" || id.endsWith(name) ? "" : `  ${JSON.stringify(name)}`}`;

const reason =
  (colour: "red" | "gray") =>
  ({ of, why }: Unlisted) =>
    `  ${styleText(colour, of)}: ${why}`;
