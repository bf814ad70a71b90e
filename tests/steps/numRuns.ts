import type { Subject } from "./subject";

/** The number of runs for a subject: a variant of a different subject needs only a fraction of them. */
export function runs({ isVariant }: Subject, many: number): number {
  return isVariant ? Math.min(many, Math.max(Math.ceil(many / 5), LEAST)) : many;
}

/** The least number of runs in which some make a difference. */
const LEAST = 12;
