import { idOf, idOfInputs, nameOf } from "../language/address";
import type { DefinitionBase } from "../language/fields";
import type { Definition, ObjectContext, StepContext } from "../language/resource";
import { type StepInput, type StepName, USUAL_SECONDS } from "../language/stepInput";
import { redactorOf } from "../state/redaction";
import type { Inputs } from "../value/unknown";
import { logWarnings, sendSecrets, withMiddleware } from "./middleware";
import { observe } from "./observe";

/**
 * Creates the context of a step. All requests of the step share its deadline and its secrets.
 * @param inputs the object's inputs; omitted if an ID or a function's arguments identify the object
 * @param outputs the resource's outputs in the state
 */
export function contextOf<D extends DefinitionBase>(
  definition: D,
  step: StepName,
  input: StepInput,
  inputs?: Inputs,
  outputs?: Inputs,
): StepContext<D> {
  const { connection } = input;
  const asked = timeoutOf(inputs?.timeouts, step) ?? input.timeout ?? USUAL_SECONDS[step] * 1000;
  const redactor = input.redactor ?? redactorOf(definition, inputs ?? {}, outputs);
  return {
    ...input,
    connection: withMiddleware(
      connection,
      ...(input.fingerprints ? [sendSecrets(input.fingerprints)] : []),
      logWarnings({ ...input, redactor }),
    ),
    redactor,
    definition,
    step,
    label: { definition: definition.token, step, ...input.behalf },
    deadline: connection.runtime.now() + asked,
    name: (address) => {
      const id =
        inputs === undefined
          ? idOf(definition, connection, address, address)
          : idOfInputs(definition, connection, address, inputs);
      // The server has not assigned the ID yet.
      return nameOf(definition, id || Object.values(address).join("/"));
    },
  };
}

/** Creates the context of an object's step. */
export function objectContextOf(
  definition: Definition,
  step: StepName,
  input: StepInput,
  inputs?: Inputs,
  outputs?: Inputs,
): ObjectContext {
  return {
    ...contextOf(definition, step, input, inputs, outputs),
    observe(address) {
      return observe({ ...this, definition }, address);
    },
  };
}

function timeoutOf(timeouts: unknown, step: StepName): number | undefined {
  const value = (timeouts as Record<string, unknown> | undefined)?.[step];
  return typeof value === "number" ? value * 1000 : undefined;
}
