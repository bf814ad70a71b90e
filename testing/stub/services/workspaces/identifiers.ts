/** Unique opaque IDs (`ws-k3v9…`). They are the same in every run, so that a failing test is reproducible. */
export class Identifiers {
  #next = 1;

  fresh(prefix: string): string {
    // A multiplicative walk through 36^10: neighbors look different, and no ID repeats.
    const scrambled = (BigInt(this.#next++) * 2_654_435_769_011n) % 3_656_158_440_062_976n;
    return `${prefix}-${scrambled.toString(36).padStart(10, "0")}`;
  }
}
