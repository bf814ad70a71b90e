import { ActionableError, NOTHING_TO_DO } from "../http/remedies";
import { addressOf, idOf, knownAddress } from "../language/address";
import type { Action } from "../language/lifecycles";
import type { KnownInputs } from "../language/object";
import type { Definition, StepContext } from "../language/resource";
import type { StepInput } from "../language/stepInput";
import { bodyForCreate } from "../requests/body";
import { contextOf } from "../requests/context";
import { describeUnknown } from "../requests/probe";
import { send } from "../requests/send";
import { type Outcome, writeOnce } from "../requests/single";
import { outputsOf, type ResourceState } from "../state/outputs";
import { neverObserved } from "../state/records";
import { equalJson, type Json } from "../value/json";
import { refreshFromState, updateStateOnly } from "./stateOnly";
import type { KindSteps } from "./steps";

/** The steps of an action. A create runs it. */
export function actionSteps(definition: Definition<Action>): KindSteps {
  return {
    create: (input, inputs) => runAction(definition, input, inputs),
    read: async (_, id, outputs) => refreshFromState(definition, id, outputs),
    update: async (_, old, inputs) => updateStateOnly(definition, old, inputs),
    remove: async () => undefined,
  };
}

/**
 * Runs an action once. If the response is inconclusive, the action's witness decides, if it has one. Otherwise, the outcome
 * is recorded as unknown, a warning reports it, and the action is never repeated.
 * @throws ServiceError if the server rejected the action, or was not reached.
 */
async function runAction(
  definition: Definition<Action>,
  input: StepInput,
  inputs: KnownInputs,
): Promise<ResourceState> {
  const context = contextOf(definition, "create", input, inputs);
  const address = knownAddress(addressOf(definition, input.connection, inputs));
  const body = bodyForCreate(definition, inputs);
  const { witness, route, isAlreadyDone, isConfirmed } = definition.life;
  const before = await witness?.(context, address);
  const outcome = await writeOnce<StepContext<Definition<Action>>, Json>(context, {
    route,
    address,
    nature: "single-use",
    send: (asking) =>
      send(asking, route, address, { nature: "single-use", ...(Object.keys(body).length > 0 && { body }) }),
    interpret: (answer) => (isAlreadyDone?.(answer) ? "applied" : undefined),
    ...(isConfirmed && { isAnswered: (answer) => isConfirmed(answer, address) }),
    ...(witness && {
      probe: async (asking: StepContext<Definition<Action>>) => {
        const now = await witness(asking, address);
        if (before === undefined || now === undefined)
          throw new ActionableError("the server does not show the action's result", NOTHING_TO_DO);
        return equalJson(before, now) ? { isApplied: false } : { isApplied: true, found: now };
      },
    }),
  });
  const answer = "answer" in outcome ? outcome.answer : undefined;
  logRecentRun(context, before);
  const output = {
    ...definition.service.unwrap(answer?.json ?? null),
    __outcome: outcomeOf(context, outcome),
  };
  return {
    id: idOf(definition, input.connection, address, address),
    outputs: outputsOf(definition, { ...inputs }, neverObserved(address, inputs), output),
  };
}

/** The age up to which an earlier run may come from a killed `pulumi up`, in milliseconds. */
const RECENT_MS = 60 * 60 * 1000;

/**
 * Logs that the action ran recently, if the server reports the time of its last run. The state does not contain a run by a
 * killed `pulumi up`, so the action runs again.
 */
function logRecentRun({ connection, log }: StepContext<Definition<Action>>, before: Json | undefined): void {
  const at = typeof before === "string" ? Date.parse(before) : Number.NaN;
  const ago = connection.runtime.now() - at;
  if (!(ago <= RECENT_MS)) return;
  log(
    "info",
    `the action already ran at ${String(before)}, ${Math.max(0, Math.round(ago / 1000))} s earlier: on creation of its object, on schedule, by someone else, or by a pulumi up that was killed before the state was saved`,
    { changedBy: "unknown" },
  );
}

/** @throws ServiceError if the server itself rejected the action, and does not show its effect. */
function outcomeOf(context: StepContext<Definition<Action>>, outcome: Outcome<Json>): "done" | "unclear" {
  if (outcome.kind !== "unknown") return "done";
  if (outcome.verdict === "rejected") throw outcome.error;
  const advice = context.definition.life.ifUnclear ?? "check the server before you run the action again";
  context.log(
    "warning",
    `the action is not repeated, because its outcome is unknown: ${describeUnknown(outcome)} Next: ${advice}; to run the action again, change triggers.`,
    { outcome: "unknown", isUnknownForGood: true },
  );
  return "unclear";
}
