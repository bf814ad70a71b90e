import { ActionableError, rerunUp } from "../http/remedies";
import { addressOf, idOfInputs, knownAddress } from "../language/address";
import { fieldsOf } from "../language/fields";
import type { WriteOnly } from "../language/lives";
import type { Address, KnownInputs } from "../language/object";
import type { Definition, StepContext } from "../language/resource";
import { isSteering } from "../language/role";
import type { StepInput } from "../language/stepInput";
import { bodyForCreate } from "../requests/body";
import { contextOf } from "../requests/context";
import { describeUnknown } from "../requests/probe";
import { send } from "../requests/send";
import { writeOnce } from "../requests/single";
import { PartialError } from "../state/errors";
import { outputsOf } from "../state/outputs";
import { type Records, recordsIn } from "../state/records";
import type { Json } from "../value/json";
import { selectInputs } from "../value/programInputs";
import type { Inputs } from "../value/unknown";
import type { Made } from "./create";
import { plannedChanges } from "./planned";
import { ignoredProperties, remediesForIgnored } from "./write/ignoredFields";

/**
 * Writes a value that the server never shows. It overwrites any existing value, because it cannot read one.
 * @throws PartialError if the response was lost, so that the next `pulumi up` writes again; ServiceError if the server
 * rejected the write.
 */
export async function createWriteOnly(
  definition: Definition<WriteOnly>,
  input: StepInput,
  inputs: KnownInputs,
): Promise<Made> {
  const identity = fieldsOf(definition).filter(({ facts }) => facts.role === "identity" || isSteering(facts));
  const local = identity.flatMap(({ name }) => (inputs[name] === undefined ? [] : [[name, inputs[name]]]));
  return writeWhole(
    definition,
    contextOf(definition, "create", input, inputs),
    knownAddress(addressOf(definition, input.connection, inputs)),
    inputs,
    Object.fromEntries(local),
  );
}

/** Writes the complete value again if any input that is sent has changed, or if the outcome of the last write is unknown. */
export async function updateWriteOnly(
  definition: Definition<WriteOnly>,
  input: StepInput,
  oldOutputs: Inputs,
  inputs: KnownInputs,
): Promise<{ [property: string]: Json }> {
  const records = recordsIn(definition, oldOutputs);
  const sends = plannedChanges(definition, records, inputs).some(({ field }) => !isSteering(field.facts));
  if (!sends) return outputsOf(definition, { ...inputs }, { ...records, lastApplied: inputs }, {});
  const context = contextOf(definition, "update", input, inputs, oldOutputs);
  return (await writeWhole(definition, context, records.address, inputs, records.lastApplied)).outputs;
}

/** @param before the last inputs that were certainly written, in case this write's response is lost */
async function writeWhole(
  definition: Definition<WriteOnly>,
  context: StepContext<Definition<WriteOnly>>,
  address: Address,
  inputs: KnownInputs,
  before: KnownInputs,
): Promise<Made> {
  const { connection } = context;
  const id = idOfInputs(definition, connection, address, inputs);
  const resultFor = (applied: KnownInputs): Made => {
    const records: Records = { address, lastApplied: applied, baseline: {}, observed: {} };
    return { id, outputs: outputsOf(definition, { ...inputs }, records, {}) };
  };
  const { route } = definition.life;
  const body = bodyForCreate(definition, inputs);
  const outcome = await writeOnce(context, {
    route,
    address,
    send: (asking) => send(asking, route, address, { nature: "write", body }),
    handlesIgnoredFields: true,
  });
  const notTaken = outcome.kind === "applied" ? ignoredProperties(definition, inputs, outcome.answer) : [];
  if (notTaken.length > 0) {
    const told = `the server accepted the write, but reports that it ignored ${notTaken.join(", ")}.`;
    const written = selectInputs(inputs, (name) => !notTaken.includes(name));
    throw new PartialError(
      id,
      resultFor(written).outputs,
      inputs,
      new ActionableError(told, remediesForIgnored(notTaken), { outcome: "applied" }),
    );
  }
  if (outcome.kind !== "unknown") return resultFor(inputs);
  const reason = new ActionableError(describeUnknown(outcome), [rerunUp(" to write the object again")], {
    outcome: "unknown",
  });
  throw new PartialError(id, resultFor(before).outputs, inputs, reason);
}
