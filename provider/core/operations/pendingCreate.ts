import { ActionableError, rerunUp } from "../http/remedies";
import { fieldsOf } from "../language/fields";
import type { Address, KnownInputs } from "../language/object";
import type { ObjectContext } from "../language/resource";
import { isSteering } from "../language/role";
import { describeUnknown, type OutcomeUnknown } from "../requests/probe";
import type { Records } from "../state/records";
import { selectInputs } from "../value/programInputs";
import { partial } from "./write/result";

/**
 * The error of a create that may have been applied, or may still be. If the inputs determine the object's ID, the state keeps a pending create: the
 * next update creates the object if it is absent, and accepts it if it has exactly the written values.
 */
export function pendingCreateError(
  context: ObjectContext,
  address: Address,
  inputs: KnownInputs,
  outcome: OutcomeUnknown,
): ActionableError {
  const { definition } = context;
  const doubt = describeUnknown(outcome);
  if (definition.where.id.parse(definition.where.id.format(address)) === undefined) {
    return new ActionableError(
      `${doubt} The server assigns its ID, so the state has no record of it.`,
      [rerunUp("; if pulumi up fails because the object exists, set adopt: true to adopt the object")],
      { outcome: "unknown" },
    );
  }
  const records: Records = {
    address,
    lastApplied: ownInputs(context, inputs),
    baseline: {},
    observed: {},
    pending: { kind: "create", inputs, reason: doubt },
  };
  const next = rerunUp(
    ", which creates the object if it is missing, and adopts the object if it is identical; pulumi destroy reads the object before it deletes the object",
  );
  return partial(context, records, inputs, {}, new ActionableError(doubt, [next], { outcome: "unknown" }));
}

/** The provider options and the address among the inputs. Only these are certain for an object with a pending create. */
function ownInputs({ definition }: ObjectContext, inputs: KnownInputs): KnownInputs {
  const own = fieldsOf(definition).filter(({ facts }) => isSteering(facts) || facts.role === "identity");
  const names = new Set<string>(own.map(({ name }) => name));
  return selectInputs(inputs, (name) => names.has(name));
}
