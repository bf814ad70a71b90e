/**
 * Ids in the form of UUIDs, different from one another but the same from run to run, so that a failing test
 * fails alike tomorrow.
 */
export class Identifiers {
  #next = 1n;

  fresh(): string {
    // A multiplicative walk through 2^128: neighbours look unlike each other, and none repeats.
    const scrambled = BigInt.asUintN(128, this.#next++ * 0x9e3779b97f4a7c15f39cc0605cedc835n);
    const digits = scrambled.toString(16).padStart(32, "0");
    return [8, 12, 16, 20, 32]
      .map((end, index, ends) => digits.slice(index === 0 ? 0 : ends[index - 1], end))
      .join("-");
  }
}
