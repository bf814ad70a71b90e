/** Parses JSON without rounding integers: one beyond ±2^53 becomes a bigint. Throws a SyntaxError. */
export function parseExactly(text: string): unknown {
  // Without a run of sixteen digits the plain parser, which is much faster, is exact.
  return /\d{16}/.test(text) ? EXACT.parse(text, exactly) : JSON.parse(text);
}

/** Formats JSON with every bigint as a plain number. */
export function formatExactly(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "null";
  } catch {
    // `JSON.stringify` rejects a bigint; this call rejects everything else that it rejects.
    return JSON.stringify(value, exactText) ?? "null";
  }
}

/** Node passes a number's source text to a reviver and can write raw JSON; TypeScript's library lacks both. */
const EXACT = JSON as unknown as {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown;
  rawJSON(text: string): unknown;
};

function exactly(_: string, value: unknown, { source = "" }: { readonly source?: string }): unknown {
  if (typeof value !== "number" || Number.isSafeInteger(value) || !/^-?\d+$/.test(source)) return value;
  return BigInt(source);
}

function exactText(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? EXACT.rawJSON(String(value)) : value;
}
