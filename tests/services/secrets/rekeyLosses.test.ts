import type { Values } from "../../../provider/core/language/object";
import recoveryKeyRekey from "../../../provider/services/secrets/recoveryKeyRekey";
import recoveryKeyVerification from "../../../provider/services/secrets/recoveryKeyVerification";
import { Resource } from "../../steps/resource";
import type { Fate } from "../../steps/world";
import { countOf } from "../expectations";
import { letPass } from "../interference";
import { FAULTS, recordDelivered, up, withFault } from "./faults";
import {
  authorizeRekey,
  backedUp,
  ceremony,
  expectNoShareTwice,
  FIRST,
  INIT,
  keysOf,
  loseUpdateResponse,
  pgpKeys,
  program,
  startRekey,
  startVerification,
  VERIFY,
} from "./rekeyScene";

const unverified = { ...program, requireVerification: false };

describe("rekey with lost responses", () => {
  test("continues in the same up after the response to the first share is lost, and cancels nothing", async () => {
    const { rekey, world } = await ceremony();
    loseUpdateResponse(world, 1);
    await rekey.create(program);
    expect(rekey.outputs.phase).toBe("verification");
    expect(countOf(world, "DELETE")).toBe(0);
  });

  test.each([1, 2])(
    "continues at the next up after the response to share %d and the status are lost",
    async (number) => {
      const { rekey, world } = await ceremony();
      const reached = recordDelivered(world);
      loseUpdateResponse(world, number, { isDownAfter: true });
      await expect(rekey.create(program)).rejects.toThrow("lost its connection");
      world.fate = () => "passes";
      await rekey.up(program);
      expect(rekey.outputs.phase).toBe("verification");
      expectNoShareTwice(reached);
    },
  );

  test("with verification, is canceled and repeated in the same up after the last response is lost", async () => {
    const { rekey, world } = await ceremony();
    const reached = recordDelivered(world);
    loseUpdateResponse(world, 2);
    await rekey.create(program);
    expect(rekey.outputs.phase).toBe("verification");
    expect(reached.filter(({ path }) => path.endsWith("update"))).toHaveLength(4);
    expectNoShareTwice(reached);
    expect(world.logged.join("\n")).toMatch(/was lost; the rekey was canceled/);
  });

  test("without verification, stays in the state after it ended, because its new shares may be lost", async () => {
    const { rekey, ask } = await startRekey([FIRST], { requireVerification: false });
    await ask("DELETE", INIT);
    expect(await rekey.refresh()).toBe(true);
    await expect(rekey.up({ ...unverified, shares: [FIRST] })).rejects.toThrow(
      "If the rekey was canceled, or lost when the active server stopped",
    );
  });

  test("without verification and backup, reports lost shares in every up after the last response is lost", async () => {
    const { rekey, world } = await ceremony();
    loseUpdateResponse(world, 2);
    await expect(rekey.create(unverified)).rejects.toThrow(/the new shares were lost with the response/);
    expect(rekey.outputs.phase).toBe("lost");
    expect(await rekey.refresh()).toBe(true);
    const sent = world.requests.length;
    await expect(rekey.up(unverified)).rejects.toThrow(/the new shares were lost/);
    expect(world.requests.length).toBe(sent);
  });
});

