import type { Problem } from "../language/rules";
import type { Sealing } from "../value/sealing";
import type { Inputs } from "../value/unknown";
import type { Bag } from "./asideProperty";

/** What a call is about, as far as secrets may be in it. */
export interface SecretValues {
  readonly inputs: Inputs;
  readonly outputs?: Inputs;
}

/** What a call has to do with secrets that its program does not write. */
export interface CallSecrets {
  /** What the steps are given. */
  readonly values: SecretValues;
  /** What stands for each of them; none where there are none. */
  readonly sealing?: Sealing;
  /** Which of them cannot be had. */
  readonly problems: readonly Problem[];
  /** Every one that is known by now. */
  known(): readonly string[];
  /** Whether a value that is new since the last write is a secret of which only the fingerprint is known. */
  isFingerprinted(value: unknown): boolean;
  /** Inputs for the state. */
  inputs(inputs: Inputs): Inputs;
  /** Outputs for the state. */
  outputs(outputs: Bag): Bag;
}

/** Of a call whose program writes all of its secrets. */
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
