import type { AnyDefinition, Values } from "../define";
import type { Json } from "../json";
import type { Inputs } from "../unknown";
import { act } from "./act";
import type { StepInput } from "./context";
import { create, type Made } from "./create";
import { remove } from "./delete";
import { leaveInPlace } from "./leave";
import { beginProcedure, endProcedure, goOnWithProcedure, lookAtProcedure } from "./procedure";
import { type ReadBack, read } from "./read";
import { keep, takeInputs } from "./unreadable";
import { update } from "./update";
import { createWriteOnly, updateWriteOnly } from "./writeOnly";

/** What a bridge calls for a resource, whichever kind it is. `check` and `diff` are the same for all. */
export interface Steps {
  create(input: StepInput, inputs: Values): Promise<Made>;
  read(input: StepInput, id: string, outputs?: Inputs): Promise<ReadBack | undefined>;
  update(input: StepInput, oldOutputs: Inputs, inputs: Values): Promise<{ [property: string]: Json }>;
  remove(input: StepInput, outputs: Inputs): Promise<void>;
}

/** The steps of a definition, by its kind. */
export function stepsOf(definition: AnyDefinition): Steps {
  switch (definition.kind) {
    case "action":
      return {
        create: (input, inputs) => act(definition, input, inputs),
        read: (input, id, outputs) => keep(definition, input, id, outputs),
        update: (_input, old, inputs) => takeInputs(definition, old, inputs),
        remove: async () => undefined,
      };
    case "writeOnly":
      return {
        create: (input, inputs) => createWriteOnly(definition, input, inputs),
        read: (input, id, outputs) => keep(definition, input, id, outputs),
        update: (input, old, inputs) => updateWriteOnly(definition, input, old, inputs),
        remove: async (input, outputs) => leaveInPlace(definition, input, outputs, definition.staysAs),
      };
    case "procedure":
      return {
        create: (input, inputs) => beginProcedure(definition, input, inputs),
        read: (input, id, outputs) => lookAtProcedure(definition, input, id, outputs),
        update: (input, old, inputs) => goOnWithProcedure(definition, input, old, inputs),
        remove: (input, outputs) => endProcedure(definition, input, outputs),
      };
    default:
      return {
        create: (input, inputs) => create(definition, input, inputs),
        read: (input, id, outputs) => read(definition, input, id, outputs),
        update: (input, old, inputs) => update(definition, input, old, inputs),
        remove: (input, outputs) => remove(definition, input, outputs),
      };
  }
}
