import type { Subject } from "../steps/subject";

/** The number of runs of a property test per subject on a real server. */
export function runs(_: Subject, many: number): number {
  return Math.min(many, MOST);
}

const MOST = 12;
