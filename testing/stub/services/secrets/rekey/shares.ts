import { invalid } from "../errors";
import type { Fields } from "../fields";

/** A share is as long as a key, or one byte longer if the key is split into several. */
const FEWEST_BYTES = 16;
const MOST_BYTES = 33;

/** The share in a body, in base64, after the checks that updates and verifications have in common. */
export function readShare(
  fields: Fields,
  nonce: string,
  given: readonly string[],
  operation: "rekey" | "verify" = "rekey",
): string {
  const key = fields.string("key") ?? "";
  if (key === "") throw invalid("'key' must be specified in request body as JSON");
  const share = toBase64(key);
  const { length } = Buffer.from(share, "base64");
  if (length < FEWEST_BYTES) throw invalid(`key is shorter than minimum ${FEWEST_BYTES} bytes`);
  if (length > MOST_BYTES) throw invalid(`key is longer than maximum ${MOST_BYTES} bytes`);
  const told = fields.string("nonce") ?? "";
  if (told !== nonce) {
    throw invalid(`incorrect nonce supplied; nonce for this ${operation} operation is "${nonce}"`);
  }
  if (given.includes(share)) {
    throw invalid(`given key has already been provided during this ${operation} operation`);
  }
  return share;
}

/**
 * The reason why shares cannot be combined, independent of their values; undefined if they yield some key, right or wrong.
 */
export function misfit(shares: readonly string[]): string | undefined {
  const lengths = new Set(shares.map((share) => Buffer.from(share, "base64").length));
  if (lengths.size > 1) return "all parts must be the same length";
  return new Set(shares).size < shares.length ? "duplicate part detected" : undefined;
}

/** Accepts a share in base64 or in hex. */
function toBase64(key: string): string {
  if (/^([0-9a-f]{2})+$/i.test(key)) return Buffer.from(key, "hex").toString("base64");
  if (/^[A-Za-z0-9+/]+={0,2}$/.test(key)) return key;
  throw invalid("'key' must be a valid hex or base64 string");
}
