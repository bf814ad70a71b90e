import {
  type Address,
  deletes,
  type HttpResponse,
  isObject,
  isSuccess,
  type Json,
  type ObjectHookContext,
  type Observation,
  post,
  removeOnce,
  ServiceError,
  send,
  type Values,
} from "../../core";
import { ownWorkspace } from "./ofWorkspace";
import { errorsIn, workspaces } from "./service";

const unlock = post("/workspaces/{workspaceId}/actions/unlock");
const forceUnlock = post("/workspaces/{workspaceId}/actions/force-unlock");

/** The delete of a lock. */
export const unlocking = deletes(unlock, {
  doc: "With `forceUnlock`, the delete sends `POST /api/v2/workspaces/{workspaceId}/actions/force-unlock` instead. The delete waits, within its timeout, until the latest state version is finalized. The delete does not remove another user's lock. If the server does not name the holder, or the response to the lock request was lost, the unlock is sent without force. The server refuses such an unlock for another user's lock. A forced unlock also breaks a lock that another user takes between the last read and the request.",
  perform: unlockWorkspace,
});

/**
 * Unlocks a workspace (specification: Unlock, Force unlock). While the latest state version is not finalized it waits,
 * within the operation's time. A lock that no longer exists is a success.
 * @throws ServiceError that names the holder if someone else now has the lock.
 */
async function unlockWorkspace(
  context: ObjectHookContext,
  address: Address,
  { forceUnlock: isWanted }: Values,
  seen: Observation,
): Promise<void> {
  const isForced = isWanted === true && isSurelyOurs(address, seen);
  if (isWanted === true && !isForced) context.log("warning", NOT_FORCED);
  try {
    await removeOnce(context, isForced ? forceUnlock : unlock, address, {
      repeatWhile: (found) => {
        // A gateway's own 503 is not about a state version.
        const waits = found.status === 503 && errorsIn(found).length > 0;
        if (waits) context.progress?.("waiting for the latest state version to be finalized");
        return waits;
      },
      isDoneAlready: isUnlockedAlready,
      isAnswered: (answer) => showsUnlocked(answer, address),
    });
  } catch (error) {
    // A conflict response may have no message.
    const isConflict = error instanceof ServiceError && error.status === 409;
    if (!isConflict || !(await isLockedByNobody(context, address))) throw error;
  }
}

/** Marks the address of a lock whose response was lost. The lock did not exist before, and may be someone else's. */
export const PERHAPS_OURS = { certainty: "perhaps ours" } as const;

/** Force breaks any lock. So it is used only if the server shows that this lock is the one we acquired. */
function isSurelyOurs({ holder, certainty }: Address, { body }: Observation): boolean {
  return certainty !== PERHAPS_OURS.certainty && holder !== undefined && holderOf(body) === holder;
}

const NOT_FORCED =
  "forceUnlock is not used: the server does not confirm that this resource created the lock, and a forced unlock would break " +
  "any user's lock. The workspace is unlocked without force, which the server refuses for another user's lock";

/** The holder of a workspace's lock, if the server shows it. */
export function holderOf(body: { readonly [member: string]: Json }): string | undefined {
  const holder = body["locked-by-id"];
  if (typeof holder === "string") return holder;
  return isObject(holder) && typeof holder.id === "string" ? holder.id : undefined;
}

/** True if the server rejected an unlock because the workspace is already unlocked. */
export function isUnlockedAlready(answer: HttpResponse): boolean {
  return answer.status === 409 && errorsIn(answer).some((words) => /already unlocked/i.test(words));
}

/** True if a response is the workspace, and shows no lock. */
export function showsUnlocked({ json }: HttpResponse, { workspaceId }: Address): boolean {
  const { id, locked } = workspaces.unwrap(json ?? null);
  return id === workspaceId && locked !== true;
}

async function isLockedByNobody(context: ObjectHookContext, address: Address): Promise<boolean> {
  const answer = await send(context, ownWorkspace, address, { nature: "read" });
  return isSuccess(answer) && workspaces.unwrap(answer.json ?? null).locked === false;
}
