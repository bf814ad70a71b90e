import { createHash } from "node:crypto";
import { invalid } from "../errors";

/** A PGP key for which a share is encrypted. */
export interface PgpKey {
  readonly fingerprint: string;
}

/**
 * Parses a key from base64. The mock server does not encrypt: it returns {@link encryptShare}, which contains the share in plain
 * text for tests. The fingerprint is a hash of the key's bytes.
 */
export function pgpKey(given: string): PgpKey {
  const base64 = given.replace(/[\r\n]/g, "");
  if (base64 === "" || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) {
    throw invalid("pgp_keys must be base64 of binary PGP public keys");
  }
  return { fingerprint: createHash("sha1").update(Buffer.from(base64, "base64")).digest("hex") };
}

/** `pgp:<fingerprint>:<share in base64>`, instead of an encrypted share. */
export function encryptShare(share: string, { fingerprint }: PgpKey): Buffer {
  return Buffer.from(`pgp:${fingerprint}:${share}`, "utf8");
}
