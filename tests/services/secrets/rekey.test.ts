import type { Values } from "../../../provider/core/language/object";
import { PartialError } from "../../../provider/core/state/errors";
import { SecretMap } from "../../../provider/core/state/secretMap";
import type { Json } from "../../../provider/core/value/json";
import recoveryKeyRekey from "../../../provider/services/secrets/recoveryKeyRekey";
import recoveryKeyVerification from "../../../provider/services/secrets/recoveryKeyVerification";
import { Resource } from "../../steps/resource";
import type { Fate, World } from "../../steps/world";
import { delivered } from "./mishaps";
import {
  ceremony,
  expectNoneTwice,
  FIRST,
  INIT,
  keysOf,
  make,
  program,
  SECOND,
  THIRD,
  UPDATE,
  VERIFY,
} from "./rekeyScene";
import { notesOfCreate } from "./scene";

/** As long as a share, and none. */
const WRONG = Buffer.alloc(32, 7).toString("base64");

describe("the table Recovery-key rekey (A1), row by row", () => {
  test("none, POST init: started, with a nonce; only one at a time", async () => {
    const { rekey, ask } = await ceremony();
    await expect(rekey.create({ ...program, shares: [] })).rejects.toThrow(
      /has 0 of the 2 shares of the current key that it needs\. Next: add shares, and run pulumi up again/,
    );
    const status = await ask("GET", INIT);
    expect(status).toMatchObject({ started: true, n: 3, t: 2, progress: 0, verification_required: true });
    expect(rekey.outputs).toMatchObject({ phase: "started", nonce: status.nonce, progress: 0, required: 2 });
    expect(rekey.id).toBe("recovery-key");
  });

  test("started, POST update with too few shares: started, and progress increases", async () => {
    const { rekey, ask } = await ceremony();
    await expect(rekey.create({ ...program, shares: [FIRST] })).rejects.toThrow(PartialError);
    expect(await ask("GET", INIT)).toMatchObject({ started: true, progress: 1 });
    expect(rekey.outputs).toMatchObject({ phase: "started", progress: 1 });
  });

  test("started, a share given elsewhere: a refresh shows it, and keeps it in the records", async () => {
    const { rekey, ask } = await ceremony();
    await expect(rekey.create({ ...program, shares: [] })).rejects.toThrow(PartialError);
    const { nonce } = await ask("GET", INIT);
    await ask("POST", UPDATE, { key: FIRST, nonce: String(nonce) });
    expect(await rekey.refresh()).toBe(true);
    expect(rekey.outputs).toMatchObject({ progress: 1 });
    expect(rekey.record.procedure).toMatchObject({ progress: 1 });
  });

  test("started, threshold reached, verification not requested: complete, with new shares that are the key", async () => {
    const { rekey, world, ask } = await ceremony({ ...program, requireVerification: false });
    expect(rekey.outputs).toMatchObject({ phase: "complete", progress: 2 });
    expect(keysOf(rekey)).toHaveLength(3);
    expect(await ask("GET", INIT)).toMatchObject({ started: false });
    expect(await make(world, keysOf(rekey))).toBe(true);
  });

  test("started, threshold reached, verification requested: verification, and the old key is still the key", async () => {
    const { rekey, ask } = await ceremony(program);
    expect(rekey.outputs).toMatchObject({
      phase: "verification",
      verificationNonce: expect.stringMatching(/\S/),
    });
    expect(keysOf(rekey)).toHaveLength(3);
    expect(await ask("GET", VERIFY)).toMatchObject({
      nonce: rekey.outputs.verificationNonce,
      n: 3,
      t: 2,
      progress: 0,
    });
  });

  test("started, DELETE init: none; a delete of ours does it, with the nonce that a service may want", async () => {
    const { rekey, world, ask } = await ceremony();
    world.stub.configure({ cancelNeedsNonce: true });
    await rekey.create({ ...program, shares: [FIRST] }).catch(() => undefined);
    await rekey.delete();
    expect(await ask("GET", INIT)).toMatchObject({ started: false });
  });

  test("verification, POST verify with too few new shares: verification", async () => {
    const { rekey, world, ask } = await ceremony(program);
    const verification = new Resource(world, recoveryKeyVerification);
    const inputs = { rekeyNonce: String(rekey.outputs.nonce), shares: keysOf(rekey).slice(0, 1) };
    await expect(verification.create(inputs)).rejects.toThrow(/has 1 of the 2 new shares that it needs/);
    expect(verification.outputs).toMatchObject({ phase: "verification", progress: 1, threshold: 2 });
    expect(await ask("GET", VERIFY)).toMatchObject({ progress: 1 });
  });

  test("verification, POST verify with enough: complete, and the new shares are the key", async () => {
    const { rekey, world } = await ceremony(program);
    const verification = new Resource(world, recoveryKeyVerification);
    await verification.create({ rekeyNonce: String(rekey.outputs.nonce), shares: keysOf(rekey) });
    expect(verification.outputs).toMatchObject({ phase: "complete", progress: 2 });
    expect(await make(world, keysOf(rekey))).toBe(true);
  });

  test("verification, DELETE verify: progress 0 and a new nonce, and the rekey is kept; a delete of ours does it", async () => {
    const { rekey, world, ask } = await ceremony(program);
    const verification = new Resource(world, recoveryKeyVerification);
    const inputs = { rekeyNonce: String(rekey.outputs.nonce), shares: keysOf(rekey).slice(0, 1) };
    await verification.create(inputs).catch(() => undefined);
    await verification.delete();
    const now = await ask("GET", VERIFY);
    expect(now).toMatchObject({ progress: 0 });
    expect(now.nonce).not.toBe(verification.outputs.nonce);
    expect(await ask("GET", INIT)).toMatchObject({ started: true, nonce: rekey.outputs.nonce });
  });

  test("verification, DELETE init: none, and the old key stays valid; a delete of the rekey does it", async () => {
    const { rekey, world, ask } = await ceremony(program);
    await rekey.delete();
    expect(await ask("GET", INIT)).toMatchObject({ started: false });
    expect(await make(world, [FIRST, SECOND])).toBe(true);
  });
});

