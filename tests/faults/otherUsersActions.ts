import { unwrappedAnswer } from "../../provider/services/secrets/service";
import { INITIAL_SHARES } from "../../testing/stub/services/secrets/rekey/records";
import { backedUpRekey } from "../steps/procedures";
import { expectAccepted, RejectedRequest } from "../steps/rejectedRequest";
import { read, take, write } from "../steps/subjects/secretsScene";
import type { World } from "../steps/world";
import type { FaultSubject } from "./faultSubject";

/** Changes by another user that concern an action: the same action, or one that reverts it. */
export type OtherUsersActions = Pick<
  FaultSubject,
  "repeatsAction" | "revertsAction" | "takeAway" | "otherUsersPaths"
>;

const post =
  (path: string, body: Readonly<Record<string, string>> = {}) =>
  async (world: World): Promise<void> => {
    await write(world, path, body);
  };

const issues =
  (path: string) =>
  async (world: World): Promise<void> =>
    expectAccepted(await world.send("GET", `/v1/${path}`, undefined, ROOT));

/** The headers of both dialects. */
const ROOT = { "x-secrets-token": "root", "x-vault-token": "root" };

/** The prefix of the rekey paths on a server. */
async function rekeyOn(world: World): Promise<string> {
  const first = "sys/rekey-recovery-key";
  const { status } = await world.send("GET", `/v1/${first}/init`, undefined, ROOT);
  return status === 404 ? "sys/rotate/recovery" : first;
}

/** Checks an account out with another user's token. */
async function checksOut(world: World): Promise<void> {
  world.stub.seed({ tokens: { another: {} } });
  const headers = { "x-secrets-token": "another", "content-type": "application/json" };
  expectAccepted(await world.send("POST", "/v1/ldap/library/ops/check-out", {}, headers));
}

async function checksInAll(world: World): Promise<void> {
  const status = await read(world, "ldap/library/ops/status");
  const lent = Object.entries(status).filter(([, one]) => Object(one).available === false);
  if (lent.length === 0) throw new RejectedRequest(404, "nothing is lent");
  const names = lent.map(([name]) => name);
  await write(world, "ldap/library/manage/ops/check-in", { service_account_names: names });
}

/** The status of the rekey. */
async function rekey(world: World): Promise<{ readonly nonce: string; readonly started: boolean }> {
  const { json = null } = await world.send("GET", `/v1/${await rekeyOn(world)}/init`, undefined, ROOT);
  // The stub returns its status, in an envelope or without one.
  return unwrappedAnswer(json) as unknown as { nonce: string; started: boolean };
}

/** Gives a share of the current key to the running rekey, or starts a rekey. */
async function rekeys(world: World): Promise<void> {
  const { nonce, started } = await rekey(world);
  const [, , share = ""] = INITIAL_SHARES;
  const prefix = await rekeyOn(world);
  if (started) await write(world, `${prefix}/update`, { key: share, nonce });
  else await write(world, `${prefix}/init`, { secret_shares: 5, secret_threshold: 3 });
}

/** Gives the last share of a new key to its verification. */
async function verifies(world: World): Promise<void> {
  // The dump contains the service's rekey.
  const { recovery } = world.stub.dump() as {
    recovery: { attempt: { verification: { nonce: string; shares: string[] } | null } | null };
  };
  const verification = recovery.attempt?.verification ?? undefined;
  if (verification === undefined) throw new RejectedRequest(404, "nothing is to be verified");
  const { nonce, shares } = verification;
  await write(world, `${await rekeyOn(world)}/verify`, { key: shares.at(-1) ?? "", nonce });
}

const lock = (user: string) => async (world: World) =>
  world.stub.seed({
    workspaces: [{ organization: "acme", name: "app", lockedBy: { user }, lockedReason: "theirs" }],
  });

async function unlocks(world: World): Promise<void> {
  const authorization = "Bearer owner";
  const found = await world.send("GET", "/api/v2/organizations/acme/workspaces/app", undefined, {
    authorization,
  });
  // The stub returns a JSON:API document.
  const { id } = (found.json as { data: { id: string } }).data;
  expectAccepted(
    await world.send("POST", `/api/v2/workspaces/${id}/actions/force-unlock`, undefined, { authorization }),
  );
}

/** Creates another user's backup of different shares. */
async function backsUp(world: World): Promise<void> {
  const { pgpKeys, shares } = backedUpRekey;
  world.stub.seed({ recoveryKey: { shares: INITIAL_SHARES, threshold: 2 } });
  const prefix = await rekeyOn(world);
  const { nonce } = await write(world, `${prefix}/init`, {
    secret_shares: 3,
    secret_threshold: 2,
    pgp_keys: pgpKeys ?? [],
    backup: true,
  });
  for (const key of Array.isArray(shares) ? shares : [])
    await write(world, `${prefix}/update`, { key, nonce: nonce ?? "" });
}

const LOCK = "/api/v2/workspaces/ws-app/actions";

/** Unlocks a workspace by force, and locks it as another user. */
async function replacesLock(world: World): Promise<void> {
  // An unlocked workspace answers with an error, which is ignored.
  await world.send("POST", `${LOCK}/force-unlock`, undefined, { authorization: "Bearer owner" });
  const headers = { authorization: "Bearer other", "content-type": "application/vnd.api+json" };
  expectAccepted(await world.send("POST", `${LOCK}/lock`, { reason: "theirs" }, headers));
}

