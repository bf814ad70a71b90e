import type { Values } from "../../../provider/core/language/object";
import { PartialError } from "../../../provider/core/state/errors";
import { SecretMap } from "../../../provider/core/state/secretMap";
import type { Json } from "../../../provider/core/value/json";
import recoveryKeyRekey from "../../../provider/services/secrets/recoveryKeyRekey";
import recoveryKeyVerification from "../../../provider/services/secrets/recoveryKeyVerification";
import type { Fate } from "../../steps/world";
import { notesOfCreate } from "../expectations";
import { actBefore, refusal, setFate } from "../interference";
import { recordDelivered } from "./faults";
import {
  authorizeRekey,
  ceremony,
  expectNoShareTwice,
  FIRST,
  INIT,
  keysOf,
  program,
  SECOND,
  startRekey,
  startVerification,
  THIRD,
  UPDATE,
  VERIFY,
} from "./rekeyScene";

/** A wrong share of the correct length. */
const WRONG = Buffer.alloc(32, 7).toString("base64");
/** The body of the start request that the program sends. */
const ownStart = { secret_shares: 3, secret_threshold: 2, require_verification: true };
const otherStart = { secret_shares: 1, secret_threshold: 1 };

describe('recovery key rekey (A1, table "Recovery-key rekey")', () => {
  test("none, POST init: started, with a nonce", async () => {
    const { rekey, ask } = await ceremony();
    await expect(rekey.create({ ...program, shares: [] })).rejects.toThrow(
      /has 0 of 2 required shares of the current recovery key\. Next: add shares, and run pulumi up again/,
    );
    const status = await ask("GET", INIT);
    expect(status).toMatchObject({ started: true, n: 3, t: 2, progress: 0, verification_required: true });
    expect(rekey.outputs).toMatchObject({ phase: "started", nonce: status.nonce, progress: 0, required: 2 });
    expect(rekey.id).toBe("recovery-key");
  });

  test("started, POST update with too few shares: still started, and progress increases", async () => {
    const { rekey, ask } = await ceremony();
    await expect(rekey.create({ ...program, shares: [FIRST] })).rejects.toThrow(PartialError);
    expect(await ask("GET", INIT)).toMatchObject({ started: true, progress: 1 });
    expect(rekey.outputs).toMatchObject({ phase: "started", progress: 1 });
  });

  test("started, a share given by someone else: a refresh stores the progress", async () => {
    const { rekey, ask } = await startRekey([]);
    const { nonce } = await ask("GET", INIT);
    await ask("POST", UPDATE, { key: FIRST, nonce: String(nonce) });
    expect(await rekey.refresh()).toBe(true);
    expect(rekey.outputs).toMatchObject({ progress: 1 });
    expect(rekey.record.procedure).toMatchObject({ progress: 1 });
  });

  test("started, threshold reached, verification not requested: complete, and the new shares are the key", async () => {
    const { rekey, world, ask } = await ceremony({ ...program, requireVerification: false });
    expect(rekey.outputs).toMatchObject({ phase: "complete", progress: 2 });
    expect(keysOf(rekey)).toHaveLength(3);
    expect(await ask("GET", INIT)).toMatchObject({ started: false });
    expect(await authorizeRekey(world, keysOf(rekey))).toBe(true);
  });

  test("started, threshold reached, verification requested: verification, with a nonce and new shares", async () => {
    const { rekey, ask } = await ceremony(program);
    const { verificationNonce: nonce } = rekey.outputs;
    expect(rekey.outputs.phase).toBe("verification");
    expect(nonce).toMatch(/\S/);
    expect(keysOf(rekey)).toHaveLength(3);
    expect(await ask("GET", VERIFY)).toMatchObject({ nonce, n: 3, t: 2, progress: 0 });
  });

  test("started, DELETE init: none; a delete of the resource sends it with the nonce", async () => {
    const { rekey, world, ask } = await ceremony();
    world.stub.configure({ cancelNeedsNonce: true });
    await rekey.create({ ...program, shares: [FIRST] }).catch(() => undefined);
    await rekey.delete();
    expect(await ask("GET", INIT)).toMatchObject({ started: false });
  });

  test("verification, POST verify with too few new shares: still verification, and progress increases", async () => {
    const { verification, partialInputs, ask } = await startVerification();
    await expect(verification.create(partialInputs)).rejects.toThrow(/has 1 of 2 required new shares/);
    expect(verification.outputs).toMatchObject({ phase: "verification", progress: 1, threshold: 2 });
    expect(await ask("GET", VERIFY)).toMatchObject({ progress: 1 });
  });

  test("verification, POST verify with enough new shares: complete, and the new shares are the key", async () => {
    const { rekey, verification, inputs, world } = await startVerification();
    await verification.create(inputs);
    expect(verification.outputs).toMatchObject({ phase: "complete", progress: 2 });
    expect(await authorizeRekey(world, keysOf(rekey))).toBe(true);
  });

  test("verification, DELETE verify: progress 0, a new nonce; a delete of the verification sends it", async () => {
    const { rekey, verification, partialInputs, ask } = await startVerification();
    await verification.create(partialInputs).catch(() => undefined);
    await verification.delete();
    const now = await ask("GET", VERIFY);
    expect(now).toMatchObject({ progress: 0 });
    expect(now.nonce).not.toBe(verification.outputs.nonce);
    expect(await ask("GET", INIT)).toMatchObject({ started: true, nonce: rekey.outputs.nonce });
  });

  test("verification, DELETE init: none, and the old key stays valid; a delete of the rekey sends it", async () => {
    const { rekey, world, ask } = await ceremony(program);
    await rekey.delete();
    expect(await ask("GET", INIT)).toMatchObject({ started: false });
    expect(await authorizeRekey(world, [FIRST, SECOND])).toBe(true);
  });
});

