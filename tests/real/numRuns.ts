import type { Subject } from "../steps/subject";

/** How often a law is tried over a subject on a real server. */
export function runs(_: Subject, many: number): number {
  return Math.min(many, MOST);
}

const MOST = 12;