/** Queues another run of the workspace. */
async function queuesRun(world: World): Promise<void> {
  const headers = { authorization: "Bearer other", "content-type": "application/vnd.api+json" };
  const relationships = { workspace: { data: { type: "workspaces", id: "ws-app" } } };
  expectAccepted(
    await world.send("POST", "/api/v2/runs", { data: { type: "runs", relationships } }, headers),
  );
}

/** Creates another configuration version of the workspace. */
async function createsConfiguration(world: World): Promise<void> {
  const headers = { authorization: "Bearer other", "content-type": "application/vnd.api+json" };
  const path = "/api/v2/workspaces/ws-app/configuration-versions";
  expectAccepted(await world.send("POST", path, { data: { type: "configuration-versions" } }, headers));
}

const PROVIDERS = "/api/v2/organizations/acme/registry-providers";

/** Deletes a provider from the registry, and registers it again. */
async function registersAgain(world: World): Promise<void> {
  const headers = { authorization: "Bearer owner", "content-type": "application/vnd.api+json" };
  expectAccepted(await world.send("DELETE", `${PROVIDERS}/private/acme/app`, undefined, headers));
  const attributes = { name: "app", namespace: "acme", "registry-name": "private" };
  expectAccepted(
    await world.send("POST", PROVIDERS, { data: { type: "registry-providers", attributes } }, headers),
  );
}

const TOKENS = "/api/v2/agent-pools/apool-general/authentication-tokens";
const OWNER = { authorization: "Bearer owner", "content-type": "application/vnd.api+json" };

/** Creates a token with the description of the program's. */
async function createsToken(world: World): Promise<void> {
  const attributes = { description: "of the cluster" };
  expectAccepted(await world.send("POST", TOKENS, { data: { type: "agent-tokens", attributes } }, OWNER));
}

/** Deletes every token of the pool. */
async function deletesTokens(world: World): Promise<void> {
  const { json } = await world.send("GET", TOKENS, undefined, OWNER);
  // The stub returns a JSON:API list.
  const { data } = json as { data: { id: string }[] };
  if (data.length === 0) throw new RejectedRequest(404, "there is none");
  for (const { id } of data)
    expectAccepted(await world.send("DELETE", `/api/v2/authentication-tokens/${id}`, undefined, OWNER));
}

/** Removes all consumers of a workspace's state. */
async function excludesAll(world: World): Promise<void> {
  const path = "/api/v2/workspaces/ws-app/relationships/remote-state-consumers";
  const headers = { authorization: "Bearer owner", "content-type": "application/vnd.api+json" };
  const { json } = await world.send("GET", path, undefined, headers);
  // The stub returns a JSON:API list.
  const { data } = json as { data: { id: string; type: string }[] };
  const all = data.map(({ id, type }) => ({ id, type }));
  expectAccepted(await world.send("DELETE", path, { data: all }, headers));
}

/** Other users' changes to objects, besides edits or if an edit is not possible. */
export const objectChanges: Readonly<Record<string, OtherUsersActions>> = {
  "workspaces:RemoteStateConsumers": { takeAway: excludesAll },
  "workspaces:WorkspaceLock": { repeatsAction: replacesLock, otherUsersPaths: /\.lock\./ },
  "workspaces:RegistryProvider": { repeatsAction: registersAgain },
};

/** Other users' changes by definition. Every action and procedure needs an entry. */
const ACTIONS: Readonly<Record<string, OtherUsersActions>> = {
  "secrets:QueueConnection": {
    repeatsAction: post("msgq/config/connection", {
      connection_uri: "http://theirs:15672",
      username: "theirs",
      password: "theirs",
    }),
  },
  "secrets:CloudRootRotation": { repeatsAction: post("cloud/config/rotate-root") },
  "secrets:DirectoryRootRotation": { repeatsAction: post("ldap/rotate-root") },
  "secrets:DirectoryRoleRotation": { repeatsAction: post("ldap/rotate-role/db") },
  "secrets:RecoveryBackupDeletion": {
    repeatsAction: (world) => take(world, "sys/rekey/recovery-key-backup"),
    revertsAction: backsUp,
  },
  "workspaces:WorkspaceForceUnlock": { repeatsAction: unlocks, revertsAction: lock("carol") },
  "workspaces:Run": { repeatsAction: queuesRun },
  "workspaces:ConfigurationVersion": { repeatsAction: createsConfiguration },
  "workspaces:AgentToken": { repeatsAction: createsToken, revertsAction: deletesTokens },
  "secrets:QueueCredentials": { repeatsAction: issues("msgq/creds/app") },
  "secrets:CloudCredentials": { repeatsAction: issues("cloud/creds/app") },
  "secrets:DirectoryCredentials": { repeatsAction: issues("ldap/creds/app") },
  "secrets:LibraryCheckOut": {
    repeatsAction: checksOut,
    revertsAction: checksInAll,
    otherUsersPaths: /borrower/,
  },
  "secrets:RecoveryKeyRekey": {
    repeatsAction: rekeys,
    revertsAction: async (world) => take(world, `${await rekeyOn(world)}/init`),
    otherUsersPaths: /\.attempt\.new/,
  },
  "secrets:RecoveryKeyVerification": {
    repeatsAction: verifies,
    revertsAction: async (world) => take(world, `${await rekeyOn(world)}/verify`),
  },
};

/** @throws Error if there are no changes for the definition */
export function otherUsersActionsOf(token: string): OtherUsersActions {
  const userChanges = ACTIONS[token];
  if (userChanges === undefined) throw new Error(`what others do about a ${token} is not known`);
  return userChanges;
}
