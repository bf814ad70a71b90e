import type { Values } from "../language/object";
import type { PreviewInput, StepInput } from "../language/stepInput";
import type { Json } from "../value/json";
import type { Inputs } from "../value/unknown";
import type { Made } from "./object/create";
import type { ReadBack } from "./object/refresh";
import type { Plan } from "./plan";
/** What a bridge calls for a resource, whichever kind it is. `check` and `diff` are the same for all. */
export interface Steps {
  plan(input: PreviewInput, inputs: Inputs, oldOutputs?: Inputs): Plan;
  /** Tells what the service says of the write to come, where it can be asked. It is for previews alone, and never fails one. */
  forecast(input: StepInput, inputs: Inputs, oldOutputs?: Inputs): Promise<void>;
  create(input: StepInput, inputs: Values): Promise<Made>;
  read(input: StepInput, id: string, outputs?: Inputs): Promise<ReadBack | undefined>;
  update(input: StepInput, oldOutputs: Inputs, inputs: Values): Promise<{ [property: string]: Json }>;
  remove(input: StepInput, outputs: Inputs): Promise<void>;
}
