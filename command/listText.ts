import { styleText } from "node:util";
import type { FoundObject, ListReport, Unlisted } from "../discover/report";

/** A list as a person reads it on a terminal; in colours only where it is one. */
export function listText(report: ListReport, { verbose = false }: { readonly verbose?: boolean }): string[] {
  const { found, apart, known, unconfigured, unread, unlistable, notes } = report;
  return [
    ...found.map(lineOf),
    ...part(
      "\nNever imported:",
      apart.map((object) => `  ${lineOf(object)}: ${object.why}`),
    ),
    ...part("\nCould not be listed:", unread.map(reason("red"))),
    ...part("\nNot asked:", unconfigured.map(reason("gray"))),
    ...(verbose ? part("\nIn no list:", unlistable.map(reason("gray"))) : []),
    ...part(
      "\nThe services say:",
      notes.map((note) => `  ${note}`),
    ),
    ...(found.length + apart.length + unread.length + unconfigured.length > 0 ? [""] : []),
    `${found.length} in no state, ${known} in the state, ${apart.length} never imported`,
  ];
}

const part = (title: string, lines: readonly string[]) => (lines.length === 0 ? [] : [title, ...lines]);

const lineOf = ({ type, id, name }: FoundObject) =>
  `${type}  ${id}${name === "" || id.endsWith(name) ? "" : `  ${JSON.stringify(name)}`}`;

const reason =
  (colour: "red" | "gray") =>
  ({ of, why }: Unlisted) =>
    `  ${styleText(colour, of)}: ${why}`;
