import {
  type AbsenceProof,
  type Address,
  type HttpResponse,
  isObject,
  type Json,
  type ListRequest,
  listElements,
  listRequestOf,
  type ObjectHookContext,
  type PageStyle,
} from "../../core";

const route = { method: "GET", path: "/organizations/{organization}/workspaces" } as const;

/**
 * A 404 means absent or unauthorized. The organization's list by name distinguishes them as well as possible. If a token may
 * list and does not find the workspace, that is good evidence of its deletion.
 */
export const missingFromList: AbsenceProof = {
  evidence:
    "the workspace returns 404 and is missing from the organization's workspace list, which this token can read. The missing list entry is the best available evidence, because the server also returns 404 for workspaces that the token cannot see",
  proves: isMissingFromList,
};

/** True if a response reports that a workspace is not found, and the organization's list does not contain it either. */
export async function isMissingFromList(
  answer: HttpResponse,
  context: ObjectHookContext,
  address: Address,
): Promise<boolean> {
  if (answer.status !== 404 || address.organization === undefined) return false;
  // A workspace that is known by its ID may have been renamed.
  const search = address.workspaceId === undefined ? { "search[name]": address.name } : {};
  return isMissing(listRequestOf(context, route, address, search), (workspace) => isSame(workspace, address));
}

/** An object in a list. */
type Document = { readonly [member: string]: Json };

/** The first object of a list that passes the test. */
export async function findInList(
  list: ListRequest,
  isWanted: (document: Document) => boolean,
  pages: PageStyle = TO_ITS_END,
): Promise<Document | undefined> {
  for await (const document of listElements(list, pages, documentsIn))
    if (isWanted(document)) return document;
  return undefined;
}

/**
 * True if a list is complete and contains no object that passes the test. A token that may not list proves nothing. The response
 * to the read itself is then the error.
 */
export function isMissing(...list: Parameters<typeof findInList>): Promise<boolean> {
  return findInList(...list).then(
    (found) => found === undefined,
    () => false,
  );
}

/** The paging of a list whose missing elements are evidence. */
export const TO_ITS_END = { by: "number", toItsEnd: true } as const;

/** The objects on a page of a list. */
export function documentsIn({ json }: HttpResponse): Document[] {
  const list = isObject(json) && Array.isArray(json.data) ? json.data : undefined;
  if (list === undefined) throw new TypeError("the list contains no data");
  return list.filter(isObject);
}

function isSame(workspace: Json, { workspaceId, name }: Address): boolean {
  if (!isObject(workspace)) return false;
  if (workspaceId !== undefined) return workspace.id === workspaceId;
  return isObject(workspace.attributes) && workspace.attributes.name === name;
}