describe("response that is not a rekey status", () => {
  const ANSWERS = ["null", "{}", "[]", "true", '{"data":{}}', '{"another":"object"}'];
  const failure = "an object other than the requested object";

  test("fails a refresh of a rekey, which preserves the state", async () => {
    const { rekey, world } = await startRekey();
    const { outputs } = rekey;
    for (const text of ANSWERS) {
      world.fate = () => refusal(200, text);
      await expect(rekey.refresh()).rejects.toThrow(failure);
      expect(rekey.outputs).toBe(outputs);
    }
  });

  test("fails the create of a verification", async () => {
    const { verification, inputs, world } = await startVerification();
    for (const text of ANSWERS) {
      setFate(world, /^GET .*\/verify$/, refusal(200, text));
      await expect(verification.create(inputs)).rejects.toThrow(failure);
    }
  });
});

test.each([
  ["rekey", INIT],
  ["verification", VERIFY],
])(
  "a delete of a %s reads the status if the response is not the server's, and fails if it still runs",
  async (kind, path) => {
    const { rekey, verification, partialInputs, world, ask } =
      kind === "rekey"
        ? { ...(await startRekey()), verification: undefined, partialInputs: undefined }
        : await startVerification();
    const resource = verification ?? rekey;
    if (partialInputs) await resource.create(partialInputs).catch(() => undefined);
    setFate(world, /^DELETE/, refusal(200, "{}"));
    await expect(resource.delete()).rejects.toThrow("A read after the request does not show the result");
    expect(await ask("GET", path)).toMatchObject({ progress: 1 });
    setFate(world, /^DELETE/, "response lost");
    await resource.delete();
    expect((await ask("GET", path)).progress ?? 0).toBe(0);
  },
);

