import { nameOf } from "../language/address";
import type { ObjectContext, StepContext } from "../language/contexts";
import type { Definition } from "../language/resource";
import type { DefinitionBase } from "../language/specified";
import type { StepInput, StepName } from "../language/stepInput";
import { redactorOf } from "../state/redaction";
import type { Inputs } from "../value/unknown";
import { observe } from "./observe";

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
 * @param outputs what the state holds of the resource
 */
export function contextOf<D extends DefinitionBase>(
  definition: D,
  step: StepName,
  input: StepInput,
  inputs: Inputs = {},
  outputs?: Inputs,
): StepContext<D> {
  const { connection } = input;
  const asked = timeoutOf(inputs.timeouts, step) ?? input.timeout ?? DEFAULT_TIMEOUT[step];
  return {
    ...input,
    redactor: input.redactor ?? redactorOf(definition, inputs, outputs),
    definition,
    step,
    label: { definition: definition.token, step },
    deadline: connection.runtime.now() + asked,
    name: (address) => nameOf(definition, address, connection),
  };
}

/** Opens a step of an object. */
export function objectContextOf(
  definition: Definition,
  step: StepName,
  input: StepInput,
  inputs: Inputs = {},
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
