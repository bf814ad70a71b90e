import { columnWidths, indentWords, rowLines } from "../columns";
import { type Status, type StatusLine, statusLines } from "../status";
import { visibleIn } from "../visible";
import type { ListReport, Unlisted, UnmanagedObject } from "./report";

/** Options of the text of a list. */
interface ListTextOptions {
  readonly verbose?: boolean;
  /** The stream that decides about colors. Default: standard output. */
  readonly stream?: NodeJS.WriteStream;
}

/** The maximum widths of the columns: a longer value shifts or wraps the rest of its row. */
const WIDEST_CELL = 40;
const WIDEST_SUBJECT = 32;

/** Formats a list for a terminal; with colors only if the output is a terminal. */
export function listText(report: ListReport, options: ListTextOptions): string[] {
  const { found, apart, known } = visibleIn(report);
  const rows = found.map(({ type, id, name }) => [type, id, name]);
  const table = rows.length === 0 ? [] : [["TYPE", "ID", "NAME"], ...rows];
  const widths = columnWidths(table, WIDEST_CELL);
  const sections = [table.flatMap((row) => rowLines(row, widths)), ...sectionsOf(report, options)];
  return [
    ...sections.flatMap((lines) => (lines.length === 0 ? [] : [...lines, ""])),
    `${found.length} unmanaged, ${known} managed, ${apart.length} not importable`,
  ];
}

/** Formats the rest of a list: objects that cannot be imported, errors, skipped types and notes. */
export function omissionsText(report: ListReport, options: ListTextOptions): string[] {
  return sectionsOf(report, options).flat();
}

function sectionsOf(report: ListReport, { verbose = false, stream = process.stdout }: ListTextOptions) {
  const { absent, apart, unconfigured, unread, unlistable, notes } = visibleIn(report);
  const status = (word: Status, reason = "") => {
    return ({ of, why }: Unlisted): StatusLine => ({ status: word, what: of, message: reason + why });
  };
  const lines = [
    ...unread.map(status("FAIL")),
    ...absent.map(status("SKIP")),
    ...unconfigured.map(status("SKIP", "not configured: ")),
    ...(verbose ? unlistable.map(status("SKIP", "no list: ")) : []),
    ...notes.map((message): StatusLine => ({ status: "WARN", what: "", message })),
  ];
  const subjects = lines.map(({ what }) => what.length);
  const width = Math.min(WIDEST_SUBJECT, Math.max(0, ...subjects));
  return [
    apart.length === 0 ? [] : ["Not importable:", ...apart.flatMap(apartText)],
    lines.flatMap((line) => statusLines(line, { width, stream })),
  ];
}

function apartText({ type, id, why }: UnmanagedObject & { readonly why: string }): string[] {
  return [...rowLines([`  ${type}`, id], [], 4), ...indentWords(why, 4)];
}
