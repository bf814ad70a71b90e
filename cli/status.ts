import { styleText } from "node:util";
import { hangWords } from "./columns";

/** `WARN`: works but may surprise. `FAIL`: must be fixed. `SKIP`: was not checked, or could not be. */
export type Status = "OK" | "WARN" | "FAIL" | "SKIP";

const COLORS = { OK: "green", WARN: "yellow", FAIL: "red", SKIP: "gray" } as const;

/** The width of the status column. */
const WIDTH = "SKIP".length;

/** A line with a status. */
export interface StatusLine {
  readonly status: Status;
  /** The subject, in a column of its own. */
  readonly what: string;
  readonly message: string;
}

/** Where a status line is printed, and its layout. */
export interface StatusLayout {
  /** The width of the column of subjects. */
  readonly width: number;
  readonly indent?: number;
  /** The stream that decides about colors. Default: standard output. */
  readonly stream?: NodeJS.WriteStream;
}

/** The indentation of the message of a status line. */
export const messageIndent = ({ width, indent = 0 }: StatusLayout): number => indent + WIDTH + width + 4;

/** Formats a status line: the status, the subject and the message, wrapped with a hanging indent. */
export function statusLines({ status, what, message }: StatusLine, layout: StatusLayout): string[] {
  const { width, indent = 0, stream = process.stdout } = layout;
  const before = " ".repeat(indent);
  const head = `${before}${status.padEnd(WIDTH)}  ${what.padEnd(width)}  `;
  const [first = "", ...rest] = hangWords(head, message, messageIndent(layout));
  const colored = styleText(COLORS[status], status.padEnd(WIDTH), { stream });
  return [before + colored + first.slice(indent + WIDTH), ...rest];
}
