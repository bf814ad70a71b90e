import type { Subject } from "./subject";

/** How often a law is tried over a subject: one that shares its definition with others needs a fraction, but some. */
export function runs({ isVariant }: Subject, many: number): number {
  return isVariant ? Math.min(many, Math.max(Math.ceil(many / 5), LEAST)) : many;
}

/** So that some of them show something. */
const LEAST = 12;