describe("recovery key rekey", () => {
  test("continues at the next up after too few shares, and sends no share twice", async () => {
    const { rekey, world, ask } = await ceremony();
    const reached = recordDelivered(world);
    await expect(rekey.create({ ...program, shares: [FIRST] })).rejects.toThrow(PartialError);
    expect(rekey.preview({ ...program, shares: [FIRST] }).changes).toHaveLength(1);
    const { notes } = rekey.preview(program);
    expect(notes).toContainEqual(expect.stringContaining("the unfinished operation continues: the rekey"));
    expect(await rekey.refresh()).toBe(true);
    await rekey.up({ ...program, shares: [FIRST, THIRD] });
    const given = reached.filter(({ path }) => path.endsWith("update")).map(({ body }) => Object(body).key);
    expect(given).toEqual([FIRST, THIRD]);
    expect(await ask("GET", VERIFY)).toMatchObject({ status: 200 });
    expect(rekey.preview({ ...program, shares: [FIRST, THIRD] }).changes).toEqual([]);
  });

  test("sends nothing once it is complete, in a preview, a refresh, an up without shares and a delete", async () => {
    const { rekey, world } = await ceremony({ ...program, requireVerification: false });
    const sent = world.requests.length;
    expect(rekey.preview({ ...program, requireVerification: false }).changes).toEqual([]);
    expect(await rekey.refresh()).toBe(true);
    const { shares: _, ...rest } = program;
    await rekey.up({ ...rest, requireVerification: false });
    expect(keysOf(rekey)).toHaveLength(3);
    await rekey.delete();
    expect(world.requests.length).toBe(sent);
  });

  test("requests verification by default, and has a note on the risk without verification", async () => {
    const { rekey, written } = await ceremony(program);
    expect(written()[0]).toEqual(ownStart);
    expect(rekey.preview({ ...program, requireVerification: true }).changes).toEqual([]);
    expect(notesOfCreate(recoveryKeyRekey, program)).toEqual([]);
    const note = expect.stringContaining("before its shares are in the saved state");
    expect(notesOfCreate(recoveryKeyRekey, { ...program, requireVerification: false })).toEqual([note]);
  });

  test.each<[string, Values]>([
    ["triggers", { triggers: ["2031"] }],
    ["secretShares", { secretShares: 5 }],
    ["secretThreshold", { secretThreshold: 3 }],
    ["requireVerification", { requireVerification: false }],
    ["pgpKeys", { pgpKeys: [btoa("a"), btoa("b"), btoa("c")] }],
  ])("is replaced after a change of %s, and the old rekey is deleted first", async (name, other) => {
    const { rekey } = await ceremony(program);
    const { changes, deleteFirst } = rekey.preview({ ...program, ...other });
    expect(changes).toMatchObject([{ path: [name], replaces: true }]);
    expect(deleteFirst).toBe(true);
  });

  test.each<[string, Values, string]>([
    [
      "a secretThreshold above secretShares",
      { secretThreshold: 4 },
      "secretThreshold: given 4: must be at most secretShares",
    ],
    [
      "a secretThreshold of 1 for several shares",
      { secretThreshold: 1 },
      "secretThreshold: given 1: must be more than 1",
    ],
    [
      "fewer PGP keys than shares",
      { pgpKeys: [btoa("a")] },
      "must have as many elements as secretShares, which is 3",
    ],
    ["a backup without PGP keys", { backup: true }, "backup: given true: requires pgpKeys"],
    ["a secretShares of 0", { secretShares: 0 }, "secretShares: given 0: must be at least 1"],
    [
      "a PGP key that is not base64",
      { secretShares: 1, secretThreshold: 1, pgpKeys: ["%"] },
      "must be a binary PGP public key in base64",
    ],
  ])("rejects %s in the preview", async (_, change, problem) => {
    const { problems } = await ceremony();
    expect(problems({ ...program, ...change })[0]).toContain(problem);
  });

  test.each(["YWJj", "YWJj\nZGVm\n", "YWJj\r\nZA==\r\n"])("accepts the PGP key %j", async (key) => {
    const { problems } = await ceremony();
    expect(problems({ ...program, secretShares: 1, secretThreshold: 1, pgpKeys: [key] })).toEqual([]);
  });

  test("marks its old and new shares as secret", () => {
    expect(new SecretMap(recoveryKeyRekey, program).collect()).toEqual([FIRST, SECOND]);
    for (const name of ["keys", "keysBase64"])
      expect(new SecretMap(recoveryKeyRekey, {}).holdsSecret([name], ["x"])).toBe(true);
    expect(new SecretMap(recoveryKeyVerification, { shares: ["x"] }).holdsSecret(["shares"], ["x"])).toBe(
      true,
    );
  });

  test("a preview contains no old share, even if the server quoted one in an error", async () => {
    const { rekey, world } = await ceremony();
    world.onResponse = ({ path }, answer) => {
      if (!path.endsWith("update")) return;
      const text = `{"errors":["bad key ${FIRST}"]}`;
      Object.assign(answer, { status: 400, json: JSON.parse(text), text });
    };
    await expect(rekey.create(program)).rejects.toThrow("rejected share 1 of `shares`");
    const { notes } = rekey.preview({ ...program, shares: [THIRD] });
    expect(notes.join("\n")).toContain("the unfinished operation continues");
    expect(notes.join("\n")).not.toContain(FIRST);
  });

  test("fails if the seal of the server does not support recovery keys", async () => {
    const { rekey, world } = await ceremony();
    world.stub.configure({ recoveryKeysSupported: false });
    await expect(rekey.create(program)).rejects.toThrow(/recovery (rekeying )?not supported/);
    expect(rekey.id).toBe("");
  });
});

