import { hangWords, indentWords } from "./columns";

/** The end of the help of a command. */
interface HelpSections {
  readonly notes?: string;
  /** Complete commands. */
  readonly examples: readonly string[];
  /** The meaning of each exit code except 64, which every command has. */
  readonly exitCodes: Readonly<Record<number, string>>;
}

/** The exit code for wrong usage; no command returns it as a result. */
export const USAGE_ERROR = 64;

/** Formats the end of the help of a command, for `addHelpText`. */
export function helpSections({ notes, examples, exitCodes }: HelpSections): string {
  const codes = Object.entries({ ...exitCodes, [USAGE_ERROR]: "Usage error" });
  return [
    ...(notes === undefined ? [] : ["", ...indentWords(notes, 0)]),
    "",
    "Examples:",
    ...examples.map((example) => `  ${example}`),
    "",
    "Exit codes:",
    ...codes.flatMap(([code, meaning]) => hangWords(`  ${code.padEnd(4)}`, meaning, 6)),
  ].join("\n");
}
