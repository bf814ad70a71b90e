import fc from "fast-check";
import type { Values } from "../../../provider/core/language/object";
import type { AnyDefinition } from "../../../provider/core/language/resource";
import type { Json } from "../../../provider/core/value/json";
import { stringsIn } from "../../../provider/core/value/scalar";
import dataRetentionPolicy from "../../../provider/services/workspaces/dataRetentionPolicy";
import { consumerReferences } from "../../../provider/services/workspaces/remoteStateConsumerList";
import remoteStateConsumers from "../../../provider/services/workspaces/remoteStateConsumers";
import workspaceLock from "../../../provider/services/workspaces/workspaceLock";
import workspaceSshKey from "../../../provider/services/workspaces/workspaceSshKey";
import { WorkspacesService } from "../../../testing/stub/services/workspaces/service";
import { switchesFor } from "../../dialect";
import { expectAccepted } from "../rejectedRequest";
import type { Edit, Subject } from "../subject";
import { World } from "../world";
import { defined, maybe } from "./arbitraries";

/** The workspace `app`, to which these resources belong. */
export const WORKSPACE_ID = "ws-app";
/** The variable set `shared`, to which variables belong. */
export const VARIABLE_SET_ID = "varset-shared";
const KEYS = ["sshkey-deploy", "sshkey-modules", "sshkey-spare"];
const OUTPUTS = [
  { name: "url", value: "https://app.example.com" },
  { name: "password", value: "hush-of-the-app", sensitive: true },
];
const SEED = {
  tokens: {
    owner: { user: "olga", organizations: { acme: ["owners"] } },
    other: { user: "otto", organizations: { acme: ["owners"] } },
    // May lock the workspace, but has no admin permission.
    runner: { user: "rita", organizations: { acme: ["runners"] } },
  },
  organizations: {
    acme: {
      sshKeys: KEYS,
      variableSets: [VARIABLE_SET_ID],
      teams: { runners: { workspaces: { app: { runs: true, locking: true } } } },
    },
  },
  workspaces: ["app", "web", "api", "ops", "lab"].map((name) => ({
    organization: "acme",
    name,
    id: `ws-${name}`,
    ...(name === "app" && { outputs: OUTPUTS }),
  })),
};
const AT = `/api/v2/workspaces/${WORKSPACE_ID}/relationships`;
const headers = { authorization: "Bearer owner", "content-type": "application/vnd.api+json" };

export function workspaceWorld(definition: AnyDefinition, more: object = {}): World {
  const service = new WorkspacesService({ seed: { ...SEED, ...more }, switches: switchesFor(definition) });
  return new World(service, definition, { token: "owner", organization: "acme" });
}

async function ask(world: World, method: string, path: string, data?: Json): Promise<void> {
  const answer = await world.send(
    method,
    `${AT}/${path}`,
    data === undefined ? undefined : { data },
    headers,
  );
  expectAccepted(answer);
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
  // The create reads its organization first.
  createTakes: () => ["GET", "GET", "POST", "GET"],
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
    expectAccepted(answer);
  },
  createTakes: () => ["GET", "POST"],
};

const readers = fc.uniqueArray(fc.constantFrom("ws-web", "ws-api", "ws-ops"), { maxLength: 3 });

const consumers: Subject = {
  definition: remoteStateConsumers,
  world: async () => workspaceWorld(remoteStateConsumers),
  programs: ofWorkspace(
    fc
      .record({ consumerIds: readers, exclusive: maybe(fc.boolean()) })
      .map(({ consumerIds, exclusive }) => defined({ consumerIds, exclusive })),
  ),
  edits: fc
    .constantFrom<Json[]>(["ws-web"], ["ws-lab"], ["ws-api", "ws-lab"], [])
    .map((value): Edit => ({ property: "consumerIds", value })),
  edit: (world, _, { value }) =>
    ask(world, "PATCH", "remote-state-consumers", consumerReferences(stringsIn(value)).data),
  async takeAway(world) {
    const answer = await world.send("DELETE", `/api/v2/workspaces/${WORKSPACE_ID}`, undefined, headers);
    expectAccepted(answer);
  },
  async isTakenAway(world, { record: records }) {
    const { json } = await world.send("GET", `${AT}/remote-state-consumers`, undefined, headers);
    // The stub answers a JSON:API list.
    const { data } = json as { data: { id: string }[] };
    return !data.some(({ id }) => stringsIn(records.lastApplied.consumerIds).includes(id));
  },
  createTakes: ({ consumerIds }) =>
    stringsIn(consumerIds).length === 0 ? ["GET", "GET"] : ["GET", "GET", "POST", "GET", "GET"],
  refreshTakes: () => 2,
};

/** The sub-resources of a workspace. */
export const ofWorkspaceSubjects: readonly Subject[] = [policy, sshKey, lock, consumers];