describe("rekey with PGP keys", () => {
  const fingerprintsOf = ({ outputs }: Resource) => outputs.pgpFingerprints as string[];

  test("outputs the shares in the order of the keys that encrypt them, and the fingerprints of the keys", async () => {
    const { rekey, written } = await ceremony({ ...program, pgpKeys });
    expect(written()[0]).toMatchObject({ pgp_keys: pgpKeys });
    expect(fingerprintsOf(rekey)).toHaveLength(3);
    for (const [index, key] of keysOf(rekey).entries())
      expect(atob(key)).toContain(fingerprintsOf(rekey)[index]);
  });

  test("reads the new shares from the server's backup after the last response is lost", async () => {
    const { rekey, world } = await ceremony();
    loseUpdateResponse(world, 2);
    await rekey.create(backedUp);
    expect(rekey.outputs.phase).toBe("complete");
    for (const [index, key] of keysOf(rekey).entries())
      expect(atob(key)).toContain(fingerprintsOf(rekey)[index]);
    expect(world.logged.join("\n")).toContain("read from the server's backup");
  });

  test.each(["neutral", "real"])(
    "reads every share from the backup if one key encrypts several (%s dialect)",
    async (dialect) => {
      const { rekey, world } = await ceremony();
      world.stub.configure({ dialect });
      const own = new Resource(world.with({ dialect }), recoveryKeyRekey);
      const key = btoa("one for two");
      loseUpdateResponse(own.world, 2);
      await own.create({ ...backedUp, pgpKeys: [key, key, btoa("another")] });
      expect(own.outputs.phase).toBe("complete");
      expect(new Set(keysOf(own)).size).toBe(3);
      expect(rekey.id).toBe("");
    },
  );

  test("does not use the backup of another rekey", async () => {
    const { rekey, world, ask } = await ceremony();
    await new Resource(world.another(), recoveryKeyRekey).create(backedUp);
    await rekey.create({ ...backedUp, shares: [btoa("not given yet")] }).catch(() => undefined);
    await ask("DELETE", INIT);
    await expect(rekey.up({ ...backedUp, shares: [FIRST] })).rejects.toThrow(/because there is no backup/);
    expect(rekey.outputs.keys).toBeUndefined();
  });

  test("the next up reads the backup after a read returned 403", async () => {
    const { rekey, world } = await ceremony();
    loseUpdateResponse(world, 2, { isDownAfter: true });
    await expect(rekey.create(backedUp)).rejects.toThrow("lost its connection");
    world.fate = () => "passes";
    world.onResponse = ({ path }, answer) => {
      if (path.endsWith("backup"))
        Object.assign(answer, { status: 403, text: '{"errors":["permission denied"]}' });
    };
    await expect(rekey.up(backedUp)).rejects.toThrow("returned 403");
    letPass(world);
    await rekey.up(backedUp);
    expect(rekey.outputs.phase).toBe("complete");
    expect(keysOf(rekey)).toHaveLength(3);
  });

  test("the next up reads the backup after a read returned {}", async () => {
    const { rekey, world } = await ceremony();
    loseUpdateResponse(world, 2);
    world.transformResponse = ({ path }, answer) =>
      path.endsWith("backup") ? { ...answer, text: "{}", json: {} } : answer;
    await expect(rekey.create(backedUp)).rejects.toThrow("an object other than the requested object");
    world.transformResponse = (_, answer) => answer;
    await rekey.up(backedUp);
    expect(keysOf(rekey)).toHaveLength(3);
  });

  test("reads its backup while another user's rekey runs, and does not cancel that rekey", async () => {
    const { rekey, world, ask } = await ceremony();
    loseUpdateResponse(world, 2, { isDownAfter: true });
    await rekey.create(backedUp).catch(() => undefined);
    world.fate = () => "passes";
    const { nonce } = await ask("POST", INIT, { secret_shares: 1, secret_threshold: 1 });
    await rekey.up({ ...backedUp, cancelRunning: true });
    expect(rekey.outputs.phase).toBe("complete");
    expect(await ask("GET", INIT)).toMatchObject({ nonce });
  });
});

describe("rekey verification", () => {
  test("fails if its rekey is not running, because the outcome is unknown, and completes with adopt: true", async () => {
    const { verification, inputs, ask } = await startVerification();
    await ask("DELETE", INIT);
    await expect(verification.create(inputs)).rejects.toThrow(
      /verified, canceled, or lost when the active server stopped.*adopt: true/s,
    );
    expect(verification.id).toBe("");
    await verification.create({ ...inputs, adopt: true });
    expect(verification.outputs.phase).toBe("complete");
  });

  test("fails if its rekey lacks shares of the current key", async () => {
    const { rekey, world } = await startRekey();
    const verification = new Resource(world, recoveryKeyVerification);
    const inputs = { rekeyNonce: String(rekey.outputs.nonce), shares: ["x"] };
    await expect(verification.create(inputs)).rejects.toThrow("so there are no new shares to verify yet");
  });

  test("starts again under the new nonce after another user restarted it, and cancels nothing", async () => {
    const { verification, inputs, partialInputs, ask, world } = await startVerification();
    await verification.create(partialInputs).catch(() => undefined);
    await ask("DELETE", VERIFY);
    await verification.up(inputs);
    expect(verification.outputs.phase).toBe("complete");
    expect(countOf(world, "DELETE")).toBe(0);
  });

  // A rekey that another user cancels at the same moment ends in the same way, but its new shares are not the key.
  test.each([
    ["response is lost", "response lost"],
    ["request is lost while another user cancels", "canceled, lost"],
    ["share is rejected because another user cancels", "canceled"],
    ["share is accepted with an error as the response", "error"],
  ])("is not reported as complete if the last %s", async (_, how) => {
    const { verification, inputs, world, ask } = await startVerification();
    let given = 0;
    world.fate = async ({ method, path }): Promise<Fate> => {
      if (method !== "POST" || !path.endsWith("verify") || ++given < 2) return "passes";
      if (how.startsWith("canceled")) await ask("DELETE", INIT, { nonce: inputs.rekeyNonce });
      if (how === "canceled, lost") return "request lost";
      return how === "response lost" ? how : "passes";
    };
    world.onResponse = ({ method, path }, answer) => {
      if (how !== "error" || method !== "POST" || !path.endsWith("verify") || given < 2) return;
      const text = '{"errors":["1 error occurred"]}';
      Object.assign(answer, { status: 500, json: JSON.parse(text), text });
    };
    await expect(verification.create(inputs)).rejects.toThrow(
      /is no longer in progress\. The share completed the rekey, someone canceled the rekey.*keep the shares of both/,
    );
    expect(verification.outputs.phase).not.toBe("complete");
    letPass(world);
    expect(await authorizeRekey(world, inputs.shares)).toBe(!how.startsWith("canceled"));
    await expect(verification.up(inputs)).rejects.toThrow("is not in progress");
    await verification.up({ ...inputs, adopt: true });
    expect(verification.outputs.phase).toBe("complete");
  });

  test("starts again under another nonce if the server counts a share that someone else gave", async () => {
    const { verification, inputs, world, ask } = await startVerification();
    const { nonce = "" } = await ask("GET", VERIFY);
    await ask("POST", VERIFY, { key: inputs.shares[0] ?? "", nonce });
    const reached = recordDelivered(world);
    await verification.create(inputs);
    expect(verification.outputs.phase).toBe("complete");
    expect(world.logged.join("\n")).toContain("it is unknown which new shares the server had counted");
    const nonces = reached.flatMap(({ path, body }) =>
      path.endsWith("verify") && Object(body).key !== undefined ? [Object(body).nonce] : [],
    );
    expect(nonces).toHaveLength(2);
    expect(nonces).not.toContain(nonce);
  });

  test("fails with wrong shares, and the next up restarts it", async () => {
    const { verification, inputs, world } = await startVerification();
    const reached = recordDelivered(world);
    const wrong = { ...inputs, shares: [inputs.shares[0] ?? "", Buffer.alloc(33, 7).toString("base64")] };
    await expect(verification.create(wrong)).rejects.toThrow(
      /the submitted shares do not form the new key: .*incorrect key shares supplied.* does not report which of the shares are wrong/s,
    );
    await verification.up(inputs);
    expect(verification.outputs.phase).toBe("complete");
    expectNoShareTwice(reached);
  });

  test("stays in the state and sends nothing once it is complete", async () => {
    const { verification, inputs, world } = await startVerification();
    await verification.create(inputs);
    const sent = world.requests.length;
    expect(verification.preview(inputs).changes).toEqual([]);
    expect(await verification.refresh()).toBe(true);
    await verification.delete();
    expect(world.requests.length).toBe(sent);
  });
});

