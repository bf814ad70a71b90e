import { createCipheriv, createDecipheriv, createHash, pbkdf2, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { Refusal } from "../refusal";

/** Encrypts and decrypts texts. */
export interface Crypter {
  encrypt(plaintext: string): string;
  decrypt(ciphertext: string): string;
}

/** The CLI's `passphrase` secrets provider: AES-256-GCM under a key that PBKDF2 derives from a passphrase. */
export interface SecretsProvider {
  /** The salt in the stack's settings and its checkpoint: `v1:<salt>:` and an encrypted known text. */
  readonly salt: string;
  readonly crypter: Crypter;
}

/** The passphrase does not match the salt. */
export class IncorrectPassphrase extends Refusal {
  constructor() {
    super("incorrect passphrase");
    this.name = "IncorrectPassphrase";
  }
}

const ITERATIONS = 1_000_000;
const KNOWN_TEXT = "pulumi";

/** Opens the secrets provider of a stack that has a salt. */
export async function openProvider(salt: string, passphrase: string): Promise<SecretsProvider> {
  const [version, saltText, ...check] = salt.split(":");
  if (version !== "v1" || saltText === undefined) throw new Refusal("unknown state version");
  const crypter = crypterOf(await keyOf(passphrase, Buffer.from(saltText, "base64")));
  try {
    if (crypter.decrypt(check.join(":")) === KNOWN_TEXT) return { salt, crypter };
  } catch {
    // A decryption error also means a wrong passphrase.
  }
  throw new IncorrectPassphrase();
}

/** Creates a secrets provider for a stack without a salt. */
export async function createProvider(passphrase: string): Promise<SecretsProvider> {
  const salt = randomBytes(8);
  const crypter = crypterOf(await keyOf(passphrase, salt));
  return { salt: `v1:${salt.toString("base64")}:${crypter.encrypt(KNOWN_TEXT)}`, crypter };
}

/** Reads the passphrase from the environment or from the file that it names. */
export function readPassphrase(
  environment: Readonly<Record<string, string | undefined>>,
  workingDirectory: string,
): string {
  const passphrase = environment.PULUMI_CONFIG_PASSPHRASE;
  if (passphrase !== undefined) return passphrase;
  const file = environment.PULUMI_CONFIG_PASSPHRASE_FILE;
  if (file) {
    try {
      return readFileSync(resolve(workingDirectory, file), "utf8").trim();
    } catch (error) {
      throw new Refusal(`unable to read PULUMI_CONFIG_PASSPHRASE_FILE: ${(error as Error).message}`);
    }
  }
  throw new Refusal(
    "passphrase must be set with PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE environment variables",
  );
}

/**
 * Deriving a key takes several hundred milliseconds, so a process derives each key once. The map's keys do not reveal the
 * passphrase.
 */
const keys = new Map<string, Promise<Buffer>>();

function keyOf(passphrase: string, salt: Buffer): Promise<Buffer> {
  const name = createHash("sha256").update(salt).update("\0").update(passphrase).digest("hex");
  const known = keys.get(name) ?? promisify(pbkdf2)(passphrase, salt, ITERATIONS, 32, "sha256");
  keys.set(name, known);
  return known;
}

const TAG_LENGTH = 16;

function crypterOf(key: Buffer): Crypter {
  return {
    encrypt(plaintext) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv("aes-256-gcm", key, nonce);
      const sealed = Buffer.concat([cipher.update(plaintext, "utf8"), cipher.final(), cipher.getAuthTag()]);
      return `v1:${nonce.toString("base64")}:${sealed.toString("base64")}`;
    },
    decrypt(ciphertext) {
      const [version, nonce, sealed, ...more] = ciphertext.split(":");
      if (nonce === undefined || sealed === undefined || more.length > 0) throw new Refusal("bad value");
      if (version !== "v1") throw new Refusal("unknown value version");
      const bytes = Buffer.from(sealed, "base64");
      const cipher = createDecipheriv("aes-256-gcm", key, Buffer.from(nonce, "base64"), {
        authTagLength: TAG_LENGTH,
      });
      cipher.setAuthTag(bytes.subarray(-TAG_LENGTH));
      try {
        const text = cipher.update(bytes.subarray(0, -TAG_LENGTH));
        return Buffer.concat([text, cipher.final()]).toString("utf8");
      } catch {
        throw new Refusal("cipher: message authentication failed");
      }
    },
  };
}
