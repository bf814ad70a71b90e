import type { Fault } from "./fault";
import type { UserChange } from "./otherUser";
import type { Cell } from "./rule";

/** The data about the faults that the judge needs. */
export interface Judged extends FaultProperties, Pick<Cell, "life" | "can" | "isInWindow"> {
  /** The fault, if it was the only one. */
  readonly fault?: Fault;
  /** The number of the request that the fault happened to. */
  readonly at: number;
  /** The other user's change. */
  readonly userChange?: UserChange | undefined;
  /** Whether the command had a second fault. */
  readonly isOfTwo?: true;
  /** Whether a response was false and could not be detected as false. */
  readonly isDeceived: boolean;
}

/** The properties of the faults of one command. */
interface FaultProperties {
  /** Whether the process was killed, so that it could not report its own write. */
  readonly isKill: boolean;
  /** Whether a request was carried out twice. */
  readonly isDoubled: boolean;
  /** Whether a write was carried out after its sender received something. */
  readonly isLate: boolean;
  /** Whether a valid response was about a different object. */
  readonly isBelieved: boolean;
}

/** The properties of these faults of one command. */
export function faultProperties(faults: readonly Fault[]): FaultProperties {
  return {
    isKill: faults.some(({ group }) => group === "killed"),
    isDoubled: faults.some(({ carries }) => carries === "twice"),
    isLate: faults.some(({ carries }) => carries === "late"),
    isBelieved: faults.some(({ isOfOtherObject }) => isOfOtherObject),
  };
}
