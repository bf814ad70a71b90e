import { procedures as all, endedInUps, type Trial } from "../steps/procedures";
import { Resource } from "../steps/resource";
import { secretsWorld } from "../steps/subjects/secretsScene";
import type { World } from "../steps/world";
import { reset } from "./reset";
import { startBareBao } from "./servers/bao";
import { givenServer, type Running, type Server, setServer, theServer } from "./servers/server";

export { endedInUps };

/**
 * The procedures that the tests can prepare on this run's server: those of the recovery key, each on a separate
 * server, and the check-out. The others need a broker, a cloud or a role of the LDAP directory.
 */
export const procedures: readonly (readonly [string, Trial])[] = all
  .filter(([token]) => givenServer()?.program === "bao" && isSupported(token))
  .map(([token, trial]) => [token, onServer(token, trial)]);

function isSupported(token: string): boolean {
  if (token === "secrets:LibraryCheckOut") return theServer().more.directory !== undefined;
  return token.startsWith("secrets:RecoveryKey");
}

function onServer(token: string, trial: Trial): Trial {
  if (token === "secrets:LibraryCheckOut") {
    return {
      ...trial,
      async scene() {
        await reset();
        return trial.scene();
      },
    };
  }
  const [, rekey] = all.find(([one]) => one === "secrets:RecoveryKeyRekey") ?? [];
  if (rekey === undefined) throw new Error("there is no rekey");
  const program = (server: Server) => ({
    secretShares: 3,
    secretThreshold: 2,
    shares: (server.more.recoveryShares ?? "").split(" ").slice(0, 2),
  });
  return {
    ...trial,
    async scene() {
      const server = await startSeparateServer();
      const world = await withServer(server, () => secretsWorld(trial.definition));
      if (trial === rekey) return { world, program: program(server) };
      const before = new Resource(world.another(), rekey.definition);
      await before.create(program(server));
      const { nonce, keysBase64 } = before.outputs;
      return { world, program: { rekeyNonce: nonce ?? "", shares: keysBase64 ?? [] } };
    },
  };
}

let lastServer: Running | undefined;

/** Starts a separate server, and stops the previous one. */
async function startSeparateServer(): Promise<Server> {
  await lastServer?.stop();
  lastServer = await startBareBao();
  return lastServer.server;
}

/** Creates a world on a different server than this run's. */
async function withServer(server: Server, make: () => Promise<World>): Promise<World> {
  const previous = theServer();
  setServer(server);
  try {
    return await make();
  } finally {
    setServer(previous);
  }
}

afterAll(async () => {
  await lastServer?.stop();
  lastServer = undefined;
});