/** Repeats an operation with the remedy that the last error names, as a user would. */
async function retryWithRemedies(
  run: (inputs: Values) => Promise<void>,
  inputs: Values,
  remedies: Readonly<Record<string, Values>>,
  isDone: () => boolean = () => false,
): Promise<string> {
  let failure = "";
  for (let tries = 0; tries < 4 && !isDone(); tries++) {
    const [, more] = Object.entries(remedies).find(([remedy]) => failure.includes(remedy)) ?? [];
    failure = await run({ ...inputs, ...more }).then(() => "", String);
    if (failure === "") break;
  }
  return failure;
}
const canceling = { "cancelRunning: true": { cancelRunning: true } };

describe.each(FAULTS)("one fault (%s)", (fault) => {
  test.each<[string, Values]>([
    ["with verification", {}],
    ["with a backup", { requireVerification: false, backup: true, pgpKeys }],
    ["with neither", { requireVerification: false }],
  ])(
    "a rekey %s sends no share twice under one nonce, and ends with the key or a reported loss",
    async (_, kind) => {
      for (let at = 0; at < 12; at++) {
        const { rekey, world } = await ceremony();
        const reached = recordDelivered(world);
        const inputs: Values = { ...program, ...kind };
        const isReached = await withFault(rekey, { at, fault }, () => rekey.create(inputs));
        const failure = await retryWithRemedies((own) => up(rekey, own), inputs, canceling);
        expectNoShareTwice(reached);
        if (failure === "") {
          expect(["complete", "verification"]).toContain(rekey.outputs.phase);
          expect(keysOf(rekey)).toHaveLength(3);
        } else {
          // Shares can be lost permanently only without verification.
          expect(kind.requireVerification).toBe(false);
          expect(failure).toMatch(/were lost with the response|the submitted shares do not form the key/);
        }
        if (!isReached) break;
      }
    },
  );

  test("a partial rekey continues without sending a share twice", async () => {
    for (let at = 0; at < 10; at++) {
      const { rekey, world } = await ceremony();
      const reached = recordDelivered(world);
      await rekey.create({ ...program, shares: [FIRST] }).catch(() => undefined);
      const isReached = await withFault(rekey, { at, fault }, () => rekey.update(program));
      const isDone = () => rekey.outputs.phase !== "started";
      await retryWithRemedies((own) => rekey.update(own), program, canceling, isDone);
      expect(rekey.outputs.phase).toBe("verification");
      expectNoShareTwice(reached);
      if (!isReached) break;
    }
  });

  test("a verification sends no new share twice, and ends with the new key", async () => {
    for (let at = 0; at < 12; at++) {
      const { rekey, verification, inputs, world } = await startVerification();
      const reached = recordDelivered(world);
      const isReached = await withFault(verification, { at, fault }, () => verification.create(inputs));
      // The user assumes that the ended rekey was verified, and adopts it.
      const adopting = { "adopt: true": { adopt: true } };
      expect(await retryWithRemedies((own) => up(verification, own), inputs, adopting)).toBe("");
      expect(verification.outputs.phase).toBe("complete");
      expectNoShareTwice(reached);
      expect(await authorizeRekey(world, keysOf(rekey))).toBe(true);
      if (!isReached) break;
    }
  });
});
