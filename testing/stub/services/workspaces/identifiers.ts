/**
 * Opaque ids (`ws-k3v9…`), different from one another but the same from run to run, so that a failing test
 * fails alike tomorrow.
 */
export class Identifiers {
  #next = 1;

  fresh(prefix: string): string {
    // A multiplicative walk through 36^10: neighbours look unlike each other, and none repeats.
    const scrambled = (BigInt(this.#next++) * 2_654_435_769_011n) % 3_656_158_440_062_976n;
    return `${prefix}-${scrambled.toString(36).padStart(10, "0")}`;
  }
}
