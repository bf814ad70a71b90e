import { createHash } from "node:crypto";

/**
 * Ids, passwords and keys: unlike one another, but the same from run to run, so that a failing test fails
 * alike tomorrow. Nothing here is a secret.
 */
export class Randomness {
  #drawn = 0;

  uuid(): string {
    const hex = this.#bytes().toString("hex");
    // Version 4, variant 1, as the shape of a UUID asks for.
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
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
