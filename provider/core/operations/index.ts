import { type AnyDefinition, hasLifecycle } from "../language/resource";
import type { PreviewInput, StepInput } from "../language/stepInput";
import type { Inputs } from "../value/unknown";
import { actionSteps } from "./action";
import { previewAdoption } from "./adoptionPreview";
import { create, update } from "./createOrUpdate";
import { remove } from "./delete";
import { forecast } from "./forecast";
import { followMove } from "./placeKey";
import { reasonToKeep, rememberWritten } from "./places";
import { previewOutputs } from "./previewOutputs";
import { procedureSteps } from "./procedure";
import { read } from "./read";
import type { KindSteps, Steps } from "./steps";
import { writeOnlySteps } from "./writeOnly";

export type { Steps } from "./steps";

/**
 * The steps of a definition. They remember the places that they write, and skip deletes of objects that must remain. A write
 * knows whether other writes of the command are running.
 */
export function stepsOf(definition: AnyDefinition): Steps {
  const steps = kindSteps(definition);
  const follow = (input: PreviewInput, outputs: Inputs) =>
    input.places?.hasMoves ? followMove(definition, input, outputs) : outputs;
  return {
    previewOutputs: (input, inputs, old) =>
      previewOutputs(definition, input, inputs, old && follow(input, old)),
    forecast: async (input, inputs, old) => steps.forecast?.(input, inputs, old && follow(input, old)),
    create: (input, inputs) => {
      const made = counted(input, (own) => steps.create(own, inputs));
      return rememberWritten(definition, input, made, ({ outputs }) => outputs);
    },
    read: steps.read,
    update: (input, old, inputs) => {
      const before = follow(input, old);
      const updated = counted(input, (own) => steps.update(own, before, inputs));
      return rememberWritten(definition, input, updated, (outputs) => outputs);
    },
    async remove(input, outputs) {
      const now = follow(input, outputs);
      const reason = reasonToKeep(definition, input, now);
      if (reason === undefined) return counted(input, (own) => steps.remove(own, now));
      // The bridge names the resource.
      const text = `the object is not deleted: ${reason} Only the old state entry is removed.`;
      input.log("warning", text, { outcome: "notSent" });
    },
  };
}

function counted<T>(input: StepInput, write: (input: StepInput) => Promise<T>): Promise<T> {
  return input.writes ? input.writes.run((others) => write({ ...input, others })) : write(input);
}

function kindSteps(definition: AnyDefinition): KindSteps {
  if (hasLifecycle(definition, "action")) return actionSteps(definition);
  if (hasLifecycle(definition, "writeOnly")) return writeOnlySteps(definition);
  if (hasLifecycle(definition, "procedure")) return procedureSteps(definition);
  if (hasLifecycle(definition, "object"))
    return {
      forecast: async (input, inputs, old) => {
        if (old === undefined) await previewAdoption(definition, input, inputs);
        await forecast(definition, input, inputs, old);
      },
      create: (input, inputs) => create(definition, input, inputs),
      read: (input, id, outputs) => read(definition, input, id, outputs),
      update: (input, old, inputs) => update(definition, input, old, inputs),
      remove: (input, outputs) => remove(definition, input, outputs),
    };
  throw new TypeError(`${definition.token} has no lifecycle`);
}
