import { nameOf } from "../../language/address";
import type { StepInput } from "../../language/call";
import type { Definition } from "../../language/resource";
import { objectContextOf } from "../../requests/context";
import { managedLinks, observe } from "../../requests/observe";
import { sendWrite } from "../../requests/write";
import { recordIn } from "../../state/records";
import type { Inputs } from "../../value/unknown";
import { leaveInPlace } from "../leave";
import { reconciled } from "./conflicts";

/** How often a delete starts over because somebody else moved what we do not manage. */
const MOST_ROUNDS = 6;

/**
 * Deletes an object, if it is still what was last read. One that is proven gone is a success.
 * @throws ConflictError where others moved what the program manages; nothing is deleted then.
 */
export async function remove(definition: Definition, input: StepInput, outputs: Inputs): Promise<void> {
  const isDone = await removed(definition, input, outputs);
  if (isDone && definition.leavesBehind !== undefined) input.log("warning", definition.leavesBehind);
}

/** Whether anything was deleted. */
async function removed(definition: Definition, input: StepInput, outputs: Inputs): Promise<boolean> {
  const record = recordIn(definition, outputs);
  const inputs = record.applied;
  if (definition.keepsOnDelete?.(inputs)) return false;
  const context = objectContextOf(definition, "delete", input, inputs, outputs);
  const route = definition.remove;
  if (route === undefined) {
    leaveInPlace(definition, input, outputs, definition.staysAs);
    return false;
  }
  const checks = definition.checkAndSet?.onDelete === true;
  const knowsToken = checks && record.token !== undefined && !record.unread;
  let standing = record;
  let current = knowsToken
    ? undefined
    : await observe(context, record.address, managedLinks(definition, inputs));
  if (!knowsToken) {
    if (current === undefined || definition.isRemoved?.(current.body, inputs)) return false;
    standing = reconciled(context, record, inputs, current);
  }
  for (let round = 0; round < MOST_ROUNDS; round++) {
    if (definition.acts?.remove && current) {
      await definition.acts.remove(context, record.address, inputs, current);
      return true;
    }
    const outcome = await sendWrite(context, {
      route,
      address: record.address,
      inputs,
      ...(checks && { token: standing.token }),
    });
    if (outcome.kind === "done") return true;
    current = await observe(context, record.address, managedLinks(definition, inputs));
    if (current === undefined || definition.isRemoved?.(current.body, inputs)) return true;
    if (outcome.kind === "unclear" && outcome.answered) throw outcome.error;
    standing = reconciled(context, standing, inputs, current);
  }
  throw new Error(
    `${nameOf(definition, record.address, input.connection)} keeps moving; it was not deleted: try again`,
  );
}
