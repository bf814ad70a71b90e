import type { Program } from "./servers/server";

interface KnownDifference {
  readonly program: Program;
  /** Words of the test's full name. */
  readonly promise: string;
  readonly because: string;
}

/** Promises that do not hold on a real server yet. Each must fail: what holds is taken off. */
export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [];
