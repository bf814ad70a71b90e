import fc from "fast-check";
import type { Definition, Values } from "../../../provider/core/define";
import type { Json } from "../../../provider/core/json";
import dataRetentionPolicy from "../../../provider/services/workspaces/dataRetentionPolicy";
import workspaceLock from "../../../provider/services/workspaces/workspaceLock";
import workspaceSshKey from "../../../provider/services/workspaces/workspaceSshKey";
import { WorkspacesService } from "../../../testing/stub/services/workspaces/service";
import type { Edit, Subject } from "../subject";
import { World } from "../world";

/** The workspace `app`, to which these resources belong. */
export const WORKSPACE_ID = "ws-app";
const KEYS = ["sshkey-deploy", "sshkey-modules", "sshkey-spare"];
const SEED = {
  tokens: {
    owner: { user: "olga", organizations: { acme: ["owners"] } },
    other: { user: "otto", organizations: { acme: ["owners"] } },
    // May lock, but administers nothing.
    runner: { user: "rita", organizations: { acme: ["runners"] } },
  },
  organizations: {
    acme: { sshKeys: KEYS, teams: { runners: { workspaces: { app: { runs: true, locking: true } } } } },
  },
  workspaces: [{ organization: "acme", name: "app", id: WORKSPACE_ID }],
};
const AT = `/api/v2/workspaces/${WORKSPACE_ID}/relationships`;
const headers = { authorization: "Bearer owner", "content-type": "application/vnd.api+json" };

export function workspaceWorld(definition: Definition, more: object = {}): World {
  const service = new WorkspacesService({ seed: { ...SEED, ...more } });
  return new World(service, definition, { token: "owner", organization: "acme" });
}

async function ask(world: World, method: string, path: string, data?: Json): Promise<void> {
  const answer = await world.send(
    method,
    `${AT}/${path}`,
    data === undefined ? undefined : { data },
    headers,
  );
  if (answer.status >= 300) throw new Error(answer.text);
}

const ofWorkspace = (own: fc.Arbitrary<Values>) =>
  own.map((more) => ({ workspaceId: WORKSPACE_ID, ...more }));

const days = fc.constantFrom(1, 30, 90);
const key = fc.constantFrom(...KEYS);

const policy: Subject = {
  definition: dataRetentionPolicy,
  world: async () => workspaceWorld(dataRetentionPolicy),
  programs: ofWorkspace(fc.record({ deleteOlderThanDays: days })),
  edits: days.map((value): Edit => ({ property: "deleteOlderThanDays", value })),
  edit: (world, _, { value }) =>
    ask(world, "POST", "data-retention-policy", {
      type: "data-retention-policy-delete-olders",
      attributes: { "delete-older-than-n-days": value },
    }),
  takeAway: (world) => ask(world, "DELETE", "data-retention-policy"),
  createTakes: () => ["GET", "POST", "GET"],
};

const sshKey: Subject = {
  definition: workspaceSshKey,
  world: async () => workspaceWorld(workspaceSshKey),
  programs: ofWorkspace(fc.record({ sshKeyId: key })),
  edits: key.map((value): Edit => ({ property: "sshKeyId", value })),
  edit: (world, _, { value }) =>
    ask(world, "PATCH", "ssh-key", { type: "workspaces", attributes: { id: value } }),
  takeAway: (world) => ask(world, "PATCH", "ssh-key", { type: "workspaces", attributes: { id: null } }),
  createTakes: () => ["GET", "PATCH"],
};

const lock: Subject = {
  definition: workspaceLock,
  isFixed: true,
  world: async () => workspaceWorld(workspaceLock),
  programs: fc.constantFrom(
    { workspaceId: WORKSPACE_ID, reason: "upgrade" },
    { workspaceId: WORKSPACE_ID, reason: "upgrade", forceUnlock: true },
  ),
  edits: fc.constant({ property: "reason", value: "upgrade" }),
  edit: async () => undefined,
  async takeAway(world) {
    const path = `/api/v2/workspaces/${WORKSPACE_ID}/actions/force-unlock`;
    const answer = await world.send("POST", path, undefined, headers);
    if (answer.status >= 300) throw new Error(answer.text);
  },
  createTakes: () => ["POST"],
};

/** What belongs to a workspace and is a resource of its own. */
export const ofWorkspaceSubjects: readonly Subject[] = [policy, sshKey, lock];
