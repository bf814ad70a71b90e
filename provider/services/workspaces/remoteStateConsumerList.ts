import {
  type Address,
  errorFrom,
  isSuccess,
  type Json,
  type Link,
  type LinkContext,
  listed,
  listRequestOf,
  type ObjectHookContext,
  type Observation,
  type Route,
  removeOnce,
  send,
  sendWrite,
  textIn,
  type Values,
  wordsIn,
} from "../../core";
import { ownWorkspace } from "./ofWorkspace";
import { documentsIn, TO_ITS_END } from "./workspaceGone";

/** Where a workspace's remote state consumers are listed, added and deleted. */
export const CONSUMERS = "/workspaces/{workspaceId}/relationships/remote-state-consumers";

/** What is said of consumers that mean nothing. */
export const SHARED_GLOBALLY =
  "the workspace shares its state with its whole organization (globalRemoteState): who is written here makes no difference until it no longer does";

/**
 * Who may read a workspace's state. Added by POST and removed by DELETE: a PATCH replaces the whole list, and would
 * lose whom somebody adds a moment before.
 */
export const consumerLink: Link = {
  field: "consumerIds",
  isCreatedWith: true,
  read: readConsumers,
  async write(context, address, { from, to }) {
    const [before, after] = [wordsIn(from), wordsIn(to)];
    const added = after.filter((id) => !before.includes(id));
    const dropped = before.filter((id) => !after.includes(id));
    if (added.length > 0) await change(context, "POST", address, added);
    if (dropped.length > 0) await change(context, "DELETE", address, dropped);
  },
};

/**
 * Removes what the program wrote, and nobody else. A lost answer is looked at.
 * @throws ServiceError where nothing proves that it happened.
 */
export async function removeConsumers(
  context: ObjectHookContext,
  address: Address,
  { consumerIds }: Values,
): Promise<void> {
  const ids = wordsIn(consumerIds);
  if (ids.length === 0) return;
  await removeOnce(context, { method: "DELETE", path: CONSUMERS, answers: "nothing" }, address, {
    body: identified(ids),
    isGone: (asking) => areRemoved(asking, address, ids),
  });
}

/** Whether a workspace shares its state with its whole organization, so that its consumers mean nothing. */
export function isSharedGlobally(body: Observation["body"]): boolean {
  return body["global-remote-state"] === true;
}

/** Consumers as they travel. */
export function identified(ids: readonly string[]): { data: Json[] } {
  return { data: ids.map((id) => ({ type: "workspaces", id })) };
}

/**
 * The consumers, every page of them. Where the state is shared with the whole organization the list holds everybody,
 * and says nothing of who was authorised: what the program wrote is taken to be still so. The list never holds what
 * the token cannot read, so of those that are missing from it only who can be read is really missing.
 */
async function readConsumers(
  context: ObjectHookContext,
  address: Address,
  { written, body }: LinkContext,
): Promise<Json> {
  const ours = wordsIn(written);
  if (isSharedGlobally(body)) {
    tell(context, "warning", SHARED_GLOBALLY);
    return ours;
  }
  const shown = await shownConsumers(context, address);
  const missing = ours.filter((id) => !shown.includes(id));
  const hidden = await unreadable(context, missing);
  if (hidden.length > 0) {
    const what = `this token cannot read ${hidden.join(", ")}, which the list never shows then; taken to be as written`;
    tell(context, "info", what);
  }
  return [...shown, ...hidden];
}

async function shownConsumers(context: ObjectHookContext, address: Address): Promise<string[]> {
  const listing = listRequestOf(context, { method: "GET", path: CONSUMERS }, address);
  const ids: string[] = [];
  for await (const { id } of listed(listing, TO_ITS_END, documentsIn)) ids.push(textIn(id) ?? "");
  return ids;
}

/** Who of these is absent, or cannot be seen with this token: a 404 says no more. */
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

/** Whether the list shows none of these, and would show at least one of them. */
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
  const route: Route = { method, path: CONSUMERS, answers: "nothing" };
  await sendWrite(context, route, address, { body: identified(ids) });
}

/** What each step has said already, by its label: it reads before and after its write, with time of its own then. */
const told = new WeakMap<ObjectHookContext["label"], Set<string>>();

function tell(context: ObjectHookContext, level: "info" | "warning", what: string): void {
  const before = told.get(context.label) ?? new Set();
  if (context.step === "delete" || before.has(what)) return;
  told.set(context.label, before.add(what));
  context.log(level, what);
}
