import {
  type Address,
  errorFrom,
  isSuccess,
  type Json,
  type Link,
  type LinkContext,
  listElements,
  listRequestOf,
  type ObjectHookContext,
  type Route,
  removeOnce,
  send,
  sendWrite,
  stringsIn,
  textIn,
  type Values,
} from "../../core";
import { ownWorkspace } from "./ofWorkspace";
import { documentsIn, TO_ITS_END } from "./workspaceGone";

/** The path that lists, adds and deletes a workspace's remote state consumers. */
export const CONSUMERS = "/workspaces/{workspaceId}/relationships/remote-state-consumers";

/** The warning about consumers without an effect; undefined if they have one. */
export function sharingWarning(isGlobal: unknown, isInProject: unknown): string | undefined {
  if (isGlobal !== true && isInProject !== true) return undefined;
  const shared = isGlobal === true ? "organization (globalRemoteState)" : "project (projectRemoteState)";
  return `the workspace shares its state with its entire ${shared}, so its list of consumers has no effect until this sharing is turned off`;
}

/**
 * The workspaces that may read a workspace's state. Quarterdeck adds by POST and removes by DELETE. A PATCH replaces the
 * complete list, and would lose a consumer that someone else has just added.
 */
export const consumerLink: Link = {
  field: "consumerIds",
  isCreatedWith: true,
  read: readConsumers,
  async write(context, address, { from, to }) {
    const [before, after] = [stringsIn(from), stringsIn(to)];
    const added = after.filter((id) => !before.includes(id));
    const dropped = before.filter((id) => !after.includes(id));
    if (added.length > 0) await change(context, "POST", address, added);
    if (dropped.length > 0) await change(context, "DELETE", address, dropped);
  },
};

/**
 * Removes only the consumers that the program wrote. Probes after a lost response.
 * @throws ServiceError if nothing proves the removal.
 */
export async function removeConsumers(
  context: ObjectHookContext,
  address: Address,
  { consumerIds }: Values,
): Promise<void> {
  const ids = stringsIn(consumerIds);
  if (ids.length === 0) return;
  await removeOnce(context, { method: "DELETE", path: CONSUMERS, expects: "nothing" }, address, {
    body: consumerReferences(ids),
    isGone: (asking) => areRemoved(asking, address, ids),
  });
}

/** The consumers in a request. */
export function consumerReferences(ids: readonly string[]): { data: Json[] } {
  return { data: ids.map((id) => ({ type: "workspaces", id })) };
}

/**
 * Reads the consumers from every page. If the state is shared with the entire organization or project, the list contains every
 * workspace in it and does not show the authorized ones. The consumers that the program wrote then count as unchanged. The list
 * never contains a workspace that the token cannot read. A consumer that is not listed therefore counts as removed only if
 * the token can read it.
 */
async function readConsumers(
  context: ObjectHookContext,
  address: Address,
  { written, body }: LinkContext,
): Promise<Json> {
  const ours = stringsIn(written);
  const warning = sharingWarning(body["global-remote-state"], body["project-remote-state"]);
  if (warning !== undefined) {
    tell(context, "warning", warning);
    return ours;
  }
  const shown = await shownConsumers(context, address);
  const missing = ours.filter((id) => !shown.includes(id));
  const hidden = await unreadable(context, missing);
  if (hidden.length > 0) {
    const what = `this token cannot read ${hidden.join(", ")}, so the server's list omits these workspaces; Quarterdeck assumes that they are consumers`;
    tell(context, "info", what);
  }
  return [...shown, ...hidden];
}

async function shownConsumers(context: ObjectHookContext, address: Address): Promise<string[]> {
  const listing = listRequestOf(context, { method: "GET", path: CONSUMERS }, address);
  const ids: string[] = [];
  for await (const { id } of listElements(listing, TO_ITS_END, documentsIn)) ids.push(textIn(id) ?? "");
  return ids;
}

/** The workspaces that are absent, or that this token cannot see: a 404 does not distinguish them. */
async function unreadable(context: ObjectHookContext, ids: readonly string[]): Promise<string[]> {
  const isHidden = await Promise.all(
    ids.map(async (workspaceId) => {
      const answer = await send(context, ownWorkspace, { workspaceId }, { nature: "read" });
      if (isSuccess(answer)) return false;
      if (answer.status === 404) return true;
      throw errorFrom(context, answer, ownWorkspace, { workspaceId });
    }),
  );
  return ids.filter((_, index) => isHidden[index]);
}

/** True if the list does not contain these IDs, and would show at least one of them. */
async function areRemoved(
  context: ObjectHookContext,
  address: Address,
  ids: readonly string[],
): Promise<boolean> {
  const shown = await shownConsumers(context, address);
  return !ids.some((id) => shown.includes(id)) && (await unreadable(context, ids)).length < ids.length;
}

async function change(
  context: ObjectHookContext,
  method: "POST" | "DELETE",
  address: Address,
  ids: readonly string[],
): Promise<void> {
  const route: Route = { method, path: CONSUMERS, expects: "nothing" };
  await sendWrite(context, route, address, { body: consumerReferences(ids) });
}

/** The messages that each step has logged, by its label. A step reads before and after its write, with a different context. */
const told = new WeakMap<ObjectHookContext["label"], Set<string>>();

function tell(context: ObjectHookContext, level: "info" | "warning", what: string): void {
  const before = told.get(context.label) ?? new Set();
  if (context.step === "delete" || before.has(what)) return;
  told.set(context.label, before.add(what));
  context.log(level, what);
}
