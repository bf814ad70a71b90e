/** The CLI examines a value if its key or its path contains one of these words. */
const EXAMINED = /passwd|pass|pwd|secret|token/i;

/** The bytes of a value that the CLI examines, and the bits of entropy from which it refuses them. */
const EXAMINED_BYTES = 16;
const REFUSED_BITS = 40;

/** Kinds of characters, each with the number of characters that the CLI's estimate counts for it. */
const KINDS: readonly (readonly [kind: RegExp, size: number])[] = [
  [/\p{Ll}/u, 26],
  [/\p{Lu}/u, 26],
  [/\p{Nd}/u, 10],
  [/[^\p{Ll}\p{Lu}\p{Nd}]/u, 33],
];

/**
 * Returns true if the CLI may refuse a plain value because it looks like a secret. The CLI estimates the entropy of the
 * value's beginning with zxcvbn. Because zxcvbn knows dictionaries and keyboard patterns, its estimate is at most the
 * entropy of random characters. This engine has no dictionaries and uses that upper bound: it refuses everything that the
 * CLI refuses, and some long words that the CLI accepts.
 *
 * @param name the key without its namespace, with the path in it
 */
export function mayLookLikeSecret(name: string, value: string): boolean {
  if (!EXAMINED.test(name)) return false;
  const bytes = Buffer.from(value).subarray(0, EXAMINED_BYTES);
  const text = bytes.toString();
  const cardinality = KINDS.reduce((sum, [kind, size]) => sum + (kind.test(text) ? size : 0), 0);
  // Every kind has more than 3 bits per character, so this threshold implies the CLI's second threshold.
  return bytes.length * Math.log2(Math.max(cardinality, 1)) >= REFUSED_BITS;
}
