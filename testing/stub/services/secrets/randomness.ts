import { createHash } from "node:crypto";

/**
 * Unique IDs, passwords and keys. They are the same in every run, so that a failing test is reproducible. None of them is a
 * secret.
 */
export class Randomness {
  #drawn = 0;

  /** A UUID's format with 128 random bits: Vault sets neither a version nor a variant in its IDs. */
  uuid(): string {
    const hex = this.#bytes().toString("hex");
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
      "-",
    );
  }

  /** `length` letters and digits. */
  text(length: number, alphabet = LETTERS_AND_DIGITS): string {
    let text = "";
    while (text.length < length) {
      for (const byte of this.#bytes()) text += alphabet[byte % alphabet.length] ?? "";
    }
    return text.slice(0, length);
  }

  bytes(length: number): Buffer {
    const chunks = Array.from({ length: Math.ceil(length / 32) }, () => this.#bytes());
    return Buffer.concat(chunks).subarray(0, length);
  }

  #bytes(): Buffer {
    return createHash("sha256")
      .update(`stub ${this.#drawn++}`)
      .digest();
  }
}

const LETTERS_AND_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
