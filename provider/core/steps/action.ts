import type { HttpAnswer } from "../http/request";
import { addressOf, knownAddress } from "../language/address";
import type { StepInput } from "../language/call";
import type { StepContext } from "../language/contexts";
import type { Action } from "../language/kinds";
import type { Address, Values } from "../language/object";
import { bodyForCreate } from "../requests/body";
import { contextOf } from "../requests/context";
import { errorFrom, isSuccess } from "../requests/observe";
import { sendOnce } from "../requests/once";
import { outputsOf } from "../state/outputs";
import type { Record3 } from "../state/records";
import { equalJson, type Json } from "../value/json";
import type { Made } from "./object/create";

/**
 * Carries an action out, once. A lost answer is judged by the action's witness where it has one; else it is recorded
 * as unclear, said, and never repeated.
 * @throws ServiceError where the service refused, or the witness says that nothing happened.
 */
export async function act(definition: Action, input: StepInput, inputs: Values): Promise<Made> {
  const context = contextOf(definition, "create", input, inputs);
  const address = knownAddress(addressOf(definition, input.connection, inputs));
  const before = await definition.witness?.(context, address);
  const deed = await carriedOut(context, address, inputs);
  const outcome = deed.failure === undefined ? "done" : await judged(context, address, before, deed.failure);
  const record: Record3 = { address, applied: inputs, settled: {}, seen: {} };
  const body = { ...definition.service.open(deed.answer?.json ?? null), __outcome: outcome };
  return {
    id: definition.id.format(address, input.connection.name),
    outputs: outputsOf(definition, { ...inputs }, record, body),
  };
}

/** The answer, or the failure that leaves open whether it happened. */
interface Deed {
  readonly answer?: HttpAnswer;
  readonly failure?: Error;
}

async function carriedOut(context: StepContext<Action>, address: Address, inputs: Values): Promise<Deed> {
  const { definition } = context;
  const body = bodyForCreate(definition, inputs);
  const hasBody = Object.keys(body).length > 0;
  const { answer, lost } = await sendOnce(context, definition.act, address, hasBody ? body : undefined);
  if (lost) return { failure: lost };
  if (isSuccess(answer) || definition.isDoneAlready?.(answer)) return { answer };
  const failure = errorFrom(context, answer, definition.act, address);
  // With a witness even the service's own failure is looked at.
  if (answer.status === 500 && definition.witness !== undefined) return { failure };
  throw failure;
}

/** Whether an action whose answer was lost was carried out. */
async function judged(
  context: StepContext<Action>,
  address: Address,
  before: Json | undefined,
  failure: Error,
): Promise<"done" | "unclear"> {
  const { definition } = context;
  const now = await witnessed(context, address);
  if (now !== undefined && before !== undefined) {
    if (equalJson(before, now)) throw failure;
    return "done";
  }
  const advice = definition.ifUnclear ?? "look at the service before you act again";
  context.log(
    "warning",
    `whether it was carried out is unclear, and it is not repeated: ${failure.message} ` +
      `Next: ${advice}; to act again, change triggers.`,
  );
  return "unclear";
}

async function witnessed(context: StepContext<Action>, address: Address): Promise<Json | undefined> {
  try {
    return await context.definition.witness?.(context, address);
  } catch {
    return undefined;
  }
}
