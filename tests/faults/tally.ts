import { appendFileSync } from "node:fs";
import type { Group } from "./fault";
import type { Outcome } from "./rule";

/** The number of cells with an outcome, by definition and group of faults. */
export interface Tally {
  readonly token: string;
  readonly group: Group;
  readonly outcome: Outcome | "known issue";
  readonly count: number;
}

/** Counts outcomes. */
export class Counts {
  readonly #counts = new Map<string, number>();

  add(token: string, group: Group, outcome: Tally["outcome"]): void {
    const key = JSON.stringify([token, group, outcome]);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  /** Appends the counts to the file of `QUARTERDECK_FAULTS`, if it is set. */
  append(): void {
    const path = process.env.QUARTERDECK_FAULTS;
    if (path === undefined) return;
    const lines = [...this.#counts].map(([key, count]) => `${JSON.stringify([...JSON.parse(key), count])}\n`);
    appendFileSync(path, lines.join(""));
  }
}
