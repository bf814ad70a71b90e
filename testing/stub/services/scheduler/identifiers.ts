/** Unique IDs in the form of UUIDs. They are the same in every run, so that a failing test is reproducible. */
export class Identifiers {
  #next = 1n;

  fresh(): string {
    // A multiplicative walk through 2^128: neighbors look different, and no ID repeats.
    const scrambled = BigInt.asUintN(128, this.#next++ * 0x9e3779b97f4a7c15f39cc0605cedc835n);
    const digits = scrambled.toString(16).padStart(32, "0");
    return [8, 12, 16, 20, 32]
      .map((end, index, ends) => digits.slice(index === 0 ? 0 : ends[index - 1], end))
      .join("-");
  }
}
