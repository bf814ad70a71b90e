import type { Values } from "../../provider/core/language/object";
import type { Json } from "../../provider/core/value/json";
import recoveryKeyRekey from "../../provider/services/secrets/recoveryKeyRekey";
import recoveryKeyVerification from "../../provider/services/secrets/recoveryKeyVerification";
import { secretsWorld } from "../steps/subjects/secretsScene";
import { type Moment, momentsOf, SURE } from "./clustered/fall";
import { type Came, type Staged, staged, upUnder } from "./clustered/once";
import { clusterOfTests, clusters } from "./servers/clusters";
import { givenServer } from "./servers/server";

const single = givenServer();
const start = single && clusters[single.program];

const CERTAIN = momentsOf(SURE);

/** The writes of a rekey of which two shares are needed, and of a verification of which two are. */
const OF_A_REKEY = ["its start", "its first share", "its last share"] as const;
const OF_A_VERIFICATION = ["its first share", "its last share"] as const;

if (single?.program !== "bao" || start === undefined) {
  test.skip("no cluster is rekeyed: the server is another one", () => undefined);
} else {
  const clustered = clusterOfTests(start, single);
  /** The shares of the recovery key that is in force. */
  let inForce: readonly Json[] = [];
  beforeAll(() => {
    inForce = (clustered().server.more.recoveryShares ?? "").split(" ");
  });

  const programBy = (shares: readonly Json[]): Values => ({
    secretShares: 3,
    secretThreshold: 2,
    shares: shares.slice(0, 2),
  });

  const rekey = async () => staged(clustered(), recoveryKeyRekey, await secretsWorld(recoveryKeyRekey));
  const verification = async () =>
    staged(clustered(), recoveryKeyVerification, await secretsWorld(recoveryKeyVerification));

  /** Shares that a rekey handed out. */
  const handedOut = ({ resource }: Staged) => resource.outputs.keysBase64 as readonly Json[];

  /** Whether these are shares of the key in force: a rekey takes them, and is cancelled before it changes anything. */
  async function isInForce(shares: readonly Json[]): Promise<boolean> {
    const { way, resource } = await rekey();
    try {
      await resource.create({ ...programBy(shares), cancelRunning: true });
      return true;
    } catch {
      return false;
    } finally {
      await resource.delete().catch(() => undefined);
      await way.close();
    }
  }

  function note(what: string, moment: Moment, { said, told }: Came): void {
    process.stderr.write(`${what}, ${moment}: ${said.length} errors\n${told === "" ? "" : `  ${told}\n`}`);
  }

  /** Gives the new shares back, on a cluster that stays as it is, which makes them the key's. */
  async function verified(made: Staged): Promise<void> {
    const { way, resource } = await verification();
    await resource.create({ rekeyNonce: made.resource.outputs.nonce ?? "", shares: [...handedOut(made)] });
    expect(resource.outputs.phase).toBe("complete");
    inForce = handedOut(made);
    await way.close();
  }

  describe(`a rekey on three servers (${single.version})`, () => {
    const cases = OF_A_REKEY.flatMap((what, at) =>
      CERTAIN.map(([when, moment]) => [what, when, at + 1, moment] as const),
    );
    test.each(cases)(
      "comes to its end, by ups alone; at %s the active server ends %s",
      async (what, _, number, moment) => {
        const own = await rekey();
        const program = programBy(inForce);
        const came = await upUnder(clustered(), own, program, moment, number);
        note(`secrets:RecoveryKeyRekey, ${what}`, moment, came);
        expect(came.isDone).toBe(true);
        expect(own.resource.outputs.phase).toBe("verification");
        expect(own.resource.preview(program).changes).toEqual([]);
        await clustered().cluster.whole(clustered().server.token);
        await verified(own);
        expect(await isInForce(inForce)).toBe(true);
        await own.way.close();
      },
    );
  });

  describe(`a verification on three servers (${single.version})`, () => {
    const cases = OF_A_VERIFICATION.flatMap((what, at) =>
      CERTAIN.map(([when, moment]) => [what, when, at + 1, moment] as const),
    );
    test.each(cases)("says what is so; at %s the active server ends %s", async (what, _, number, moment) => {
      const made = await rekey();
      await made.resource.create(programBy(inForce));
      const shares = handedOut(made);
      const own = await verification();
      const program = { rekeyNonce: made.resource.outputs.nonce ?? "", shares: [...shares] };
      const came = await upUnder(clustered(), own, program, moment, number);
      note(`secrets:RecoveryKeyVerification, ${what}`, moment, came);
      const isNew = await isInForce(shares);
      expect(isNew || (await isInForce(inForce))).toBe(true);
      const isSaidDone = came.isDone && own.resource.outputs.phase === "complete";
      process.stderr.write(
        `  said to be done: ${isSaidDone}; in force: ${isNew ? "the new key" : "the old one"}\n`,
      );
      // Where it is not known to be done, nothing is claimed.
      if (isSaidDone) expect(isNew).toBe(true);
      else expect(came.said.length).toBeGreaterThan(0);
      if (isNew) inForce = shares;
      await made.way.close();
      await own.way.close();
    });
  });
}
