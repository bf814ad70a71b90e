import { procedures as all, endedInUps, type Trial } from "../steps/procedures";
import { Resource } from "../steps/resource";
import { secretsWorld } from "../steps/subjects/secretsScene";
import type { World } from "../steps/world";
import { reset } from "./reset";
import { startBareBao } from "./servers/bao";
import { givenServer, type Running, type Server, tell, theServer } from "./servers/server";

export { endedInUps };

/**
 * The procedures that this suite can stage on the server of this run: those of the recovery key, each on a server of its
 * own, and the check-out. Credentials need a broker, a cloud or a role of the directory beside it.
 */
export const procedures: readonly (readonly [string, Trial])[] = all
  .filter(([token]) => givenServer()?.program === "bao" && isServed(token))
  .map(([token, trial]) => [token, onServer(token, trial)]);

function isServed(token: string): boolean {
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
      const server = await fresh();
      const world = await onIts(server, () => secretsWorld(trial.definition));
      if (trial === rekey) return { world, program: program(server) };
      const before = new Resource(world.another(), rekey.definition);
      await before.create(program(server));
      const { nonce, keysBase64 } = before.outputs;
      return { world, program: { rekeyNonce: nonce ?? "", shares: keysBase64 ?? [] } };
    },
  };
}

let last: Running | undefined;

/** A server of one's own; the one before it is ended. */
async function fresh(): Promise<Server> {
  await last?.stop();
  last = await startBareBao();
  return last.server;
}

/** Makes a world on another server than the one of this run. */
async function onIts(server: Server, make: () => Promise<World>): Promise<World> {
  const own = theServer();
  tell(server);
  try {
    return await make();
  } finally {
    tell(own);
  }
}

afterAll(async () => {
  await last?.stop();
  last = undefined;
});