describe("what is no status", () => {
  const ANSWERS = ["null", "{}", "[]", "true", '{"data":{}}', '{"another":"object"}'];

  test("of a rekey under way is no proof that it was cancelled: a refresh fails, and keeps the state", async () => {
    const { rekey, world } = await ceremony();
    await rekey.create({ ...program, shares: [FIRST] }).catch(() => undefined);
    const { outputs } = rekey;
    for (const text of ANSWERS) {
      world.fate = () => ({ answer: { status: 200, text }, isCarriedOut: false });
      await expect(rekey.refresh()).rejects.toThrow("not the object that was asked for");
      expect(rekey.outputs).toBe(outputs);
    }
  });

  test("of a verification is no proof that it is over", async () => {
    const { rekey, world } = await ceremony(program);
    const verification = new Resource(world, recoveryKeyVerification);
    const inputs = { rekeyNonce: String(rekey.outputs.nonce), shares: keysOf(rekey) };
    for (const text of ANSWERS) {
      world.fate = ({ method, path }) =>
        method === "GET" && path.endsWith("/verify")
          ? { answer: { status: 200, text }, isCarriedOut: false }
          : "passes";
      await expect(verification.create(inputs)).rejects.toThrow("not the object that was asked for");
    }
  });
});

describe("the end of a rekey", () => {
  test.each([
    [INIT, "cancelled"],
    [VERIFY, "restarted"],
  ])("by %s is looked at where its answer is another's: it was not %s", async (path) => {
    const { rekey, world, ask } = await ceremony(path === VERIFY ? program : undefined);
    const [share] = keysOf(rekey);
    if (path === INIT) await rekey.create({ ...program, shares: [FIRST] }).catch(() => undefined);
    const verification = new Resource(world, recoveryKeyVerification);
    const inputs = { rekeyNonce: String(rekey.outputs.nonce), shares: [share ?? ""] };
    if (path === VERIFY) await verification.create(inputs).catch(() => undefined);
    const resource = path === VERIFY ? verification : rekey;
    world.fate = ({ method }) =>
      method === "DELETE" ? { answer: { status: 200, text: "{}" }, isCarriedOut: false } : "passes";
    await expect(resource.delete()).rejects.toThrow("It was looked at, and the service shows nothing of it");
    expect(await ask("GET", path)).toMatchObject({ progress: 1 });
    world.fate = ({ method }) => (method === "DELETE" ? "response lost" : "passes");
    await resource.delete();
    expect((await ask("GET", path)).progress ?? 0).toBe(0);
  });
});

