import type { Values } from "../../../provider/core/language/object";
import recoveryKeyRekey from "../../../provider/services/secrets/recoveryKeyRekey";
import recoveryKeyVerification from "../../../provider/services/secrets/recoveryKeyVerification";
import { Resource } from "../../steps/resource";
import type { Fate } from "../../steps/world";
import { countOf } from "../expectations";
import { letPass } from "../interference";
import { delivered, inTrouble, MISHAPS, up } from "./mishaps";
import {
  backedUp,
  begun,
  ceremony,
  expectNoneTwice,
  FIRST,
  INIT,
  keysOf,
  loseAnswerOf,
  make,
  pgpKeys,
  program,
  VERIFY,
  verifying,
} from "./rekeyScene";

const unverified = { ...program, requireVerification: false };

describe("a rekey", () => {
  test("whose first response is lost continues in the same up, and cancels nothing", async () => {
    const { rekey, world } = await ceremony();
    loseAnswerOf(world, 1);
    await rekey.create(program);
    expect(rekey.outputs.phase).toBe("verification");
    expect(countOf(world, "DELETE")).toBe(0);
  });

  test.each([1, 2])(
    "whose response to share %d and status are lost continues at the next up",
    async (number) => {
      const { rekey, world } = await ceremony();
      const reached = delivered(world);
      loseAnswerOf(world, number, { isDownAfter: true });
      await expect(rekey.create(program)).rejects.toThrow("lost its connection");
      world.fate = () => "passes";
      await rekey.up(program);
      expect(rekey.outputs.phase).toBe("verification");
      expectNoneTwice(reached);
    },
  );

  test("with verification, whose last response is lost, is cancelled and repeated in the same up", async () => {
    const { rekey, world } = await ceremony();
    const reached = delivered(world);
    loseAnswerOf(world, 2);
    await rekey.create(program);
    expect(rekey.outputs.phase).toBe("verification");
    expect(reached.filter(({ path }) => path.endsWith("update"))).toHaveLength(4);
    expectNoneTwice(reached);
    expect(world.logged.join("\n")).toMatch(/were lost with an answer; it was cancelled/);
  });

  test("without verification that is no longer under way stays in the state: its shares may be lost", async () => {
    const { rekey, ask } = await begun([FIRST], { requireVerification: false });
    await ask("DELETE", INIT);
    expect(await rekey.refresh()).toBe(true);
    await expect(rekey.up({ ...unverified, shares: [FIRST] })).rejects.toThrow(
      "either it was cancelled, or lost with an active server",
    );
  });

  test("without verification and backup, whose last response is lost, reports the loss in every up", async () => {
    const { rekey, world } = await ceremony();
    loseAnswerOf(world, 2);
    await expect(rekey.create(unverified)).rejects.toThrow(
      /the shares of the new key were lost with the answer/,
    );
    expect(rekey.outputs.phase).toBe("lost");
    expect(await rekey.refresh()).toBe(true);
    const sent = world.requests.length;
    await expect(rekey.up(unverified)).rejects.toThrow(/the shares of the new key were lost/);
    expect(world.requests.length).toBe(sent);
  });
});

