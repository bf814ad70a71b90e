import type { SentSubmission } from "./job-store";
import { map, struct, text } from "./shape/field";

/** The body's field `Submission`. */
export const submissionShape = struct({
  Source: text(),
  Format: text(),
  VariableFlags: map(text()),
  Variables: text(),
});

type GivenSubmission = Exclude<ReturnType<typeof submissionShape.read>, undefined>;

/**
 * Returns the submission to store, or a warning if it is too large. Flags are stored, and returned, escaped as in a URL's
 * query.
 */
export function admitSubmission(
  given: GivenSubmission | undefined,
  largest: number,
): { readonly submission?: SentSubmission; readonly warnings: readonly string[] } {
  if (given === undefined) return { warnings: [] };
  const filled = submissionShape.fill(given);
  const flags = Object.entries(filled.VariableFlags ?? {}).map(
    ([name, value]) => [name, escapeQuery(value)] as const,
  );
  const size = [filled.Source, filled.Variables, ...flags.flat()]
    .map((part) => Buffer.byteLength(part))
    .reduce((sum, part) => sum + part, 0);
  if (size > largest) {
    const warning = `job source size of ${humanBytes(size)} exceeds maximum of ${humanBytes(largest)} and will be discarded`;
    return { warnings: [warning] };
  }
  return {
    submission: {
      Source: filled.Source,
      Format: filled.Format,
      Variables: filled.Variables,
      VariableFlags: flags.length === 0 ? null : Object.fromEntries(flags),
    },
    warnings: [],
  };
}

function escapeQuery(value: string): string {
  return encodeURIComponent(value)
    .replaceAll("%20", "+")
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** The inverse of {@link escapeQuery}. */
export function unescapeQuery(escaped: string): string {
  return decodeURIComponent(escaped.replaceAll("+", " "));
}

/** Decimal units with one digit below ten, as in `1.0 MB`. */
function humanBytes(bytes: number): string {
  const units = ["B", "kB", "MB", "GB"];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const value = bytes / 1000 ** power;
  return `${power > 0 && value < 10 ? value.toFixed(1) : Math.round(value)} ${units[power]}`;
}
