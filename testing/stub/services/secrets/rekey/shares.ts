import { invalid } from "../errors";
import type { Fields } from "../fields";

/** The share that a body gives, in base64, after the checks that an update and a verification share. */
export function readShare(
  fields: Fields,
  nonce: string,
  given: readonly string[],
  operation: "rekey" | "verify" = "rekey",
): string {
  const key = fields.string("key") ?? "";
  if (key === "") throw invalid("'key' must be specified in request body as JSON");
  const share = toBase64(key);
  const told = fields.string("nonce") ?? "";
  if (told !== nonce) {
    throw invalid(`incorrect nonce supplied; nonce for this ${operation} operation is "${nonce}"`);
  }
  if (given.includes(share)) {
    throw invalid(`given key has already been provided during this ${operation} operation`);
  }
  return share;
}

/** A share comes in base64 or in hex. */
function toBase64(key: string): string {
  if (/^([0-9a-f]{2})+$/i.test(key)) return Buffer.from(key, "hex").toString("base64");
  if (/^[A-Za-z0-9+/]+={0,2}$/.test(key)) return key;
  throw invalid("'key' must be a valid hex or base64 string");
}
