import type { Address } from "../../core/define";
import type { HttpAnswer } from "../../core/http/request";
import { isObject } from "../../core/json";
import { type StepContext, send } from "../../core/steps/context";
import { isSuccess } from "../../core/steps/observe";

/**
 * A 404 means absent or unauthorised. The organization's list by name tells them apart as well as can be: a token
 * that may list, and does not find the workspace there, is good evidence that it is gone.
 */
export async function missingFromList(
  answer: HttpAnswer,
  context: StepContext,
  address: Address,
): Promise<boolean> {
  if (answer.status !== 404 || address.organization === undefined) return false;
  for (let page = 1; ; page++) {
    const list = await send(
      context,
      { method: "GET", path: "/organizations/{organization}/workspaces" },
      address,
      {
        nature: "read",
        query: {
          ...(address.name !== undefined && { "search[name]": address.name }),
          "page[size]": "100",
          "page[number]": String(page),
        },
      },
    );
    if (!isSuccess(list) || !isObject(list.json) || !Array.isArray(list.json.data)) return false;
    const isListed = list.json.data.some((workspace) => isObject(workspace) && isSame(workspace, address));
    if (isListed) return false;
    const pagination = isObject(list.json.meta) ? list.json.meta.pagination : undefined;
    if (!isObject(pagination) || Number(pagination["next-page"] ?? 0) <= page) return true;
  }
}

function isSame(workspace: { [member: string]: unknown }, { workspaceId, name }: Address): boolean {
  if (workspaceId !== undefined) return workspace.id === workspaceId;
  return isObject(workspace.attributes) && workspace.attributes.name === name;
}
