import { oneTimeActions as all, type OneTimeAction, type Scene } from "../steps/oneTimeActions";
import { secretsWorld } from "../steps/subjects/secretsScene";
import { reset } from "./reset";
import { givenServer, type Program, theServer } from "./servers/server";
import { lockedWorkspace } from "./subjects/workspaces";

/** The server that each action needs, and the additional program. */
const REQUIREMENTS: Readonly<Record<string, readonly [Program, needs?: string]>> = {
  "secrets:QueueConnection": ["bao", "broker"],
  "secrets:DirectoryRootRotation": ["bao", "directory"],
  "secrets:DirectoryRoleRotation": ["bao", "directory"],
  "secrets:RecoveryBackupDeletion": ["bao"],
  "workspaces:WorkspaceForceUnlock": ["otfd"],
};

/** Every action that this run's server supports, each on a reset server. */
export const oneTimeActions: readonly (readonly [string, OneTimeAction])[] = all
  .filter(([token]) => isSupported(token))
  .map(([token, action]) => [token, { ...action, scene: () => prepareScene(token, action) }]);

function isSupported(token: string): boolean {
  const server = givenServer();
  const [program, needs] = REQUIREMENTS[token] ?? [];
  return (
    server !== undefined &&
    server.program === program &&
    (needs === undefined || server.more[needs] !== undefined)
  );
}

async function prepareScene(token: string, action: OneTimeAction): Promise<Scene> {
  await reset();
  if (token === "workspaces:WorkspaceForceUnlock") return lockedWorkspace();
  // A backup needs real PGP keys, so this deletes a backup that does not exist.
  if (token === "secrets:RecoveryBackupDeletion")
    return { world: await secretsWorld(action.definition), program: {} };
  const scene = await action.scene();
  if (token !== "secrets:QueueConnection") return scene;
  const connection = { connectionUri: theServer().more.broker ?? "", username: "guest", password: "guest" };
  return {
    world: scene.world,
    program: { ...connection, usernameTemplate: "a-{{random 8}}" },
    another: { ...connection, usernameTemplate: "b-{{random 8}}" },
  };
}
