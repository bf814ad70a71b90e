import { isUtf8 } from "node:buffer";
import type { Spelling } from "../../core";

/**
 * LDIF and its base64 form are one value (specification: Directory dynamic role, "LDIF values given base64-encoded on write
 * are returned decoded"). Requests send it as written. The server, not this spelling, rejects invalid LDIF.
 */
export const ldif: Spelling = {
  doc: "Also accepts the LDIF encoded as base64.",
  canonical: (value) => (typeof value === "string" ? decodeLdif(value) : value),
};

function decodeLdif(text: string): string {
  const compact = text.replace(/\s/g, "");
  const isBase64 = compact !== "" && compact.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(compact);
  const bytes = Buffer.from(isBase64 ? compact : "", "base64");
  const plain = isUtf8(bytes) ? bytes.toString("utf8") : "";
  // Every LDIF entry contains a colon, and base64 never does. Other text that looks like base64 stays unchanged.
  return plain.includes(":") ? plain : text;
}
