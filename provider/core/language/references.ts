import type { Inputs, Value } from "../value/unknown";

/** The parts of an address as far as they are known. */
export type PartlyKnown = Readonly<Record<string, Value | undefined>>;

/**
 * Which objects of one service name each other, so that a preview can tell of one that goes while others name it. Each is
 * known by texts that mean the same wherever they stand.
 */
export interface References {
  /** What these inputs name. */
  from(inputs: Inputs, address: PartlyKnown): readonly string[];
  /** By what others name an object of this address. */
  to(address: PartlyKnown): readonly string[];
}
