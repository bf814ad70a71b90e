import type { Address, Values } from "../../core/define";
import { ServiceError } from "../../core/errors";
import type { HttpAnswer } from "../../core/http/request";
import { type StepContext, send } from "../../core/steps/context";
import { errorFrom, isSuccess, observe } from "../../core/steps/observe";
import { ownWorkspace } from "./ofWorkspace";
import { errorsIn, workspaces } from "./service";

/**
 * Unlocks a workspace (specification: Unlock, Force unlock). While the latest state version is not finalised it waits,
 * within the operation's time; a lock that is gone already is a success.
 * @throws ServiceError naming the holder where somebody else holds the lock by now.
 */
export async function unlockWorkspace(
  context: StepContext,
  address: Address,
  { forceUnlock }: Values,
): Promise<void> {
  const action = forceUnlock === true ? "force-unlock" : "unlock";
  const route = { method: "POST", path: `/workspaces/{workspaceId}/actions/${action}` } as const;
  let answer: HttpAnswer;
  try {
    answer = await send(context, route, address, {
      nature: "write",
      repeatWhile: (found) => {
        const waits = found.status === 503;
        if (waits) context.progress?.("waiting for the latest state version to be finalised");
        return waits;
      },
    });
  } catch (error) {
    if (error instanceof ServiceError && error.unclear && (await isUnlocked(context, address))) return;
    throw error;
  }
  if (isSuccess(answer) || isUnlockedAlready(answer)) return;
  // A conflict may come without a word, and what a gateway answers says nothing.
  const isOpen = answer.status === 409 || answer.status > 500;
  if (isOpen && (await isLockedByNobody(context, address))) return;
  throw errorFrom(context, answer, route, address);
}

/** Whether an unlock was refused because nobody holds the lock. */
export function isUnlockedAlready(answer: HttpAnswer): boolean {
  return answer.status === 409 && errorsIn(answer).some((words) => /already unlocked/i.test(words));
}

async function isUnlocked(context: StepContext, address: Address): Promise<boolean> {
  return (await observe(context, address)) === undefined;
}

async function isLockedByNobody(context: StepContext, address: Address): Promise<boolean> {
  const answer = await send(context, ownWorkspace, address, { nature: "read" });
  return isSuccess(answer) && workspaces.open(answer.json ?? null).locked === false;
}
