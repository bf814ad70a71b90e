import type { Difference } from "../diff/threeWay";
import type { KnownInputs, Observation } from "../language/object";
import type { PreviewInput, StepInput } from "../language/stepInput";
import type { ResourceState } from "../state/outputs";
import type { Json } from "../value/json";
import type { ProgramInputs } from "../value/programInputs";
import type { Inputs } from "../value/unknown";

/** A resource as just read. A read of an object that provably no longer exists returns undefined instead. */
export interface ReadResult {
  readonly id: string;
  readonly outputs: { [property: string]: Json };
  /** The inputs of a program that would show no changes; unset if the state's inputs still show none. */
  readonly inputs?: { [property: string]: Json };
  /**
   * The same for an import of the object: the program that a person would write, without values that are equivalent to their
   * absence. Set only for a read by ID alone.
   */
  readonly imported?: Pick<ReadResult, "outputs" | "inputs">;
  /** The object in the server's response, for callers that show more of it. */
  readonly body?: Observation["body"];
  /** The changes to managed values since the last read; unset if nothing changed. */
  readonly newDrift?: readonly Difference[];
  /** The time of the last write, as the server reports it (RFC 3339), if it is after the last read and a value changed. */
  readonly writtenAt?: string;
}

/** The steps that a bridge calls for a resource of any kind. `check` and `diff` are the same for all kinds. */
export interface Steps {
  /** The expected outputs of a create or an update. */
  previewOutputs(input: PreviewInput, inputs: ProgramInputs, oldOutputs?: Inputs): Inputs;
  /**
   * Logs, in a preview, what the coming write does: the changes of an adoption, and the server's own plan if its API has one.
   * It never makes a preview fail.
   */
  forecast(input: StepInput, inputs: ProgramInputs, oldOutputs?: Inputs): Promise<void>;
  create(input: StepInput, inputs: KnownInputs): Promise<ResourceState>;
  read(input: StepInput, id: string, outputs?: Inputs): Promise<ReadResult | undefined>;
  update(input: StepInput, oldOutputs: Inputs, inputs: KnownInputs): Promise<ResourceState["outputs"]>;
  remove(input: StepInput, outputs: Inputs): Promise<void>;
}

/** The steps that depend on the kind of a resource. Only an object supports a forecast. */
export type KindSteps = Omit<Steps, "previewOutputs" | "forecast"> & Partial<Pick<Steps, "forecast">>;
