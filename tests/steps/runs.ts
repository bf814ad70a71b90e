import type { Subject } from "./subject";

/** How often a law is tried over a subject: one that shares its definition with others needs a fraction. */
export function runs({ isVariant }: Subject, many: number): number {
  return isVariant ? Math.ceil(many / 5) : many;
}
