import type { StepInput, StepName } from "../language/call";
import type { ObjectContext } from "../language/contexts";
import type { Described } from "../language/specified";
import { redactorOf } from "../state/redaction";
import type { Inputs } from "../value/unknown";

const DEFAULT_TIMEOUT = {
  create: 600_000,
  update: 600_000,
  delete: 600_000,
  read: 120_000,
  check: 60_000,
  diff: 60_000,
};

/**
 * Opens a step: from here on one deadline holds for everything that it does, and every request knows its secrets.
 * @param outputs what the state holds of the resource
 */
export function contextOf<D extends Described>(
  definition: D,
  step: StepName,
  input: StepInput,
  inputs: Inputs = {},
  outputs?: Inputs,
): StepContext<D> {
  const asked = timeoutOf(inputs.timeouts, step) ?? input.timeout ?? DEFAULT_TIMEOUT[step];
  const label = { definition: definition.token, step };
  const redactor = input.redactor ?? redactorOf(definition, inputs, outputs);
  return { ...input, redactor, definition, step, label, deadline: input.connection.runtime.now() + asked };
}

function timeoutOf(timeouts: unknown, step: StepName): number | undefined {
  const value = (timeouts as Record<string, unknown> | undefined)?.[step];
  return typeof value === "number" ? value * 1000 : undefined;
}
