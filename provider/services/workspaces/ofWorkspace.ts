import { z } from "zod";
import {
  type Address,
  AdvisedError,
  type Answered,
  answeredParts,
  checked,
  errorFrom,
  errorOfRead,
  field,
  type GoneProof,
  get,
  type HttpAnswer,
  isObjectAsked,
  isSuccess,
  type ObjectHookContext,
  type Observation,
  place,
  send,
} from "../../core";
import { workspaces } from "./service";
import { isMissingFromList } from "./workspaceGone";
import { workspaceListing } from "./workspaceListing";

/** The workspace to which a resource belongs: part of its identity. */
export const workspaceIdField = field(z.string().min(1), {
  doc: "The workspace's id, `ws-…`.",
  role: "identity",
  location: "address",
});

/** The workspace itself. */
export const ownWorkspace = get("/workspaces/{workspaceId}");

const workspaceByName = get("/organizations/{organization}/workspaces/{workspace}");

/** The organization is where the proof is looked for that the workspace is gone. */
const answered: Answered = { organization: "organization-id" };

/** The place of what belongs to a workspace: its id is the workspace's own, or the organization and name by which people know it. */
export function ofWorkspace(more: Answered = {}) {
  return place(["{workspaceId}", "{organization}/{workspace}"], { answered: { ...answered, ...more } });
}

/** How what stands in the workspace's own document is read. */
export const inWorkspace = {
  one: ownWorkspace,
  locate: byWorkspaceId,
  shows: { named: { workspaceId: "id" } },
  within: workspaceListing,
} as const;

/** The address by the workspace's id, of one by its organization and name. */
async function byWorkspaceId(context: ObjectHookContext, address: Address): Promise<Address> {
  const { workspace, ...rest } = address;
  if (workspace === undefined) return rest;
  const answer = await send(context, workspaceByName, address, { nature: "read" });
  if (!isSuccess(answer)) throw errorFrom(context, answer, workspaceByName, address);
  const body = workspaces.open(answer.json ?? null);
  if (typeof body.id !== "string")
    throw new AdvisedError(`the answer for ${JSON.stringify(workspace)} names no workspace.`, [
      checked("Check that the address is the service's own."),
    ]);
  return { ...rest, ...organizationOf(body), workspaceId: body.id };
}

/** The organization that a workspace's document names. */
function organizationOf(body: Observation["body"]): Address {
  return answeredParts({ answered }, body);
}

/** The address with the organization of the workspace, for what belongs to it and does not say. */
export async function withOrganization(context: ObjectHookContext, given: Address): Promise<Address> {
  const address = await byWorkspaceId(context, given);
  if (address.organization !== undefined) return address;
  const answer = await send(context, ownWorkspace, address, { nature: "read" });
  const body = workspaces.open(answer.json ?? null);
  if (!isSuccess(answer) || !isObjectAsked(inWorkspace.shows, ownWorkspace.path, address, body))
    throw errorOfRead(context, answer, ownWorkspace, address);
  return { ...address, ...organizationOf(body) };
}

/**
 * What belongs to a workspace is gone with it. A 404 means absent or unauthorised; the organization's list, which this
 * token may read, tells them apart as well as can be.
 */
function isGoneWithWorkspace(
  answer: HttpAnswer,
  context: ObjectHookContext,
  { organization, workspaceId }: Address,
): Promise<boolean> {
  return isMissingFromList(answer, context, { organization, workspaceId });
}

/**
 * A 404 means absent or unauthorised. A workspace that this token can still read has no such part; one that it cannot
 * read has none if it is gone itself.
 */
async function isGoneFromWorkspace(
  answer: HttpAnswer,
  context: ObjectHookContext,
  address: Address,
): Promise<boolean> {
  if (answer.status !== 404) return false;
  const workspace = await send(context, ownWorkspace, address, { nature: "read" });
  if (isSuccess(workspace)) return workspaces.open(workspace.json ?? null).id === address.workspaceId;
  return isGoneWithWorkspace(workspace, context, address);
}

const WORKSPACE_GONE =
  "the workspace is not found by its id, and its organization's list of workspaces, which this token may read, does not hold it (the best evidence there is: the service answers 404 for what a token may not see, too)";

/** The proof for what stands in the workspace's own document; `unless` says how that shows that there is none of it. */
export function goneWithWorkspace(unless?: string): GoneProof {
  const evidence = unless === undefined ? WORKSPACE_GONE : `${unless}; or ${WORKSPACE_GONE}`;
  return { evidence, proves: isGoneWithWorkspace };
}

/** The proof for what has a path of its own below the workspace's. */
export const goneFromWorkspace: GoneProof = {
  evidence: `the service shows none, and the workspace itself can still be read with this token; or ${WORKSPACE_GONE}`,
  proves: isGoneFromWorkspace,
};
