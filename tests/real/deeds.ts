import { deeds as all, type Deed, type Scene } from "../steps/deeds";
import { secretsWorld } from "../steps/subjects/secretsScene";
import { reset } from "./reset";
import { givenServer, type Program, theServer } from "./servers/server";
import { lockedWorkspace } from "./subjects/workspaces";

/** Which program each deed is done on, and what of it must be there. */
const SERVED: Readonly<Record<string, readonly [Program, needs?: string]>> = {
  "secrets:QueueConnection": ["bao", "broker"],
  "secrets:DirectoryRootRotation": ["bao", "directory"],
  "secrets:DirectoryRoleRotation": ["bao", "directory"],
  "secrets:RecoveryBackupDeletion": ["bao"],
  "workspaces:WorkspaceForceUnlock": ["otfd"],
};

/** Every deed that the server of this run has, each on a server without what earlier ones left. */
export const deeds: readonly (readonly [string, Deed])[] = all
  .filter(([token]) => isServed(token))
  .map(([token, deed]) => [token, { ...deed, scene: () => staged(token, deed) }]);

function isServed(token: string): boolean {
  const server = givenServer();
  const [program, needs] = SERVED[token] ?? [];
  return (
    server !== undefined &&
    server.program === program &&
    (needs === undefined || server.more[needs] !== undefined)
  );
}

async function staged(token: string, deed: Deed): Promise<Scene> {
  await reset();
  if (token === "workspaces:WorkspaceForceUnlock") return lockedWorkspace();
  // A backup needs PGP keys of real people: here it is what is not there that is deleted.
  if (token === "secrets:RecoveryBackupDeletion")
    return { world: await secretsWorld(deed.definition), program: {} };
  const scene = await deed.scene();
  if (token !== "secrets:QueueConnection") return scene;
  const connection = { connectionUri: theServer().more.broker ?? "", username: "guest", password: "guest" };
  return {
    world: scene.world,
    program: { ...connection, usernameTemplate: "a-{{random 8}}" },
    another: { ...connection, usernameTemplate: "b-{{random 8}}" },
  };
}