describe("wrong shares of a rekey", () => {
  test("fail the create if the server cannot combine them, and the next up starts again with other shares", async () => {
    const { rekey, world } = await ceremony();
    const reached = recordDelivered(world);
    await expect(rekey.create({ ...program, shares: [FIRST, WRONG] })).rejects.toThrow(
      /received the last required share \(2 of 2\), but the submitted shares do not form the key: .*recovery key verification failed.* does not report which of the shares are wrong/s,
    );
    await rekey.up(program);
    expect(rekey.outputs.phase).toBe("verification");
    expect(world.logged.join("\n")).toContain("the server discarded all shares of the rekey");
    expectNoShareTwice(reached);
  });

  test.each<[string, string]>([
    ["of another length", Buffer.alloc(33, 7).toString("base64")],
    ["of the correct length", WRONG],
  ])(
    "are not named in the error if the server rejects only the combination, with one share %s",
    async (_, wrong) => {
      for (const shares of [
        [FIRST, wrong],
        [wrong, FIRST],
      ]) {
        const { rekey } = await ceremony();
        const failure = String(await rekey.create({ ...program, shares }).catch((error: unknown) => error));
        expect(failure).toContain("does not report which of the shares are wrong");
        expect(failure).not.toMatch(/rejected share|may or may not/);
      }
    },
  );

  test("are named in the error if the server rejects a share by itself, and the other shares count", async () => {
    const { rekey, ask } = await ceremony();
    await expect(rekey.create({ ...program, shares: [FIRST, btoa("too short")] })).rejects.toThrow(
      /rejected share 2 of `shares`: .*key is shorter than minimum 16 bytes/,
    );
    expect(await ask("GET", INIT)).toMatchObject({ progress: 1 });
    await rekey.up(program);
    expect(rekey.outputs.phase).toBe("verification");
  });

  test("with a threshold of 1 make the next up start again, so that no share is sent twice", async () => {
    const { rekey, world } = await ceremony();
    world.stub.seed({ recoveryKey: { shares: [FIRST], threshold: 1 } });
    const reached = recordDelivered(world);
    const wrong = { ...program, shares: [WRONG] };
    await expect(rekey.create(wrong)).rejects.toThrow("the submitted shares do not form the key");
    await expect(rekey.up(wrong)).rejects.toThrow("the submitted shares do not form the key");
    await rekey.up({ ...program, shares: [FIRST] });
    expect(rekey.outputs.phase).toBe("verification");
    expectNoShareTwice(reached);
  });
});

