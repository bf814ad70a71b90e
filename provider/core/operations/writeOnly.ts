import { ActionableError, rerunUp } from "../http/remedies";
import { addressOf, knownAddress } from "../language/address";
import { fieldsOf } from "../language/fields";
import type { WriteOnly } from "../language/lifecycles";
import type { Address, KnownInputs } from "../language/object";
import type { Definition, StepContext } from "../language/resource";
import { isSteering } from "../language/role";
import { bodyForCreate } from "../requests/body";
import { contextOf } from "../requests/context";
import { describeUnknown } from "../requests/probe";
import { send } from "../requests/send";
import { writeOnce } from "../requests/single";
import { plannedChanges, remoteChanges } from "../state/changes";
import { outputsOf, type ResourceState } from "../state/outputs";
import { neverObserved, recordsIn } from "../state/records";
import { pick } from "../value/json";
import { selectInputs, withMetadata } from "../value/programInputs";
import { deleteFromState, refreshFromState } from "./stateOnly";
import type { KindSteps } from "./steps";
import { ignoredProperties, remediesForIgnored } from "./write/ignoredFields";
import { partial, resourceState } from "./write/result";

/**
 * The steps of a resource that the server never shows. A create overwrites any existing value, because it cannot read one. An
 * update writes the complete value again if any input that is sent has changed, or if the outcome of the last write is unknown.
 */
export function writeOnlySteps(definition: Definition<WriteOnly>): KindSteps {
  return {
    create(input, inputs) {
      const own = fieldsOf(definition).filter(({ facts }) => facts.role === "identity" || isSteering(facts));
      const local = withMetadata(pick(inputs, new Set(own.map(({ name }) => name))), {});
      const address = knownAddress(addressOf(definition, input.connection, inputs));
      return writeComplete(contextOf(definition, "create", input, inputs), address, inputs, local);
    },
    read: async (_, id, outputs) => refreshFromState(definition, id, outputs),
    async update(input, old, inputs) {
      const records = recordsIn(definition, old);
      if (remoteChanges(plannedChanges(definition, records, inputs)).length === 0)
        return outputsOf(definition, { ...inputs }, { ...records, lastApplied: inputs }, {});
      const context = contextOf(definition, "update", input, inputs, old);
      return (await writeComplete(context, records.address, inputs, records.lastApplied)).outputs;
    },
    remove: async (input, outputs) => deleteFromState(definition, input, outputs, definition.life.remains),
  };
}

/**
 * @param before the last inputs that were certainly written, in case this write's response is lost
 * @throws PartialError if the response was lost, so that the next `pulumi up` writes again; ServiceError if the server
 * rejected the write.
 */
async function writeComplete(
  context: StepContext<Definition<WriteOnly>>,
  address: Address,
  inputs: KnownInputs,
  before: KnownInputs,
): Promise<ResourceState> {
  const { definition } = context;
  const { route } = definition.life;
  const body = bodyForCreate(definition, inputs);
  const outcome = await writeOnce(context, {
    route,
    address,
    send: (asking) => send(asking, route, address, { nature: "write", body }),
    handlesIgnoredFields: true,
  });
  const failure = (applied: KnownInputs, reason: Error) =>
    partial(context, neverObserved(address, applied), { reason, inputs });
  const ignoredNames =
    outcome.kind === "applied" ? ignoredProperties(definition, inputs, outcome.answer) : [];
  if (ignoredNames.length > 0) {
    const message = `the server accepted the write, but reports that it ignored ${ignoredNames.join(", ")}.`;
    const written = selectInputs(inputs, (name) => !ignoredNames.includes(name));
    throw failure(
      written,
      new ActionableError(message, remediesForIgnored(ignoredNames), { outcome: "applied" }),
    );
  }
  if (outcome.kind !== "unknown") return resourceState(context, neverObserved(address, inputs), inputs);
  const next = rerunUp(" to write the object again");
  throw failure(before, new ActionableError(describeUnknown(outcome), [next], { outcome: "unknown" }));
}
