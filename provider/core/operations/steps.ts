import type { KnownInputs } from "../language/object";
import type { PreviewInput, StepInput } from "../language/stepInput";
import type { Json } from "../value/json";
import type { ProgramInputs } from "../value/programInputs";
import type { Inputs } from "../value/unknown";
import type { Made } from "./create";
import type { ReadBack } from "./refresh";
/** The steps that a bridge calls for a resource of any kind. `check` and `diff` are the same for all kinds. */
export interface Steps {
  /** The expected outputs of a create or an update. */
  previewOutputs(input: PreviewInput, inputs: ProgramInputs, oldOutputs?: Inputs): Inputs;
  /**
   * Reports the server's view of the coming write, if the API supports it. It is for previews only, and never makes one
   * fail.
   */
  forecast(input: StepInput, inputs: ProgramInputs, oldOutputs?: Inputs): Promise<void>;
  create(input: StepInput, inputs: KnownInputs): Promise<Made>;
  read(input: StepInput, id: string, outputs?: Inputs): Promise<ReadBack | undefined>;
  update(input: StepInput, oldOutputs: Inputs, inputs: KnownInputs): Promise<{ [property: string]: Json }>;
  remove(input: StepInput, outputs: Inputs): Promise<void>;
}