describe("rekey with interference by another user", () => {
  test("fails with the nonce of another user's running rekey, and cancels that only with cancelRunning", async () => {
    const { rekey, world, ask } = await ceremony();
    const { nonce } = await ask("POST", INIT, otherStart);
    const refused = `the server has a rekey in progress that is not in this state (nonce ${nonce}, 0 of 2 shares submitted); that rekey was not changed`;
    await expect(rekey.create(program)).rejects.toThrow(refused);
    expect(rekey.id).toBe("");
    expect(await ask("GET", INIT)).toMatchObject({ nonce });
    await rekey.create({ ...program, cancelRunning: true });
    expect(rekey.outputs.phase).toBe("verification");
    expect(world.logged.join("\n")).toContain(`the rekey ${nonce}, which was in progress, was canceled`);
  });

  test.each<[string, { [member: string]: Json }, boolean]>([
    ["has other shares", { ...ownStart, secret_shares: 5 }, false],
    ["has another threshold", { ...ownStart, secret_threshold: 3 }, false],
    ["has no verification", { ...ownStart, require_verification: false }, false],
    ["already has a share", ownStart, true],
  ])(
    "does not adopt a rekey that another user starts while the start request is lost if it %s",
    async (_, start, isGiven) => {
      const { rekey, world, ask } = await ceremony();
      const act = async () => {
        const { nonce = "" } = await ask("POST", INIT, start);
        if (isGiven) await ask("POST", UPDATE, { key: THIRD, nonce });
      };
      actBefore(world, /^POST/, act, "request lost");
      await expect(rekey.create(program)).rejects.toThrow("A different rekey is in progress");
      expect(rekey.id).toBe("");
      expect(await ask("GET", INIT)).toMatchObject({ started: true, progress: isGiven ? 1 : 0 });
    },
  );

  test.each<[string, Fate, RegExp]>([
    ["is lost", "response lost", /lost its connection/],
    ["is invalid", refusal(200, "<html>"), /returned 200: a web page/],
  ])(
    "reports another user's rekey and why the start failed if the start response %s",
    async (_, fate, reason) => {
      const { rekey, world, ask } = await ceremony();
      actBefore(world, /^POST/, () => ask("POST", INIT, otherStart), fate);
      const failure = await rekey.create(program).catch(String);
      expect(failure).toMatch(reason);
      expect(failure).toMatch(/different rekey is in progress \(nonce .*, 0 of 2 shares submitted\)/);
      expect(rekey.id).toBe("");
    },
  );

  test("waits for a cancel that arrives after its connection broke, so that it does not end the next rekey", async () => {
    const { rekey, world, ask } = await ceremony();
    const { nonce = "" } = await ask("POST", INIT, otherStart);
    setFate(world, /^DELETE/, "request lost");
    world.onSleep = async () => {
      world.onSleep = () => undefined;
      await ask("DELETE", INIT, { nonce });
    };
    await rekey.create({ ...program, cancelRunning: true });
    expect(rekey.outputs.phase).toBe("verification");
  });

  test("a delete does not cancel another user's rekey that replaced it", async () => {
    const { rekey, ask } = await startRekey();
    await ask("DELETE", INIT);
    const { nonce } = await ask("POST", INIT, otherStart);
    await rekey.delete();
    expect(await ask("GET", INIT)).toMatchObject({ started: true, nonce });
  });

  test("a refresh removes it after a cancel, but not if its new shares are in the state", async () => {
    const { rekey, ask } = await startRekey();
    await ask("DELETE", INIT);
    expect(await rekey.refresh()).toBe(false);
    const done = await ceremony(program);
    await done.ask("DELETE", INIT);
    expect(await done.rekey.refresh()).toBe(true);
    expect(keysOf(done.rekey)).toHaveLength(3);
  });

  test("starts again with every share, under the same ID, after a cancel between two ups", async () => {
    const { rekey, world, ask } = await startRekey();
    await ask("DELETE", INIT);
    await rekey.up(program);
    expect(rekey.outputs.phase).toBe("verification");
    expect(world.logged.join("\n")).toContain("is no longer in progress");
    expect(rekey.id).toBe("recovery-key");
    expect(recoveryKeyRekey.where.id.format(rekey.record.address)).toBe(rekey.id);
  });

  test("fails after someone else gave a share, and continues with othersGiveShares", async () => {
    const { rekey, world, ask } = await ceremony();
    world.stub.seed({ recoveryKey: { shares: [FIRST, SECOND, THIRD], threshold: 3 } });
    await rekey.create({ ...program, shares: [FIRST] }).catch(() => undefined);
    const { nonce } = rekey.outputs;
    await ask("POST", UPDATE, { key: SECOND, nonce: nonce ?? "" });
    await expect(rekey.up({ ...program, shares: [THIRD] })).rejects.toThrow(
      /counts 2 shares, but this state contains only 1 of them; .* cancelRunning: true .*; or set othersGiveShares: true/,
    );
    expect(await ask("GET", INIT)).toMatchObject({ nonce, progress: 2 });
    await rekey.up({ ...program, shares: [THIRD], othersGiveShares: true });
    expect(rekey.outputs).toMatchObject({ phase: "verification", nonce });
  });

  test("fails after someone else gave the last share, and starts again only with cancelRunning", async () => {
    const { rekey, ask } = await startRekey();
    const { nonce } = rekey.outputs;
    await ask("POST", UPDATE, { key: SECOND, nonce: nonce ?? "" });
    await expect(rekey.up(program)).rejects.toThrow(
      /nothing was done.*Someone else submitted the last share and has the new shares/s,
    );
    expect(await ask("GET", INIT)).toMatchObject({ nonce });
    await rekey.up({ ...program, cancelRunning: true });
    expect(rekey.outputs.phase).toBe("verification");
    expect(rekey.outputs.nonce).not.toBe(nonce);
  });
});