describe("a rekey with PGP keys", () => {
  const prints = ({ outputs }: Resource) => outputs.pgpFingerprints as string[];

  test("encrypts its shares in the order of the keys, and outputs their fingerprints", async () => {
    const { rekey, written } = await ceremony({ ...program, pgpKeys });
    expect(written()[0]).toMatchObject({ pgp_keys: pgpKeys });
    expect(prints(rekey)).toHaveLength(3);
    for (const [index, key] of keysOf(rekey).entries()) expect(atob(key)).toContain(prints(rekey)[index]);
  });

  test("whose last response is lost is read from the server's backup", async () => {
    const { rekey, world } = await ceremony();
    loseAnswerOf(world, 2);
    await rekey.create(backedUp);
    expect(rekey.outputs.phase).toBe("complete");
    for (const [index, key] of keysOf(rekey).entries()) expect(atob(key)).toContain(prints(rekey)[index]);
    expect(world.logged.join("\n")).toContain("read from the service's backup");
  });

  test.each(["neutral", "real"])("keeps each share if one key is for several (%s)", async (dialect) => {
    const { rekey, world } = await ceremony();
    world.stub.configure({ dialect });
    const own = new Resource(world.with({ dialect }), recoveryKeyRekey);
    const key = btoa("one for two");
    loseAnswerOf(own.world, 2);
    await own.create({ ...backedUp, pgpKeys: [key, key, btoa("another")] });
    expect(own.outputs.phase).toBe("complete");
    expect(new Set(keysOf(own)).size).toBe(3);
    expect(rekey.id).toBe("");
  });

  test("does not take the backup of another rekey for its own", async () => {
    const { rekey, world, ask } = await ceremony();
    await new Resource(world.another(), recoveryKeyRekey).create(backedUp);
    await rekey.create({ ...backedUp, shares: [btoa("not given yet")] }).catch(() => undefined);
    await ask("DELETE", INIT);
    await expect(rekey.up({ ...backedUp, shares: [FIRST] })).rejects.toThrow(
      /because there is no backup of it/,
    );
    expect(rekey.outputs.keys).toBeUndefined();
  });

  test("whose backup cannot be read now is read by the next up", async () => {
    const { rekey, world } = await ceremony();
    loseAnswerOf(world, 2, { isDownAfter: true });
    await expect(rekey.create(backedUp)).rejects.toThrow("lost its connection");
    world.fate = () => "passes";
    world.afterwards = ({ path }, answer) => {
      if (path.endsWith("backup"))
        Object.assign(answer, { status: 403, text: '{"errors":["permission denied"]}' });
    };
    await expect(rekey.up(backedUp)).rejects.toThrow("answered 403");
    letPass(world);
    await rekey.up(backedUp);
    expect(rekey.outputs.phase).toBe("complete");
    expect(keysOf(rekey)).toHaveLength(3);
  });

  test("whose backup is answered with {} is read by the next up", async () => {
    const { rekey, world } = await ceremony();
    loseAnswerOf(world, 2);
    world.saying = ({ path }, answer) =>
      path.endsWith("backup") ? { ...answer, text: "{}", json: {} } : answer;
    await expect(rekey.create(backedUp)).rejects.toThrow("what is not the object that was asked for");
    world.saying = (_, answer) => answer;
    await rekey.up(backedUp);
    expect(keysOf(rekey)).toHaveLength(3);
  });

  test("reads its backup also while another user's rekey is under way, and leaves that alone", async () => {
    const { rekey, world, ask } = await ceremony();
    loseAnswerOf(world, 2, { isDownAfter: true });
    await rekey.create(backedUp).catch(() => undefined);
    world.fate = () => "passes";
    const { nonce } = await ask("POST", INIT, { secret_shares: 1, secret_threshold: 1 });
    await rekey.up({ ...backedUp, cancelRunning: true });
    expect(rekey.outputs.phase).toBe("complete");
    expect(await ask("GET", INIT)).toMatchObject({ nonce });
  });
});

describe("a verification", () => {
  test("of a rekey that is not under way says what is unknown, and is adopted on request", async () => {
    const { verification, inputs, ask } = await verifying();
    await ask("DELETE", INIT);
    await expect(verification.create(inputs)).rejects.toThrow(
      /verified, or cancelled, or lost with an active server.*adopt: true/s,
    );
    expect(verification.id).toBe("");
    await verification.create({ ...inputs, adopt: true });
    expect(verification.outputs.phase).toBe("complete");
  });

  test("of a rekey that lacks shares is refused before anything is sent", async () => {
    const { rekey, world } = await begun();
    const verification = new Resource(world, recoveryKeyVerification);
    const inputs = { rekeyNonce: String(rekey.outputs.nonce), shares: ["x"] };
    await expect(verification.create(inputs)).rejects.toThrow("there is nothing to verify yet");
  });

  test("that another user restarted starts again under the new nonce, and cancels nothing", async () => {
    const { verification, inputs, one, ask, world } = await verifying();
    await verification.create(one).catch(() => undefined);
    await ask("DELETE", VERIFY);
    await verification.up(inputs);
    expect(verification.outputs.phase).toBe("complete");
    expect(countOf(world, "DELETE")).toBe(0);
  });

  // A rekey that is cancelled in the same moment is over just so, and its new shares make no key.
  test.each([
    ["response is lost", "response lost"],
    ["request is lost while another user cancels", "cancelled, lost"],
    ["share is refused because another user cancels", "cancelled"],
    ["share is taken and answered with an error", "error"],
  ])("whose last %s is not complete", async (_, how) => {
    const { verification, inputs, world, ask } = await verifying();
    let given = 0;
    world.fate = async ({ method, path }): Promise<Fate> => {
      if (method !== "POST" || !path.endsWith("verify") || ++given < 2) return "passes";
      if (how.startsWith("cancelled")) await ask("DELETE", INIT, { nonce: inputs.rekeyNonce });
      if (how === "cancelled, lost") return "request lost";
      return how === "response lost" ? how : "passes";
    };
    world.afterwards = ({ method, path }, answer) => {
      if (how !== "error" || method !== "POST" || !path.endsWith("verify") || given < 2) return;
      const text = '{"errors":["1 error occurred"]}';
      Object.assign(answer, { status: 500, json: JSON.parse(text), text });
    };
    await expect(verification.create(inputs)).rejects.toThrow(
      /is over: that share completed it, or somebody cancelled it.*keep the shares of both/,
    );
    expect(verification.outputs.phase).not.toBe("complete");
    letPass(world);
    expect(await make(world, inputs.shares)).toBe(!how.startsWith("cancelled"));
    await expect(verification.up(inputs)).rejects.toThrow("is not under way");
    await verification.up({ ...inputs, adopt: true });
    expect(verification.outputs.phase).toBe("complete");
  });

  test("that counts an unknown share starts again under another nonce", async () => {
    const { verification, inputs, world, ask } = await verifying();
    const { nonce = "" } = await ask("GET", VERIFY);
    await ask("POST", VERIFY, { key: inputs.shares[0] ?? "", nonce });
    const reached = delivered(world);
    await verification.create(inputs);
    expect(verification.outputs.phase).toBe("complete");
    expect(world.logged.join("\n")).toContain("which new shares it had counted cannot be told");
    const nonces = reached.flatMap(({ path, body }) =>
      path.endsWith("verify") && Object(body).key !== undefined ? [Object(body).nonce] : [],
    );
    expect(nonces).toHaveLength(2);
    expect(nonces).not.toContain(nonce);
  });

  test("with wrong shares fails, and the next up restarts it", async () => {
    const { verification, inputs, world } = await verifying();
    const reached = delivered(world);
    const wrong = { ...inputs, shares: [inputs.shares[0] ?? "", Buffer.alloc(33, 7).toString("base64")] };
    await expect(verification.create(wrong)).rejects.toThrow(
      /did not make the new key of them: .*incorrect key shares supplied.* does not tell which of them is wrong/s,
    );
    await verification.up(inputs);
    expect(verification.outputs.phase).toBe("complete");
    expectNoneTwice(reached);
  });

  test("that is complete stays in the state, and sends nothing", async () => {
    const { verification, inputs, world } = await verifying();
    await verification.create(inputs);
    const sent = world.requests.length;
    expect(verification.preview(inputs).changes).toEqual([]);
    expect(await verification.refresh()).toBe(true);
    await verification.delete();
    expect(world.requests.length).toBe(sent);
  });
});

