import {
  ActionableError,
  type Address,
  del,
  deletes,
  editProgram,
  type HttpResponse,
  isObject,
  manualCheck,
  numberIn,
  type ObjectHookContext,
  type Observation,
  post,
  removeOnce,
  set,
  textIn,
  type Values,
} from "../../core";
import { errorsIn } from "./service";

const safe = post("/workspaces/{workspaceId}/actions/safe-delete", { expects: "nothing" });
const forcible = del("/workspaces/{workspaceId}");

/** The delete of a workspace. */
export const workspaceDeletion = deletes(safe, {
  doc: "With `forceDelete` it sends `DELETE /api/v2/workspaces/{workspaceId}` instead, even if the workspace is locked or still manages resources. Nothing is sent if the token lacks the permission or, without `forceDelete`, if the workspace is locked or still manages resources. The delete waits, within its timeout, while the server is still processing the workspace.",
  perform: removeWorkspace,
});

/**
 * Deletes a workspace (specification: safe delete by default, force delete on request; wire facts). Throws before the
 * request if the server is known to refuse. Waits only while the server is still processing the workspace.
 */
async function removeWorkspace(
  context: ObjectHookContext,
  address: Address,
  inputs: Values,
  seen: Observation,
): Promise<void> {
  const forced = inputs.forceDelete === true;
  refuseWithoutRight(seen, address, forced);
  if (!forced) refuseEarly(seen, address);
  await removeOnce(context, forced ? forcible : safe, address, { repeatWhile: isStillProcessing });
}

/** Checks the permissions of this token that the server itself reports. It does not judge permissions that the server omits. */
function refuseWithoutRight({ body }: Observation, address: Address, forced: boolean): void {
  const permissions = isObject(body.permissions) ? body.permissions : {};
  const missing = [
    ...(permissions["can-update"] === false
      ? ["Admin permission on the workspace (can-update is false)"]
      : []),
    ...(forced && permissions["can-force-delete"] === false
      ? ["the permission to force a deletion (can-force-delete is false)"]
      : []),
  ];
  if (missing.length === 0) return;
  throw new ActionableError(
    `${workspaceText(address)}: this token lacks the permission to delete the workspace; nothing was sent.`,
    [manualCheck(`The token needs ${missing.join(" and ")}.`)],
    { outcome: "notSent" },
  );
}

function workspaceText({ name, workspaceId }: Address): string {
  return `workspace ${JSON.stringify(name ?? workspaceId)}`;
}

function refuseEarly({ body }: Observation, address: Address): void {
  const workspace = workspaceText(address);
  const permissions = isObject(body.permissions) ? body.permissions : {};
  if (permissions["can-force-delete"] === undefined && "permissions" in body) {
    throw new ActionableError(
      `${workspace}: this server does not support safe delete (its responses contain no can-force-delete permission).`,
      [set("forceDelete", true, { more: " to delete it without the check for managed resources" })],
    );
  }
  if (body.locked === true) {
    const holder =
      body["locked-by-id"] === undefined ? "" : ` by ${textIn(body["locked-by-id"]) ?? "someone"}`;
    const reason = body["locked-reason"]
      ? ` (${textIn(body["locked-reason"]) ?? "a reason that is not a string"})`
      : "";
    throw new ActionableError(`${workspace} is locked${holder}${reason}.`, [
      editProgram("unlock the workspace first"),
      set("forceDelete", true),
    ]);
  }
  const count = numberIn(body["resource-count"]) ?? 0;
  if (count > 0) {
    throw new ActionableError(`${workspace} still manages ${count} resource${count === 1 ? "" : "s"}.`, [
      editProgram("destroy the resources first"),
      set("forceDelete", true, { more: " and leave the resources behind" }),
    ]);
  }
}

function isStillProcessing(answer: HttpResponse): boolean {
  return answer.status === 409 && errorsIn(answer).some((text) => /being processed/i.test(text));
}