describe("rekey left running by a killed up", () => {
  const leaveRekey = async (start: { [member: string]: Json } = ownStart, keys: readonly string[] = []) => {
    const staged = await ceremony();
    const { nonce = "" } = await staged.ask("POST", INIT, start);
    for (const key of keys) await staged.ask("POST", UPDATE, { key, nonce });
    return { ...staged, nonce };
  };

  test("without shares, fails the next create, and the error names the setting that adopts it", async () => {
    const { rekey } = await leaveRekey();
    await expect(rekey.create(program)).rejects.toThrow(
      /pulumi config set quarterdeck:adopt identical, then pulumi up again to continue that rekey/,
    );
  });

  test("without shares, continues with adopt: identical, and is neither canceled nor started again", async () => {
    const { rekey, world, nonce } = await leaveRekey();
    rekey.adoptsIdentical = true;
    await rekey.create(program);
    expect(rekey.outputs).toMatchObject({ phase: "verification", nonce });
    expect(world.logged.join("\n")).toContain(
      `the rekey ${nonce} is already in progress, and has exactly the settings of the program`,
    );
    expect(world.requests.filter(({ path, method }) => path.endsWith(INIT) && method !== "GET")).toEqual([]);
  });

  test.each([
    ["has a share", ownStart, [THIRD]],
    ["has another threshold", { ...ownStart, secret_threshold: 3 }, []],
  ])("fails the next create with adopt: identical if it %s", async (_, start, keys) => {
    const { rekey } = await leaveRekey(start, keys);
    rekey.adoptsIdentical = true;
    await expect(rekey.create(program)).rejects.toThrow(
      "the server has a rekey in progress that is not in this state",
    );
    await expect(rekey.create(program)).rejects.not.toThrow("quarterdeck:adopt");
  });

  test.each([true, false])(
    "with all shares, fails the next create with cancelRunning as the remedy (adoptsIdentical: %s)",
    async (adopts) => {
      const { rekey, ask, nonce } = await leaveRekey(ownStart, [FIRST, SECOND]);
      rekey.adoptsIdentical = adopts;
      const refused = await rekey.create(program).then(() => "", String);
      expect(refused).toContain("set cancelRunning: true");
      expect(refused).not.toContain("quarterdeck:adopt");
      expect(rekey.id).toBe("");
      expect(await ask("GET", INIT)).toMatchObject({ started: true, nonce });
      await rekey.create({ ...program, cancelRunning: true });
      expect(rekey.outputs.phase).toBe("verification");
      expect(rekey.outputs.nonce).not.toBe(nonce);
    },
  );
});
