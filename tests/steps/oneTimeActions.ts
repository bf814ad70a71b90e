import type { Action, WriteOnly } from "../../provider/core/language/lifecycles";
import type { Values } from "../../provider/core/language/object";
import type { Definition } from "../../provider/core/language/resource";
import type { Json } from "../../provider/core/value/json";
import cloudRootRotation from "../../provider/services/secrets/cloudRootRotation";
import directoryRoleRotation from "../../provider/services/secrets/directoryRoleRotation";
import directoryRootRotation from "../../provider/services/secrets/directoryRootRotation";
import queueConnection from "../../provider/services/secrets/queueConnection";
import recoveryBackupDeletion from "../../provider/services/secrets/recoveryBackupDeletion";
import recoveryKeyRekey from "../../provider/services/secrets/recoveryKeyRekey";
import workspaceForceUnlock from "../../provider/services/workspaces/workspaceForceUnlock";
import { INITIAL_SHARES } from "../../testing/stub/services/secrets/rekey/records";
import { SecretsService } from "../../testing/stub/services/secrets/service";
import { WorkspacesService } from "../../testing/stub/services/workspaces/service";
import { backedUpRekey } from "./procedures";
import { Resource } from "./resource";
import { World } from "./world";

/** A one-time action or a write-only resource, with everything that its property tests need. */
export interface OneTimeAction {
  readonly definition: Definition<Action | WriteOnly>;
  /** A fresh service, and a program for it. */
  scene(): Promise<Scene>;
}

export interface Scene {
  readonly world: World;
  readonly program: Values;
  /** A program with a different value that is sent to the service. Undefined for an action. */
  readonly another?: Values;
  /** Makes the action possible again, as another user. Default: it is always possible. */
  again?(world: World): Promise<void>;
}

const secretsHeaders = { "x-secrets-token": "root", "content-type": "application/json" };

async function secretsScene(
  definition: OneTimeAction["definition"],
  writes: Record<string, Json>,
  program: Values,
): Promise<Scene> {
  const world = new World(
    new SecretsService({ switches: { dialect: "neutral" }, seed: { tokens: { root: {} } } }),
    definition,
    {
      token: "root",
    },
  );
  for (const [path, body] of Object.entries(writes)) {
    const answer = await world.send("POST", `/v1/${path}`, body, secretsHeaders);
    if (answer.status >= 300) throw new Error(answer.text);
  }
  // The preparation was finished a while ago.
  world.now += 60_000;
  return { world, program };
}

const directory = { "ldap/config": { binddn: "cn=admin", bindpass: "secret" } };

const connection = { connectionUri: "http://broker:15672", username: "admin", password: "hush" };

const list: readonly OneTimeAction[] = [
  {
    definition: queueConnection,
    scene: async () => ({
      ...(await secretsScene(queueConnection, {}, connection)),
      another: { ...connection, password: "hush hush" },
    }),
  },
  {
    definition: cloudRootRotation,
    scene: () =>
      secretsScene(
        cloudRootRotation,
        { "cloud/config/root": { access_key: "AKIA", secret_key: "hush" } },
        {},
      ),
  },
  { definition: directoryRootRotation, scene: () => secretsScene(directoryRootRotation, directory, {}) },
  {
    definition: directoryRoleRotation,
    scene: () =>
      secretsScene(
        directoryRoleRotation,
        { ...directory, "ldap/static-role/db": { username: "svc", rotation_period: "1h" } },
        { roleName: "db" },
      ),
  },
  {
    definition: recoveryBackupDeletion,
    async scene() {
      const prepared = await secretsScene(recoveryBackupDeletion, {}, {});
      await backUp(prepared.world);
      return { ...prepared, again: backUp };
    },
  },
  { definition: workspaceForceUnlock, scene: lockedWorkspace },
];

const LOCKED = { organization: "acme", name: "app", lockedBy: { user: "bob" }, lockedReason: "mine" };

/** Another user's rekey with a backup of the new shares. */
async function backUp(world: World): Promise<void> {
  world.stub.seed({ recoveryKey: { shares: INITIAL_SHARES, threshold: 2 } });
  await new Resource(world.another(), recoveryKeyRekey).create(backedUpRekey);
}

async function lockedWorkspace(): Promise<Scene> {
  const service = new WorkspacesService({
    switches: { dialect: "neutral" },
    seed: {
      tokens: { owner: { user: "ada", organizations: { acme: ["owners"] } } },
      organizations: { acme: {} },
      workspaces: [LOCKED],
    },
  });
  const world = new World(service, workspaceForceUnlock, { token: "owner" });
  const { json } = await world.send("GET", "/api/v2/organizations/acme/workspaces/app", undefined, {
    authorization: "Bearer owner",
  });
  // The stub answers a JSON:API document.
  const { id } = (json as { data: { id: string } }).data;
  const again = async ({ stub }: World) => stub.seed({ workspaces: [LOCKED] });
  return { world, program: { workspaceId: id }, again };
}

/** Every action and write-only definition, by its token; a test compares the list with the catalog. */
export const oneTimeActions: readonly (readonly [string, OneTimeAction])[] = list.map((action) => [
  action.definition.token,
  action,
]);
