import { z } from "zod";
import {
  type AbsenceProof,
  ActionableError,
  type Address,
  errorFrom,
  errorOfRead,
  field,
  get,
  type HttpResponse,
  isRequestedObject,
  isSuccess,
  manualCheck,
  type ObjectHookContext,
  type Observation,
  partsFromResponse,
  place,
  type ResponseParts,
  send,
} from "../../core";
import { workspaces } from "./service";
import { isMissingFromList } from "./workspaceGone";
import { workspaceListing } from "./workspaceListing";

/** The workspace that a resource belongs to: part of its identity. */
export const workspaceIdField = field(z.string().min(1), {
  doc: "ID of the workspace (`ws-…`).",
  role: "identity",
  location: "address",
});

/** Reads the workspace itself. */
export const ownWorkspace = get("/workspaces/{workspaceId}");

const workspaceByName = get("/organizations/{organization}/workspaces/{workspace}");

/** The proof that the workspace was deleted needs its organization. */
const answered: ResponseParts = { organization: "organization-id" };

/** The address of a workspace's part: the workspace's ID, or its organization and name. */
export function ofWorkspace(more: ResponseParts = {}) {
  return place(["{workspaceId}", "{organization}/{workspace}"], { fromResponse: { ...answered, ...more } });
}

/** The address of a workspace's part with an ID: the workspace's ID, or its organization and name, and the part's ID. */
export function partOfWorkspace(part: string) {
  return place([`{workspaceId}/{${part}}`, `{organization}/{workspace}/{${part}}`], {
    fromResponse: { [part]: "id" },
  });
}

/** The read of a part inside the workspace's own document. */
export const inWorkspace = {
  one: ownWorkspace,
  locate: byWorkspaceId,
  expects: { named: { workspaceId: "id" } },
  within: workspaceListing,
} as const;

/** Replaces the organization and name in an address by the workspace's ID. */
async function byWorkspaceId(context: ObjectHookContext, address: Address): Promise<Address> {
  const { workspace, ...rest } = address;
  if (workspace === undefined) return rest;
  const answer = await send(context, workspaceByName, address, { nature: "read" });
  if (!isSuccess(answer)) throw errorFrom(context, answer, workspaceByName, address);
  const body = workspaces.unwrap(answer.json ?? null);
  if (typeof body.id !== "string")
    throw new ActionableError(
      `the response for workspace ${JSON.stringify(workspace)} contains no workspace ID.`,
      [manualCheck("Check that the configured address is the address of the HCP Terraform server.")],
    );
  return { ...rest, ...organizationOf(body), workspaceId: body.id };
}

/** The organization in a workspace's document. */
function organizationOf(body: Observation["body"]): Address {
  return partsFromResponse({ fromResponse: answered }, body);
}

/** Adds the workspace's organization to the address of a part that does not name it. */
export async function withOrganization(context: ObjectHookContext, given: Address): Promise<Address> {
  const address = await byWorkspaceId(context, given);
  if (address.organization !== undefined) return address;
  const answer = await send(context, ownWorkspace, address, { nature: "read" });
  const body = workspaces.unwrap(answer.json ?? null);
  if (!isSuccess(answer) || !isRequestedObject(inWorkspace.expects, ownWorkspace.path, address, body))
    throw errorOfRead(context, answer, ownWorkspace, address);
  return { ...address, ...organizationOf(body) };
}

/**
 * A workspace's part is deleted with it. A 404 means absent or unauthorized. The organization's list, which this token may
 * read, distinguishes them as well as possible.
 */
function isGoneWithWorkspace(
  answer: HttpResponse,
  context: ObjectHookContext,
  { organization, workspaceId }: Address,
): Promise<boolean> {
  return isMissingFromList(answer, context, { organization, workspaceId });
}

/**
 * A 404 means absent or unauthorized. If this token can still read the workspace, the part does not exist. If it cannot, the
 * part does not exist if the workspace itself was deleted.
 */
async function isGoneFromWorkspace(
  answer: HttpResponse,
  context: ObjectHookContext,
  address: Address,
): Promise<boolean> {
  if (answer.status !== 404) return false;
  const workspace = await send(context, ownWorkspace, address, { nature: "read" });
  if (isSuccess(workspace)) return workspaces.unwrap(workspace.json ?? null).id === address.workspaceId;
  return isGoneWithWorkspace(workspace, context, address);
}

const WORKSPACE_GONE =
  "the workspace returns 404 and is missing from the organization's workspace list, which this token can read. The missing list entry is the best available evidence, because the server also returns 404 for workspaces that the token cannot see";

/** The proof of deletion for a part inside the workspace's own document; `unless` describes a workspace without that part. */
export function goneWithWorkspace(unless?: string): AbsenceProof {
  const evidence = unless === undefined ? WORKSPACE_GONE : `${unless}; or ${WORKSPACE_GONE}`;
  return { evidence, proves: isGoneWithWorkspace };
}

/** The proof of deletion for a part with its own path below the workspace's; `shown` describes the response to its read. */
export function goneFromWorkspace(shown: string): AbsenceProof {
  return {
    evidence: `${shown}, and this token can still read the workspace. Otherwise, ${WORKSPACE_GONE}`,
    proves: isGoneFromWorkspace,
  };
}
