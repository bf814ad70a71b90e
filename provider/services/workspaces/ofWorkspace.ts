import { z } from "zod";
import type { HttpAnswer } from "../../core/http/request";
import type { ObjectAsking } from "../../core/language/asking";
import { field } from "../../core/language/facts";
import { idTemplate } from "../../core/language/id";
import type { Address, Observation } from "../../core/language/object";
import { errorFrom, isSuccess } from "../../core/requests/observe";
import { send } from "../../core/requests/send";
import { workspaces } from "./service";
import { missingFromList } from "./workspaceGone";

/** The workspace to which a resource belongs: part of its identity. */
export const workspaceIdField = field(z.string().min(1), {
  doc: "The workspace's id, `ws-…`.",
  role: "identity",
  place: "address",
});

/** The workspace itself. */
export const ownWorkspace = { method: "GET", path: "/workspaces/{workspaceId}" } as const;

/** The id of what belongs to a workspace: the workspace's own, or the organization and name by which people know it. */
export const ofWorkspaceId = idTemplate("{workspaceId}", "{organization}/{workspace}");

const workspaceByName = {
  method: "GET",
  path: "/organizations/{organization}/workspaces/{workspace}",
} as const;

/** The address by the workspace's id, of one by its organization and name. */
export async function byWorkspaceId(context: ObjectAsking, address: Address): Promise<Address> {
  const { workspace, ...rest } = address;
  if (workspace === undefined) return rest;
  const answer = await send(context, workspaceByName, address, { nature: "read" });
  if (!isSuccess(answer)) throw errorFrom(context, answer, workspaceByName, address);
  const body = workspaces.open(answer.json ?? null);
  if (typeof body.id !== "string")
    throw new Error(`the answer for ${JSON.stringify(workspace)} names no workspace`);
  return { ...rest, ...organizationOf(body), workspaceId: body.id };
}

/** The organization that a workspace's document names: where the proof is looked for that the workspace is gone. */
export function organizationOf(body: Observation["body"]): Address {
  const organization = body["organization-id"];
  return typeof organization === "string" ? { organization } : {};
}

/** The organization of a workspace, for what belongs to it and does not say. */
export async function organizationOfWorkspace(context: ObjectAsking, address: Address): Promise<Address> {
  if (address.organization !== undefined) return {};
  const answer = await send(context, ownWorkspace, address, { nature: "read" });
  if (!isSuccess(answer)) throw errorFrom(context, answer, ownWorkspace, address);
  return organizationOf(workspaces.open(answer.json ?? null));
}

/**
 * What belongs to a workspace is gone with it. A 404 means absent or unauthorised; the organization's list, which this
 * token may read, tells them apart as well as can be.
 */
export function goneWithWorkspace(
  answer: HttpAnswer,
  context: ObjectAsking,
  { organization, workspaceId }: Address,
): Promise<boolean> {
  return missingFromList(answer, context, { organization, workspaceId });
}

/**
 * A 404 means absent or unauthorised. A workspace that this token can still read has no such part; one that it cannot
 * read has none if it is gone itself.
 */
export async function goneFromWorkspace(
  answer: HttpAnswer,
  context: ObjectAsking,
  address: Address,
): Promise<boolean> {
  if (answer.status !== 404) return false;
  const workspace = await send(context, ownWorkspace, address, { nature: "read" });
  if (isSuccess(workspace)) return workspaces.open(workspace.json ?? null).id === address.workspaceId;
  return goneWithWorkspace(workspace, context, address);
}

/** How the evidence reads of `goneWithWorkspace`. */
export const WORKSPACE_GONE =
  "the workspace is not found by its id, and its organization's list of workspaces, which this token may read, does not hold it (the best evidence there is: the service answers 404 for what a token may not see, too)";
