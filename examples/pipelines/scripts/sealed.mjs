// Encrypts the plan between the review and the merge, and detects changes to it.
import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from "node:crypto";
import { Failed } from "./run.mjs";

const CIPHER = "aes-256-gcm";

/** Encrypts a text with a passphrase. */
export function sealed(text, passphrase) {
  const salt = randomBytes(16);
  const nonce = randomBytes(12);
  const cipher = createCipheriv(CIPHER, scryptSync(passphrase, salt, 32), nonce);
  const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([salt, nonce, cipher.getAuthTag(), body]).toString("base64");
}

/** Decrypts a text. It fails if the text was changed. */
export function opened(text, passphrase) {
  const bytes = Buffer.from(text, "base64");
  try {
    const key = scryptSync(passphrase, bytes.subarray(0, 16), 32);
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(16, 28), { authTagLength: 16 });
    decipher.setAuthTag(bytes.subarray(28, 44));
    return Buffer.concat([decipher.update(bytes.subarray(44)), decipher.final()]).toString("utf8");
  } catch {
    throw new Failed(
      "the encrypted plan was modified, or it was encrypted with a different PIPELINE_PLAN_KEY",
    );
  }
}
