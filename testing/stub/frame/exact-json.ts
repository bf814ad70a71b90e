import { parse, stringify } from "lossless-json";

/** Reads JSON with every integer exact: one beyond ±2^53 becomes a bigint. Throws a SyntaxError. */
export function parseExactly(text: string): unknown {
  // Without a run of sixteen digits the native parser, which is much faster, is exact.
  return /\d{16}/.test(text) ? parse(text, null, EXACT) : JSON.parse(text);
}

/** Writes JSON with every bigint as a plain number. */
export function formatExactly(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "null";
  } catch {
    // The native writer, which is much faster, refuses a bigint; anything else is refused again here.
    return stringify(value) ?? "null";
  }
}

const EXACT = {
  parseNumber: (text: string): number | bigint => {
    const value = Number(text);
    return /^-?\d+$/.test(text) && !Number.isSafeInteger(value) ? BigInt(text) : value;
  },
  onDuplicateKey: ({ newValue }: { newValue: unknown }) => newValue,
};
