// A plan on its way from the review to the merge: encrypted, and known to be just what was sealed.
import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from "node:crypto";
import { Failed } from "./run.mjs";

const CIPHER = "aes-256-gcm";

/** A text that only who has the same passphrase can read. */
export function sealed(text, passphrase) {
  const salt = randomBytes(16);
  const nonce = randomBytes(12);
  const cipher = createCipheriv(CIPHER, scryptSync(passphrase, salt, 32), nonce);
  const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([salt, nonce, cipher.getAuthTag(), body]).toString("base64");
}

/** The text again; whatever was changed on the way is refused. */
export function opened(text, passphrase) {
  const bytes = Buffer.from(text, "base64");
  try {
    const key = scryptSync(passphrase, bytes.subarray(0, 16), 32);
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(16, 28), { authTagLength: 16 });
    decipher.setAuthTag(bytes.subarray(28, 44));
    return Buffer.concat([decipher.update(bytes.subarray(44)), decipher.final()]).toString("utf8");
  } catch {
    throw new Failed("the plan was changed on its way, or sealed with another PIPELINE_PLAN_KEY");
  }
}