describe("a rekey", () => {
  test("that has too few shares goes on at the next up, without giving any twice", async () => {
    const { rekey, world, ask } = await ceremony();
    const reached = delivered(world);
    await expect(rekey.create({ ...program, shares: [FIRST] })).rejects.toThrow(PartialError);
    expect(rekey.preview({ ...program, shares: [FIRST] }).changes).toHaveLength(1);
    const { notes } = rekey.preview(program);
    expect(notes).toContainEqual(expect.stringContaining("it goes on where it stopped: the rekey"));
    expect(await rekey.refresh()).toBe(true);
    await rekey.up({ ...program, shares: [FIRST, THIRD] });
    const given = reached.filter(({ path }) => path.endsWith("update")).map(({ body }) => Object(body).key);
    expect(given).toEqual([FIRST, THIRD]);
    expect(await ask("GET", VERIFY)).toMatchObject({ status: 200 });
    expect(rekey.preview({ ...program, shares: [FIRST, THIRD] }).changes).toEqual([]);
  });

  test("once it is done is quiet: nothing is sent by a preview, a refresh, other shares, or a delete after its verification", async () => {
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

  test("requires verification unless told otherwise, and says what is risked without", async () => {
    expect((await ceremony(program)).written()[0]).toEqual({
      secret_shares: 3,
      secret_threshold: 2,
      require_verification: true,
    });
    expect(notesOfCreate(recoveryKeyRekey, program)).toEqual([]);
    expect(notesOfCreate(recoveryKeyRekey, { ...program, requireVerification: false })).toEqual([
      expect.stringContaining("before its shares are in the saved state"),
    ]);
    const { rekey } = await ceremony(program);
    expect(rekey.preview({ ...program, requireVerification: true }).changes).toEqual([]);
  });

  test.each<[string, Values]>([
    ["triggers", { triggers: ["2031"] }],
    ["secretShares", { secretShares: 5 }],
    ["secretThreshold", { secretThreshold: 3 }],
    ["requireVerification", { requireVerification: false }],
    ["pgpKeys", { pgpKeys: [btoa("a"), btoa("b"), btoa("c")] }],
  ])("is another one for another %s: a replacement that ends the old one first", async (name, other) => {
    const { rekey } = await ceremony(program);
    const { changes, deleteFirst } = rekey.preview({ ...program, ...other });
    expect(changes).toMatchObject([{ path: [name], replaces: true }]);
    expect(deleteFirst).toBe(true);
  });

  test("of somebody else that is under way is refused, by its nonce, and cancelled on request only", async () => {
    const { rekey, world, ask } = await ceremony();
    const { nonce } = await ask("POST", INIT, { secret_shares: 1, secret_threshold: 1 });
    await expect(rekey.create(program)).rejects.toThrow(
      new RegExp(
        `a rekey is under way of which this state knows nothing \\(nonce ${nonce}, 0 of 2 shares given\\); it was not touched`,
      ),
    );
    expect(rekey.id).toBe("");
    expect(await ask("GET", INIT)).toMatchObject({ nonce });
    await rekey.create({ ...program, cancelRunning: true });
    expect(rekey.outputs.phase).toBe("verification");
    expect(world.logged.join("\n")).toContain(`the rekey ${nonce}, which was under way, is cancelled`);
  });

  const asOurs = { secret_shares: 3, secret_threshold: 2, require_verification: true };

  test.each<[string, { [member: string]: Json }, boolean]>([
    ["of other shares", { ...asOurs, secret_shares: 5 }, false],
    ["with another threshold", { ...asOurs, secret_threshold: 3 }, false],
    ["without verification", { ...asOurs, require_verification: false }, false],
    ["to which somebody has given a share", asOurs, true],
  ])("of somebody else that begins while our start is lost is theirs: one %s", async (_, asked, isGiven) => {
    const { rekey, world, ask } = await ceremony();
    world.fate = async ({ method }): Promise<Fate> => {
      if (method !== "POST") return "passes";
      const { nonce = "" } = await ask("POST", INIT, asked);
      if (isGiven) await ask("POST", UPDATE, { key: THIRD, nonce });
      return "request lost";
    };
    await expect(rekey.create(program)).rejects.toThrow(
      "Another rekey is under way than the one that this request starts",
    );
    expect(rekey.id).toBe("");
    expect(await ask("GET", INIT)).toMatchObject({ started: true, progress: isGiven ? 1 : 0 });
  });

  describe("that an up has left which was killed right after it began", () => {
    const left = async (asked: { [member: string]: Json } = asOurs) => {
      const staged = await ceremony();
      const { nonce = "" } = await staged.ask("POST", INIT, asked);
      return { ...staged, nonce };
    };

    test("is told with the setting that goes on with it", async () => {
      const { rekey } = await left();
      await expect(rekey.create(program)).rejects.toThrow(
        /pulumi config set quarterdeck:adopt identical, then pulumi up again, which goes on with it/,
      );
    });

    test("is gone on with where what is identical is taken over: it is neither cancelled nor begun anew", async () => {
      const { rekey, world, nonce } = await left();
      rekey.adoptsIdentical = true;
      await rekey.create(program);
      expect(rekey.outputs).toMatchObject({ phase: "verification", nonce });
      expect(world.logged.join("\n")).toContain(
        `the rekey ${nonce} is under way already, is just what the program starts`,
      );
      expect(world.requests.filter(({ path, method }) => path.endsWith(INIT) && method !== "GET")).toEqual(
        [],
      );
    });

    test.each([
      ["has a share", asOurs, true],
      ["is another one", { ...asOurs, secret_threshold: 3 }, false],
    ])("is refused all the same where it %s", async (_, asked, isGiven) => {
      const { rekey, ask, nonce } = await left(asked);
      if (isGiven) await ask("POST", UPDATE, { key: THIRD, nonce });
      rekey.adoptsIdentical = true;
      await expect(rekey.create(program)).rejects.toThrow("of which this state knows nothing");
      await expect(rekey.create(program)).rejects.not.toThrow("quarterdeck:adopt");
    });
  });

  describe("that an up has left which was killed at its last share", () => {
    const left = async () => {
      const staged = await ceremony();
      const { nonce = "" } = await staged.ask("POST", INIT, asOurs);
      for (const key of [FIRST, SECOND]) await staged.ask("POST", UPDATE, { key, nonce });
      return { ...staged, nonce };
    };

    test.each([true, false])(
      "is refused with cancelRunning as the remedy (adopt identical: %s)",
      async (adopts) => {
        const { rekey, ask, nonce } = await left();
        rekey.adoptsIdentical = adopts;
        const refused = await rekey.create(program).then(() => "", String);
        expect(refused).toContain("set cancelRunning: true");
        expect(refused).not.toContain("quarterdeck:adopt");
        expect(rekey.id).toBe("");
        expect(await ask("GET", INIT)).toMatchObject({ started: true, nonce });
      },
    );

    test("is cancelled on request, and made again", async () => {
      const { rekey, nonce } = await left();
      await rekey.create({ ...program, cancelRunning: true });
      expect(rekey.outputs.phase).toBe("verification");
      expect(rekey.outputs.nonce).not.toBe(nonce);
    });
  });

  test("that somebody cancelled is gone while it is under way, and never once its shares are in the state", async () => {
    const { rekey, ask } = await ceremony();
    await rekey.create({ ...program, shares: [FIRST] }).catch(() => undefined);
    await ask("DELETE", INIT);
    expect(await rekey.refresh()).toBe(false);
    const done = await ceremony(program);
    await done.ask("DELETE", INIT);
    expect(await done.rekey.refresh()).toBe(true);
    expect(keysOf(done.rekey)).toHaveLength(3);
  });

  test("that gave way to somebody else's is not cancelled by a delete: theirs goes on", async () => {
    const { rekey, ask } = await ceremony();
    await rekey.create({ ...program, shares: [FIRST] }).catch(() => undefined);
    await ask("DELETE", INIT);
    const { nonce } = await ask("POST", INIT, { secret_shares: 1, secret_threshold: 1 });
    await rekey.delete();
    expect(await ask("GET", INIT)).toMatchObject({ started: true, nonce });
  });

  test("that was cancelled between two ups is started anew, with every share", async () => {
    const { rekey, world, ask } = await ceremony();
    await rekey.create({ ...program, shares: [FIRST] }).catch(() => undefined);
    await ask("DELETE", INIT);
    await rekey.up(program);
    expect(rekey.outputs.phase).toBe("verification");
    expect(world.logged.join("\n")).toContain("is no longer under way");
  });

  test("with shares that do not make the key says so, and the next up starts anew with the right ones", async () => {
    const { rekey, world } = await ceremony();
    const reached = delivered(world);
    await expect(rekey.create({ ...program, shares: [FIRST, WRONG] })).rejects.toThrow(
      /given the last of the 2 shares that it needs, and the service made no key of them: .*recovery key verification failed.* does not tell which of them is wrong, if any is/s,
    );
    await rekey.up(program);
    expect(rekey.outputs.phase).toBe("verification");
    expect(world.logged.join("\n")).toContain(
      "counts none of its shares any more: the service took them back",
    );
    expectNoneTwice(reached);
  });

  test.each<[string, string]>([
    ["of another length, which the service fails to put together", Buffer.alloc(33, 7).toString("base64")],
    ["of the right length", WRONG],
  ])("blames none of its shares where together they make no key, one of them %s", async (_, wrong) => {
    for (const shares of [
      [FIRST, wrong],
      [wrong, FIRST],
    ]) {
      const { rekey } = await ceremony();
      const failure = String(await rekey.create({ ...program, shares }).catch((error: unknown) => error));
      expect(failure).toContain("does not tell which of them is wrong, if any is");
      expect(failure).not.toMatch(/did not take|the share [12]|may or may not/);
    }
  });

  test("names the share that the service refuses alone, and counts on the others", async () => {
    const { rekey, ask } = await ceremony();
    await expect(rekey.create({ ...program, shares: [FIRST, btoa("too short")] })).rejects.toThrow(
      /did not take the share 2 of `shares`: .*key is shorter than minimum 16 bytes/,
    );
    expect(await ask("GET", INIT)).toMatchObject({ progress: 1 });
    await rekey.up(program);
    expect(rekey.outputs.phase).toBe("verification");
  });

  test("of one share that is not the key is started anew, so that nothing is given twice under a nonce", async () => {
    const { rekey, world } = await ceremony();
    world.stub.seed({ recoveryKey: { shares: [FIRST], threshold: 1 } });
    const reached = delivered(world);
    const wrong = { ...program, shares: [WRONG] };
    await expect(rekey.create(wrong)).rejects.toThrow("the service made no key of them");
    await expect(rekey.up(wrong)).rejects.toThrow("the service made no key of them");
    await rekey.up({ ...program, shares: [FIRST] });
    expect(rekey.outputs.phase).toBe("verification");
    expectNoneTwice(reached);
  });

  test("keeps its id when it is started anew under another nonce", async () => {
    const { rekey, ask } = await ceremony();
    await rekey.create({ ...program, shares: [FIRST] }).catch(() => undefined);
    await ask("DELETE", INIT);
    await rekey.up(program);
    expect(rekey.id).toBe("recovery-key");
    expect(recoveryKeyRekey.where.id.format(rekey.record.address)).toBe(rekey.id);
  });

  test("keeps what other holders gave at a console: by itself it goes no further, and with othersGiveShares it goes on", async () => {
    const { rekey, world, ask } = await ceremony();
    world.stub.seed({ recoveryKey: { shares: [FIRST, SECOND, THIRD], threshold: 3 } });
    await rekey.create({ ...program, shares: [FIRST] }).catch(() => undefined);
    const { nonce } = rekey.outputs;
    await ask("POST", UPDATE, { key: SECOND, nonce: nonce ?? "" });
    await expect(rekey.up({ ...program, shares: [THIRD] })).rejects.toThrow(
      /counts 2 shares, and 1 of them are known to be ours: .* cancelRunning: true .*; or set othersGiveShares: true/,
    );
    expect(await ask("GET", INIT)).toMatchObject({ nonce, progress: 2 });
    await rekey.up({ ...program, shares: [THIRD], othersGiveShares: true });
    expect(rekey.outputs).toMatchObject({ phase: "verification", nonce });
  });

  test("that somebody else completed is theirs: it is cancelled on request only", async () => {
    const { rekey, ask } = await ceremony();
    await rekey.create({ ...program, shares: [FIRST] }).catch(() => undefined);
    const { nonce } = rekey.outputs;
    await ask("POST", UPDATE, { key: SECOND, nonce: nonce ?? "" });
    await expect(rekey.up(program)).rejects.toThrow(
      /somebody else gave the last share and has them.*nothing was done/s,
    );
    expect(await ask("GET", INIT)).toMatchObject({ nonce });
    await rekey.up({ ...program, cancelRunning: true });
    expect(rekey.outputs.phase).toBe("verification");
    expect(rekey.outputs.nonce).not.toBe(nonce);
  });

  test("whose first answer is lost goes on in the same up, and cancels nothing", async () => {
    const { rekey, world } = await ceremony();
    loseAnswerOf(world, 1);
    await rekey.create(program);
    expect(rekey.outputs.phase).toBe("verification");
    expect(world.requests.filter(({ method }) => method === "DELETE")).toEqual([]);
  });

  test.each([1, 2])(
    "whose answer to share %d is lost together with its status is told by the next up, without help",
    async (number) => {
      const { rekey, world } = await ceremony();
      const reached = delivered(world);
      let updates = 0;
      let isDown = false;
      world.fate = ({ path }): Fate => {
        if (isDown) return "request lost";
        isDown = path.endsWith("update") && ++updates === number;
        return isDown ? "response lost" : "passes";
      };
      await expect(rekey.create(program)).rejects.toThrow("lost its connection");
      world.fate = () => "passes";
      await rekey.up(program);
      expect(rekey.outputs.phase).toBe("verification");
      expectNoneTwice(reached);
    },
  );

  test("without verification, that is no longer under way, is not gone at a refresh: its new shares may be lost, and the next up says so", async () => {
    const { rekey, ask } = await ceremony();
    const inputs = { ...program, shares: [FIRST], requireVerification: false };
    await rekey.create(inputs).catch(() => undefined);
    await ask("DELETE", INIT);
    expect(await rekey.refresh()).toBe(true);
    await expect(rekey.up(inputs)).rejects.toThrow("either it was cancelled, or lost with an active server");
  });

  test("takes no backup for its own that another rekey made", async () => {
    const pgpKeys = [btoa("first"), btoa("second"), btoa("third")];
    const inputs = { ...program, pgpKeys, backup: true, requireVerification: false };
    const { rekey, world, ask } = await ceremony();
    const before = new Resource(world.another(), recoveryKeyRekey);
    await before.create(inputs);
    const { shares: _, ...own } = { ...inputs, shares: [] };
    await rekey.create({ ...own, shares: [btoa("not given yet")] }).catch(() => undefined);
    await ask("DELETE", INIT);
    await expect(rekey.up({ ...own, shares: [FIRST] })).rejects.toThrow(/because there is no backup of it/);
    expect(rekey.outputs.keys).toBeUndefined();
  });

  test("whose backup cannot be read now is not lost: the next up reads it", async () => {
    const pgpKeys = [btoa("first"), btoa("second"), btoa("third")];
    const inputs = { ...program, pgpKeys, backup: true, requireVerification: false };
    const { rekey, world } = await ceremony();
    let updates = 0;
    let isDown = false;
    world.fate = ({ path }): Fate => {
      if (isDown) return "request lost";
      isDown = path.endsWith("update") && ++updates === 2;
      return isDown ? "response lost" : "passes";
    };
    await expect(rekey.create(inputs)).rejects.toThrow("lost its connection");
    world.fate = () => "passes";
    world.afterwards = ({ path }, answer) => {
      if (path.endsWith("backup"))
        Object.assign(answer, { status: 403, text: '{"errors":["permission denied"]}' });
    };
    await expect(rekey.up(inputs)).rejects.toThrow("answered 403");
    world.afterwards = () => undefined;
    await rekey.up(inputs);
    expect(rekey.outputs.phase).toBe("complete");
    expect(keysOf(rekey)).toHaveLength(3);
  });

  test("is not told to be without a backup by an answer that shows none and refuses none", async () => {
    const pgpKeys = [btoa("first"), btoa("second"), btoa("third")];
    const inputs = { ...program, pgpKeys, backup: true, requireVerification: false };
    const { rekey, world } = await ceremony();
    let updates = 0;
    world.fate = ({ path }): Fate =>
      path.endsWith("update") && ++updates === 2 ? "response lost" : "passes";
    world.saying = ({ path }, answer) =>
      path.endsWith("backup") ? { ...answer, text: "{}", json: {} } : answer;
    await expect(rekey.create(inputs)).rejects.toThrow("what is not the object that was asked for");
    world.saying = (_, answer) => answer;
    await rekey.up(inputs);
    expect(keysOf(rekey)).toHaveLength(3);
  });

  test("finds its backup also where somebody else's rekey is under way by then, and leaves that alone", async () => {
    const pgpKeys = [btoa("first"), btoa("second"), btoa("third")];
    const inputs = { ...program, pgpKeys, backup: true, requireVerification: false };
    const { rekey, world, ask } = await ceremony();
    loseAnswerOf(world, 2);
    const lose = world.fate;
    let isDown = false;
    world.fate = async (request) => {
      const fate = isDown ? "request lost" : await lose(request);
      isDown ||= fate === "response lost";
      return fate;
    };
    await rekey.create(inputs).catch(() => undefined);
    world.fate = () => "passes";
    const { nonce } = await ask("POST", INIT, { secret_shares: 1, secret_threshold: 1 });
    await rekey.up({ ...inputs, cancelRunning: true });
    expect(rekey.outputs.phase).toBe("complete");
    expect(await ask("GET", INIT)).toMatchObject({ nonce });
  });

  test.each(["neutral", "real"])(
    "with one PGP key for several shares keeps each of them (%s)",
    async (dialect) => {
      const { rekey, world } = await ceremony();
      world.stub.configure({ dialect });
      const own = new Resource(world.with({ dialect }), recoveryKeyRekey);
      const key = btoa("one for two");
      loseAnswerOf(own.world, 2);
      const inputs = {
        ...program,
        pgpKeys: [key, key, btoa("another")],
        backup: true,
        requireVerification: false,
      };
      await own.create(inputs);
      expect(own.outputs.phase).toBe("complete");
      expect(new Set(keysOf(own)).size).toBe(3);
      expect(rekey.id).toBe("");
    },
  );

  test("tells no old share in a later preview, whatever the service has quoted", async () => {
    const { rekey, world } = await ceremony();
    world.afterwards = ({ path }, answer) => {
      if (path.endsWith("update")) {
        Object.assign(answer, {
          status: 400,
          json: { errors: [`bad key ${FIRST}`] },
          text: `{"errors":["bad key ${FIRST}"]}`,
        });
      }
    };
    await expect(rekey.create(program)).rejects.toThrow("did not take the share 1 of `shares`");
    const { notes } = rekey.preview({ ...program, shares: [THIRD] });
    expect(notes.join("\n")).toContain("it goes on where it stopped");
    expect(notes.join("\n")).not.toContain(FIRST);
  });

  test("encrypts its shares with the PGP keys in their order, and tells their fingerprints", async () => {
    const pgpKeys = [btoa("first"), btoa("second"), btoa("third")];
    const { rekey, written } = await ceremony({ ...program, pgpKeys });
    expect(written()[0]).toMatchObject({ pgp_keys: pgpKeys });
    const prints = rekey.outputs.pgpFingerprints as string[];
    expect(prints).toHaveLength(3);
    for (const [index, key] of keysOf(rekey).entries()) expect(atob(key)).toContain(prints[index]);
  });

  test("without verification, whose last answer is lost, is read from its backup", async () => {
    const pgpKeys = [btoa("first"), btoa("second"), btoa("third")];
    const { rekey, world } = await ceremony();
    loseAnswerOf(world, 2);
    await rekey.create({ ...program, pgpKeys, backup: true, requireVerification: false });
    expect(rekey.outputs.phase).toBe("complete");
    for (const [index, key] of keysOf(rekey).entries()) {
      expect(atob(key)).toContain((rekey.outputs.pgpFingerprints as string[])[index]);
    }
    expect(world.logged.join("\n")).toContain("read from the service's backup");
  });

  test("without verification and backup, whose last answer is lost, names the loss, up after up", async () => {
    const { rekey, world } = await ceremony();
    loseAnswerOf(world, 2);
    const inputs = { ...program, requireVerification: false };
    await expect(rekey.create(inputs)).rejects.toThrow(/the shares of the new key were lost with the answer/);
    expect(rekey.outputs.phase).toBe("lost");
    expect(await rekey.refresh()).toBe(true);
    const sent = world.requests.length;
    await expect(rekey.up(inputs)).rejects.toThrow(/the shares of the new key were lost/);
    expect(world.requests.length).toBe(sent);
  });

  test("with verification, whose last answer is lost, is cancelled and made again in the same up", async () => {
    const { rekey, world } = await ceremony();
    const reached = delivered(world);
    loseAnswerOf(world, 2);
    await rekey.create(program);
    expect(rekey.outputs.phase).toBe("verification");
    expect(reached.filter(({ path }) => path.endsWith("update"))).toHaveLength(4);
    expectNoneTwice(reached);
    expect(world.logged.join("\n")).toMatch(/were lost with an answer; it was cancelled/);
  });

  test("on a seal without recovery keys is the service's own refusal", async () => {
    const { rekey, world } = await ceremony();
    world.stub.configure({ recoveryKeysSupported: false });
    await expect(rekey.create(program)).rejects.toThrow(/recovery (rekeying )?not supported/);
    expect(rekey.id).toBe("");
  });

  test.each<[string, Values, string]>([
    [
      "a threshold above the shares",
      { secretThreshold: 4 },
      "secretThreshold: given 4: must be at most secretShares",
    ],
    [
      "a threshold of one for several",
      { secretThreshold: 1 },
      "secretThreshold: given 1: must be more than 1",
    ],
    ["too few PGP keys", { pgpKeys: [btoa("a")] }, "must be as many as secretShares, which is 3"],
    ["a backup without PGP keys", { backup: true }, "backup: given true: needs pgpKeys"],
    ["no share at all", { secretShares: 0 }, "secretShares: given 0: must be at least 1"],
    [
      "a PGP key that is no base64",
      { secretShares: 1, secretThreshold: 1, pgpKeys: ["%"] },
      "must be base64",
    ],
  ])("refuses %s in the preview", async (_, change, problem) => {
    const { problems } = await ceremony();
    expect(problems({ ...program, ...change })[0]).toContain(problem);
  });

  test("takes PGP keys in base64 of one line or of several, as the tools write it", async () => {
    const { problems } = await ceremony();
    for (const key of ["YWJj", "YWJj\nZGVm\n", "YWJj\r\nZA==\r\n"]) {
      expect(problems({ ...program, secretShares: 1, secretThreshold: 1, pgpKeys: [key] })).toEqual([]);
    }
  });

  test("keeps shares old and new encrypted, and out of every message", () => {
    expect(new SecretMap(recoveryKeyRekey, program).collect()).toEqual([FIRST, SECOND]);
    for (const name of ["keys", "keysBase64"])
      expect(new SecretMap(recoveryKeyRekey, {}).holdsSecret([name], ["x"])).toBe(true);
    expect(new SecretMap(recoveryKeyVerification, { shares: ["x"] }).holdsSecret(["shares"], ["x"])).toBe(
      true,
    );
  });
});

describe("a verification", () => {
  async function pending() {
    const staged = await ceremony(program);
    const verification = new Resource(staged.world, recoveryKeyVerification);
    const inputs = { rekeyNonce: String(staged.rekey.outputs.nonce), shares: keysOf(staged.rekey) };
    return { ...staged, verification, inputs };
  }

  test("of a rekey that is not under way tells what is open, and is adopted where it was verified", async () => {
    const { verification, inputs, ask } = await pending();
    await ask("DELETE", INIT);
    await expect(verification.create(inputs)).rejects.toThrow(
      /verified, or cancelled, or lost with an active server.*adopt: true/s,
    );
    expect(verification.id).toBe("");
    await verification.create({ ...inputs, adopt: true });
    expect(verification.outputs.phase).toBe("complete");
  });

  test("of a rekey that lacks shares is refused before anything is sent", async () => {
    const { rekey, world } = await ceremony();
    await rekey.create({ ...program, shares: [FIRST] }).catch(() => undefined);
    const verification = new Resource(world, recoveryKeyVerification);
    const inputs = { rekeyNonce: String(rekey.outputs.nonce), shares: ["x"] };
    await expect(verification.create(inputs)).rejects.toThrow("there is nothing to verify yet");
  });

  test("that somebody restarted begins again under the new nonce", async () => {
    const { verification, inputs, ask, world } = await pending();
    await verification.create({ ...inputs, shares: inputs.shares.slice(0, 1) }).catch(() => undefined);
    await ask("DELETE", VERIFY);
    await verification.up(inputs);
    expect(verification.outputs.phase).toBe("complete");
    // The new nonce has counted nothing: there is nothing to take back.
    expect(world.requests.filter(({ method }) => method === "DELETE")).toEqual([]);
  });

  // A rekey that somebody cancels in the same moment is over just so, and its new shares make no key.
  test.each([
    ["answer is lost", "response lost"],
    ["request is lost, and which somebody cancels", "cancelled, lost"],
    ["share is refused, because somebody cancels it", "cancelled"],
    ["share is answered with an error, and was taken", "error"],
  ])("whose last %s is not complete: nothing shows which key is in force", async (_, how) => {
    const { verification, inputs, world, ask } = await pending();
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
    world.fate = () => "passes";
    world.afterwards = () => undefined;
    expect(await make(world, inputs.shares)).toBe(!how.startsWith("cancelled"));
    await expect(verification.up(inputs)).rejects.toThrow("is not under way");
    await verification.up({ ...inputs, adopt: true });
    expect(verification.outputs.phase).toBe("complete");
  });

  test("that counts a share of which nobody knows begins again, under another nonce", async () => {
    const { verification, inputs, world, ask } = await pending();
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

  test("with wrong shares says so, and the next up restarts it", async () => {
    const { verification, inputs, world } = await pending();
    const reached = delivered(world);
    const wrong = { ...inputs, shares: [inputs.shares[0] ?? "", Buffer.alloc(33, 7).toString("base64")] };
    await expect(verification.create(wrong)).rejects.toThrow(
      /did not make the new key of them: .*incorrect key shares supplied.* does not tell which of them is wrong/s,
    );
    await verification.up(inputs);
    expect(verification.outputs.phase).toBe("complete");
    expectNoneTwice(reached);
  });

  test("once it is done is never gone, and a delete sends nothing", async () => {
    const { verification, inputs, world } = await pending();
    await verification.create(inputs);
    const sent = world.requests.length;
    expect(verification.preview(inputs).changes).toEqual([]);
    expect(await verification.refresh()).toBe(true);
    await verification.delete();
    expect(world.requests.length).toBe(sent);
  });
});

/** Loses the answer of the update of this number, counted from 1. */
function loseAnswerOf(world: World, number: number): void {
  let updates = 0;
  world.fate = ({ path }): Fate =>
    path.endsWith("update") && ++updates === number ? "response lost" : "passes";
}
