import type { Fault } from "./fault";
import type { Cell } from "./rule";
import type { Deed } from "./strangers";

/** What the judge has to know of what went wrong. */
export interface Judged extends WentWrong, Pick<Cell, "life" | "can" | "isInWindow"> {
  /** What went wrong, where it was one thing alone. */
  readonly fault?: Fault;
  /** The number of the request that it happened to. */
  readonly at: number;
  /** What somebody else did. */
  readonly deed?: Deed | undefined;
  /** Whether something else went wrong in the same command. */
  readonly isOfTwo?: true;
  /** Whether what was answered was not so, and could not be known for wrong. */
  readonly isDeceived: boolean;
}

/** What the faults of one command say by themselves. */
interface WentWrong {
  /** Whether nobody was left to tell what our own write was. */
  readonly isKill: boolean;
  /** Whether a request was carried out twice on the way. */
  readonly isDoubled: boolean;
  /** Whether a write was carried out after its sender was told something. */
  readonly isLate: boolean;
  /** Whether what was answered was another's, and right to the byte. */
  readonly isBelieved: boolean;
}

/** What these faults of one command say by themselves. */
export function wentWrongBy(faults: readonly Fault[]): WentWrong {
  return {
    isKill: faults.some(({ group }) => group === "killed"),
    isDoubled: faults.some(({ carries }) => carries === "twice"),
    isLate: faults.some(({ carries }) => carries === "late"),
    isBelieved: faults.some(({ isAnothers }) => isAnothers),
  };
}
