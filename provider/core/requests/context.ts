import { idOf, idOfInputs, nameOf } from "../language/address";
import type { ObjectContext, StepContext } from "../language/contexts";
import type { Definition } from "../language/resource";
import type { DefinitionBase } from "../language/specified";
import type { StepInput, StepName } from "../language/stepInput";
import { redactorOf } from "../state/redaction";
import type { Inputs } from "../value/unknown";
import { observe } from "./observe";
import { sendingOpened } from "./sealedSending";
import { tellingWarnings } from "./warned";

const DEFAULT_TIMEOUT = {
  create: 600_000,
  update: 600_000,
  delete: 600_000,
  read: 120_000,
  check: 60_000,
  diff: 60_000,
  // A preview does not wait long for what it can do without.
  forecast: 20_000,
};

/**
 * Opens a step: from here on one deadline holds for everything that it does, and every request knows its secrets.
 * @param inputs what its object is asked for by; nothing where an id or a function's arguments say where that is
 * @param outputs what the state holds of the resource
 */
export function contextOf<D extends DefinitionBase>(
  definition: D,
  step: StepName,
  input: StepInput,
  inputs?: Inputs,
  outputs?: Inputs,
): StepContext<D> {
  const { connection } = input;
  const asked = timeoutOf(inputs?.timeouts, step) ?? input.timeout ?? DEFAULT_TIMEOUT[step];
  const redactor = input.redactor ?? redactorOf(definition, inputs ?? {}, outputs);
  return {
    ...input,
    connection: sendingOpened(tellingWarnings({ ...input, redactor }), input.sealing),
    redactor,
    definition,
    step,
    label: { definition: definition.token, step, ...input.behalf },
    deadline: connection.runtime.now() + asked,
    name: (address) =>
      nameOf(
        definition,
        inputs === undefined
          ? idOf(definition, connection, address, address)
          : idOfInputs(definition, connection, address, inputs),
      ),
  };
}

/** Opens a step of an object. */
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
