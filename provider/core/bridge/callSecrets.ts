import type { Problem } from "../language/rules";
import type { Sealing } from "../value/sealing";
import type { Inputs } from "../value/unknown";
import type { Bag } from "./asideProperty";

/** The values of a call that may contain secrets. */
export interface SecretValues {
  readonly inputs: Inputs;
  readonly outputs?: Inputs;
}

/** The secrets of a call that its program does not write itself. */
export interface CallSecrets {
  /** The values for the steps. */
  readonly values: SecretValues;
  /** The fingerprints of the secrets; undefined if there are no such secrets. */
  readonly sealing?: Sealing;
  /** The secrets that cannot be read. */
  readonly problems: readonly Problem[];
  /** Every secret that is known so far. */
  known(): readonly string[];
  /** True if a value that is new since the last write is a secret known only by its fingerprint. */
  isFingerprinted(value: unknown): boolean;
  /** Inputs for the state. */
  inputs(inputs: Inputs): Inputs;
  /** Outputs for the state. */
  outputs(outputs: Bag): Bag;
}

/** For a call whose program writes all of its secrets. */
export function noSecrets(values: SecretValues): CallSecrets {
  return {
    values,
    problems: [],
    known: () => [],
    isFingerprinted: () => false,
    inputs: (own) => own,
    outputs: (own) => own,
  };
}
