import type { Values } from "../../provider/core/language/object";
import type { Json } from "../../provider/core/value/json";
import recoveryKeyRekey from "../../provider/services/secrets/recoveryKeyRekey";
import recoveryKeyVerification from "../../provider/services/secrets/recoveryKeyVerification";
import { secretsWorld } from "../steps/subjects/secretsScene";
import { CERTAIN_MOMENTS, type Moment, momentsOf } from "./clustered/failover";
import {
  type PreparedResource,
  prepareResource,
  type UpResult,
  upDuringFailover,
} from "./clustered/repeatedUp";
import { clusterOfTests, clusters } from "./servers/clusters";
import { givenServer } from "./servers/server";

const single = givenServer();
const start = single && clusters[single.program];

const CERTAIN = momentsOf(CERTAIN_MOMENTS);

/** The writes of a rekey that needs two shares, and of a verification that needs two. */
const REKEY_WRITES = ["the start", "the first share", "the last share"] as const;
const VERIFICATION_WRITES = ["the first share", "the last share"] as const;

if (single?.program !== "bao" || start === undefined) {
  test.skip("a rekey on a cluster needs an OpenBao server", () => undefined);
} else {
  const clustered = clusterOfTests(start, single);
  /** The shares of the current recovery key. */
  let currentShares: readonly Json[] = [];
  beforeAll(() => {
    currentShares = (clustered().server.more.recoveryShares ?? "").split(" ");
  });

  const programBy = (shares: readonly Json[]): Values => ({
    secretShares: 3,
    secretThreshold: 2,
    shares: shares.slice(0, 2),
  });

  const rekey = async () =>
    prepareResource(clustered(), recoveryKeyRekey, await secretsWorld(recoveryKeyRekey));
  const verification = async () =>
    prepareResource(clustered(), recoveryKeyVerification, await secretsWorld(recoveryKeyVerification));

  /** The shares of the new key that a rekey returned. */
  const newShares = ({ resource }: PreparedResource) => resource.outputs.keysBase64 as readonly Json[];

  /**
   * Whether these are shares of the current key: a rekey accepts them. The rekey is canceled before it changes
   * anything.
   */
  async function isInForce(shares: readonly Json[]): Promise<boolean> {
    const { client, resource } = await rekey();
    try {
      await resource.create({ ...programBy(shares), cancelRunning: true });
      return true;
    } catch {
      return false;
    } finally {
      await resource.delete().catch(() => undefined);
      await client.close();
    }
  }

  function logResult(what: string, moment: Moment, { messages, output }: UpResult): void {
    process.stderr.write(
      `${what}, ${moment}: ${messages.length} errors\n${output === "" ? "" : `  ${output}\n`}`,
    );
  }

  /** Verifies the new shares while all servers run. They then become the shares of the current key. */
  async function verifyShares(completed: PreparedResource): Promise<void> {
    const { client, resource } = await verification();
    await resource.create({
      rekeyNonce: completed.resource.outputs.nonce ?? "",
      shares: [...newShares(completed)],
    });
    expect(resource.outputs.phase).toBe("complete");
    currentShares = newShares(completed);
    await client.close();
  }

  describe(`a rekey on a cluster of three servers (${single.version})`, () => {
    const cases = REKEY_WRITES.flatMap((what, at) =>
      CERTAIN.map(([when, moment]) => [what, when, at + 1, moment] as const),
    );
    test.each(cases)(
      "completes by repeated updates; the active server is killed at %s, %s",
      async (what, _, number, moment) => {
        const own = await rekey();
        const program = programBy(currentShares);
        const result = await upDuringFailover(clustered(), own, program, moment, number);
        logResult(`secrets:RecoveryKeyRekey, ${what}`, moment, result);
        expect(result.isDone).toBe(true);
        expect(own.resource.outputs.phase).toBe("verification");
        expect(own.resource.preview(program).changes).toEqual([]);
        await clustered().cluster.makeComplete(clustered().server.token);
        await verifyShares(own);
        expect(await isInForce(currentShares)).toBe(true);
        await own.client.close();
      },
    );
  });

  describe(`a verification on a cluster of three servers (${single.version})`, () => {
    const cases = VERIFICATION_WRITES.flatMap((what, at) =>
      CERTAIN.map(([when, moment]) => [what, when, at + 1, moment] as const),
    );
    test.each(cases)(
      "reports success only if the new key is in force; the active server is killed at %s, %s",
      async (what, _, number, moment) => {
        const completed = await rekey();
        await completed.resource.create(programBy(currentShares));
        const shares = newShares(completed);
        const own = await verification();
        const program = { rekeyNonce: completed.resource.outputs.nonce ?? "", shares: [...shares] };
        const result = await upDuringFailover(clustered(), own, program, moment, number);
        logResult(`secrets:RecoveryKeyVerification, ${what}`, moment, result);
        const isNew = await isInForce(shares);
        expect(isNew || (await isInForce(currentShares))).toBe(true);
        const reportsSuccess = result.isDone && own.resource.outputs.phase === "complete";
        process.stderr.write(
          `  reported as complete: ${reportsSuccess}; in force: ${isNew ? "the new key" : "the old one"}\n`,
        );
        // If the step does not report success, it must report an error.
        if (reportsSuccess) expect(isNew).toBe(true);
        else expect(result.messages.length).toBeGreaterThan(0);
        if (isNew) currentShares = shares;
        await completed.client.close();
        await own.client.close();
      },
    );
  });
}
