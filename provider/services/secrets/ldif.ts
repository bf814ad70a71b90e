import { isUtf8 } from "node:buffer";
import type { Spelling } from "../../core";

/**
 * LDIF, or base64 of it: one value (specification: Directory dynamic role, "LDIF values given base64-encoded on write are
 * returned decoded"). It travels as it was written, and nothing is refused: what is LDIF, the service says.
 */
export const ldif: Spelling = {
  name: "LDIF or base64 of it",
  canonical: (value) => (typeof value === "string" ? decoded(value) : value),
};

function decoded(text: string): string {
  const compact = text.replace(/\s/g, "");
  const isBase64 = compact !== "" && compact.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(compact);
  const bytes = Buffer.from(isBase64 ? compact : "", "base64");
  const plain = isUtf8(bytes) ? bytes.toString("utf8") : "";
  // LDIF is text, every entry of it has a colon, and no base64 has any: other text that happens to look like base64 stays as it is.
  return plain.includes(":") ? plain : text;
}