/** Repeats an operation as its user would, who follows the remedy that the last failure names. */
async function repeated(
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
const cancelling = { "cancelRunning: true": { cancelRunning: true } };

describe.each(MISHAPS)("with one request %s", (mishap) => {
  test.each<[string, Values]>([
    ["with verification", {}],
    ["with a backup", { requireVerification: false, backup: true, pgpKeys }],
    ["with neither", { requireVerification: false }],
  ])(
    "a rekey %s gives no share twice under one nonce, and ends with the key or a reported loss",
    async (_, kind) => {
      for (let at = 0; at < 12; at++) {
        const { rekey, world } = await ceremony();
        const reached = delivered(world);
        const inputs: Values = { ...program, ...kind };
        const happened = await inTrouble(rekey, { at, mishap }, () => rekey.create(inputs));
        const failure = await repeated((own) => up(rekey, own), inputs, cancelling);
        expectNoneTwice(reached);
        if (failure === "") {
          expect(["complete", "verification"]).toContain(rekey.outputs.phase);
          expect(keysOf(rekey)).toHaveLength(3);
        } else {
          // Only without verification can shares be lost for ever.
          expect(kind.requireVerification).toBe(false);
          expect(failure).toMatch(/were lost with the answer|the service made no key of them/);
        }
        if (!happened) break;
      }
    },
  );

  test("a partial rekey continues without giving a share twice", async () => {
    for (let at = 0; at < 10; at++) {
      const { rekey, world } = await ceremony();
      const reached = delivered(world);
      await rekey.create({ ...program, shares: [FIRST] }).catch(() => undefined);
      const happened = await inTrouble(rekey, { at, mishap }, () => rekey.update(program));
      const isDone = () => rekey.outputs.phase !== "started";
      await repeated((own) => rekey.update(own), program, cancelling, isDone);
      expect(rekey.outputs.phase).toBe("verification");
      expectNoneTwice(reached);
      if (!happened) break;
    }
  });

  test("a verification gives no new share twice, and ends with the new key", async () => {
    for (let at = 0; at < 12; at++) {
      const { rekey, verification, inputs, world } = await verifying();
      const reached = delivered(world);
      const happened = await inTrouble(verification, { at, mishap }, () => verification.create(inputs));
      // The user who reads that it is over takes it for verified.
      const adopting = { "adopt: true": { adopt: true } };
      expect(await repeated((own) => up(verification, own), inputs, adopting)).toBe("");
      expect(verification.outputs.phase).toBe("complete");
      expectNoneTwice(reached);
      expect(await make(world, keysOf(rekey))).toBe(true);
      if (!happened) break;
    }
  });
});
