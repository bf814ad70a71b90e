import { type AnyDefinition, livesAs } from "../language/resource";
import type { PreviewInput, StepInput } from "../language/stepInput";
import type { Inputs } from "../value/unknown";
import { runAction } from "./action";
import { create } from "./create";
import { remove } from "./delete";
import { forecast } from "./forecast";
import { followMove } from "./moves";
import { rememberingPlaces } from "./places";
import { previewOutputs } from "./previewOutputs";
import { continueProcedure, endProcedure, readProcedure, startProcedure } from "./procedure";
import { read } from "./read";
import { deleteFromState, refreshFromState, updateStateOnly } from "./stateOnly";
import type { Steps } from "./steps";
import { update } from "./update";
import { createWriteOnly, updateWriteOnly } from "./writeOnly";

export type { Steps } from "./steps";

/** The steps of a definition, by the kind of its life. */
export function stepsOf(definition: AnyDefinition): Steps {
  const { forecast, ...steps } = rememberingPlaces(definition, countingWrites(lifeSteps(definition)));
  const follow = (input: PreviewInput, outputs: Inputs) =>
    input.places?.hasMoves ? followMove(definition, input, outputs) : outputs;
  return {
    ...steps,
    previewOutputs: (input, inputs, old) =>
      previewOutputs(definition, input, inputs, old && follow(input, old)),
    forecast: async (input, inputs, old) => forecast?.(input, inputs, old && follow(input, old)),
    update: (input, old, inputs) => steps.update(input, follow(input, old), inputs),
    remove: (input, outputs) => steps.remove(input, follow(input, outputs)),
  };
}

/** The steps of a definition. A write knows whether other writes of the command are running. */
function countingWrites<S extends Pick<Steps, "create" | "update" | "remove">>(steps: S): S {
  const counted = <T>(input: StepInput, write: (input: StepInput) => Promise<T>) =>
    input.writes ? input.writes.run((others) => write({ ...input, others })) : write(input);
  return {
    ...steps,
    create: (input, inputs) => counted(input, (own) => steps.create(own, inputs)),
    update: (input, old, inputs) => counted(input, (own) => steps.update(own, old, inputs)),
    remove: (input, outputs) => counted(input, (own) => steps.remove(own, outputs)),
  };
}

/** Only the life of an object supports a forecast request in a preview. */
function lifeSteps(
  definition: AnyDefinition,
): Omit<Steps, "previewOutputs" | "forecast"> & Partial<Pick<Steps, "forecast">> {
  if (livesAs(definition, "action")) {
    return {
      create: (input, inputs) => runAction(definition, input, inputs),
      read: (input, id, outputs) => refreshFromState(definition, input, id, outputs),
      update: (_input, old, inputs) => updateStateOnly(definition, old, inputs),
      remove: async () => undefined,
    };
  }
  if (livesAs(definition, "writeOnly")) {
    const { staysAs } = definition.life;
    return {
      create: (input, inputs) => createWriteOnly(definition, input, inputs),
      read: (input, id, outputs) => refreshFromState(definition, input, id, outputs),
      update: (input, old, inputs) => updateWriteOnly(definition, input, old, inputs),
      remove: async (input, outputs) => deleteFromState(definition, input, outputs, staysAs),
    };
  }
  if (livesAs(definition, "procedure")) {
    return {
      create: (input, inputs) => startProcedure(definition, input, inputs),
      read: (input, id, outputs) => readProcedure(definition, input, id, outputs),
      update: (input, old, inputs) => continueProcedure(definition, input, old, inputs),
      remove: (input, outputs) => endProcedure(definition, input, outputs),
    };
  }
  if (livesAs(definition, "object")) {
    return {
      forecast: (input, inputs, old) => forecast(definition, input, inputs, old),
      create: (input, inputs) => create(definition, input, inputs),
      read: (input, id, outputs) => read(definition, input, id, outputs),
      update: (input, old, inputs) => update(definition, input, old, inputs),
      remove: (input, outputs) => remove(definition, input, outputs),
    };
  }
  throw new TypeError(`${definition.token} has no lifecycle`);
}
