import { INITIAL_SHARES } from "../../stub/services/secrets/rekey/records";
import { answers } from "./in-process";
import { Scene, scene } from "./secrets-scene";

const INIT = "sys/rekey-recovery-key/init";
const UPDATE = "sys/rekey-recovery-key/update";
const VERIFY = "sys/rekey-recovery-key/verify";
const BACKUP = "sys/rekey/recovery-key-backup";
const NEW = { secret_shares: 3, secret_threshold: 2 };
const PGP = [1, 2, 3].map((number) => Buffer.from(`pgp key ${number}`).toString("base64"));

async function started(scene: Scene, body: object = NEW): Promise<string> {
  return (await scene.write(INIT, body)).body.nonce;
}

/** Gives shares of the current key, and answers the last response. */
async function give(scene: Scene, nonce: string, keys: readonly string[] = INITIAL_SHARES.slice(0, 2)) {
  let answered = await scene.read(INIT);
  for (const key of keys) answered = await scene.write(UPDATE, { key, nonce });
  return answered;
}

describe("A1. none", () => {
  test("the status tells that nothing is started, and how many shares it takes", async () => {
    expect((await scene.read(INIT)).body).toEqual({
      started: false,
      nonce: "",
      t: 0,
      n: 0,
      progress: 0,
      required: 2,
      backup: false,
      verification_required: false,
    });
  });

  test("POST init: started, with a new nonce; the answer is the status", async () => {
    const { status, body } = await scene.write(INIT, NEW);
    expect(status).toBe(200);
    expect(body).toMatchObject({ started: true, nonce: expect.stringMatching(/-/), t: 2, n: 3, progress: 0 });
    expect((await scene.read(INIT)).body).toEqual(body);
  });

  test.each([
    ["no shares", { secret_threshold: 1 }],
    ["no threshold", { secret_shares: 1 }],
    ["a threshold above the shares", { secret_shares: 2, secret_threshold: 3 }],
    ["a threshold of 1 for several shares", { secret_shares: 2, secret_threshold: 1 }],
    ["fewer pgp_keys than shares", { ...NEW, pgp_keys: PGP.slice(0, 2) }],
    ["pgp_keys that are no base64", { ...NEW, pgp_keys: ["!", "!", "!"] }],
    ["a backup without pgp_keys", { ...NEW, backup: true }],
  ])("POST init with %s is 400", async (_what, body) => {
    await answers(scene.write(INIT, body), 400);
  });

  test("update, verify and its reset are 400", async () => {
    const body = { key: INITIAL_SHARES[0], nonce: "x" };
    await answers(scene.write(UPDATE, body), 400);
    await answers(scene.write(VERIFY, body), 400);
    await answers(scene.read(VERIFY), 400);
    await answers(scene.send("DELETE", VERIFY), 400);
  });

  test("without a backup, reading it is 400", async () => {
    const refused = await scene.read(BACKUP);
    expect(refused).toMatchObject({ status: 400, body: { errors: ["no backed-up keys found"] } });
  });

  test("a seal without recovery keys answers 400 to everything", async () => {
    const scene = new Scene({ recoveryKeysSupported: false });
    await answers(scene.read(INIT), 400);
    await answers(scene.write(INIT, NEW), 400);
    await answers(scene.read(BACKUP), 400);
  });

  test("child namespaces have no rekey", async () => {
    await answers(scene.read(INIT, { namespace: "team" }), 404);
  });
});

describe("A1. started", () => {
  test("a second init is 400: one attempt at a time", async () => {
    await started(scene);
    await answers(scene.write(INIT, NEW), 400, { errors: ["rekey already in progress"] });
  });

  test("update with fewer than the threshold: progress increases, and the answer is the status", async () => {
    const nonce = await started(scene);
    const { body } = await give(scene, nonce, INITIAL_SHARES.slice(0, 1));
    expect(body).toMatchObject({ started: true, nonce, progress: 1, required: 2 });
  });

  test.each([
    ["a wrong nonce", { key: INITIAL_SHARES[0], nonce: "wrong" }],
    ["no nonce", { key: INITIAL_SHARES[0], nonce: undefined }],
    ["no key", { key: "" }],
    ["a key that is neither base64 nor hex", { key: "not a key" }],
  ])("update with %s is 400", async (_what, body) => {
    const nonce = await started(scene);
    await answers(scene.write(UPDATE, { nonce, ...body }), 400);
    expect((await scene.read(INIT)).body.progress).toBe(0);
  });

  test("the same share twice is 400, in base64 or hex", async () => {
    const nonce = await started(scene);
    const key = INITIAL_SHARES[0] ?? "";
    await scene.write(UPDATE, { key, nonce });
    for (const again of [key, Buffer.from(key, "base64").toString("hex")]) {
      const refused = await scene.write(UPDATE, { key: again, nonce });
      expect(refused.status).toBe(400);
      expect(refused.body.errors[0]).toContain("given key has already been provided");
    }
  });

  test("threshold reached: complete, new shares, and only those rekey from here on", async () => {
    const nonce = await started(scene);
    const { body } = await give(scene, nonce);
    expect(body).toMatchObject({
      complete: true,
      nonce,
      pgp_fingerprints: null,
      backup: false,
      verification_required: false,
    });
    expect(body).not.toHaveProperty("verification_nonce");
    expect(body.keys).toHaveLength(3);
    expect(Buffer.from(body.keys[0], "hex").toString("base64")).toBe(body.keys_base64[0]);
    expect((await scene.read(INIT)).body.started).toBe(false);
    const next = await started(scene);
    await answers(give(scene, next), 400);
    expect((await give(scene, next, body.keys_base64.slice(1))).body.complete).toBe(true);
  });

  test.each([
    ["of a share's length", 32, 400, "recovery key verification failed"],
    ["of another length", 33, 500, "failed to compute recovery key: all parts must be the same length"],
  ])(
    "a wrong share %s is refused only at the threshold; all are taken back, and the nonce stays",
    async (_, bytes, status, words) => {
      const nonce = await started(scene);
      const wrong = Buffer.alloc(bytes, 7).toString("base64");
      expect((await give(scene, nonce, [wrong])).body).toMatchObject({ progress: 1 });
      const refused = await give(scene, nonce, [INITIAL_SHARES[0] ?? ""]);
      expect(refused.status).toBe(status);
      expect(refused.body.errors[0]).toContain(words);
      expect((await scene.read(INIT)).body).toMatchObject({ started: true, nonce, progress: 0 });
      expect((await give(scene, nonce)).body.complete).toBe(true);
    },
  );

  test.each([
    ["shorter", 15],
    ["longer", 34],
  ])("a key %s than any share is 400 by itself, and counts nothing", async (word, bytes) => {
    const nonce = await started(scene);
    const refused = await give(scene, nonce, [Buffer.alloc(bytes, 7).toString("base64")]);
    expect(refused).toMatchObject({ status: 400, body: { errors: [expect.stringContaining(word)] } });
    expect((await scene.read(INIT)).body).toMatchObject({ progress: 0 });
  });

  test("DELETE init: none, settings and progress cleared", async () => {
    await give(scene, await started(scene), INITIAL_SHARES.slice(0, 1));
    await answers(scene.send("DELETE", INIT), 204);
    expect((await scene.read(INIT)).body).toMatchObject({ started: false, progress: 0, n: 0 });
    await answers(scene.send("DELETE", INIT), 204);
  });

  test("cancelling may need the nonce for the first ten minutes", async () => {
    const scene = new Scene({ cancelNeedsNonce: true });
    const nonce = await started(scene);
    await answers(scene.send("DELETE", INIT), 400);
    await answers(scene.send("DELETE", INIT, { nonce }), 204);
    await started(scene);
    scene.pass(600);
    await answers(scene.send("DELETE", INIT), 204);
  });
});

describe("A1. PGP keys and the backup", () => {
  test("each share is handed out for its key, in order, and backed up by fingerprint", async () => {
    const nonce = await started(scene, { ...NEW, pgp_keys: PGP, backup: true });
    const { pgp_fingerprints: fingerprints } = (await scene.read(INIT)).body;
    expect(fingerprints).toHaveLength(3);
    const { body } = await give(scene, nonce);
    expect(body).toMatchObject({ pgp_fingerprints: fingerprints, backup: true });
    expect(Buffer.from(body.keys_base64[1], "base64").toString()).toContain(`pgp:${fingerprints[1]}:`);
    const backup = (await scene.read(BACKUP)).body;
    expect(backup.nonce).toBe(nonce);
    expect(backup.keys).toEqual(
      Object.fromEntries(fingerprints.map((print: string, index: number) => [print, body.keys[index]])),
    );
    expect(backup.data.keys).toEqual(backup.keys);
    await answers(scene.send("DELETE", BACKUP), 204);
    await answers(scene.read(BACKUP), 400);
  });
});

describe("A1. verification", () => {
  async function verifying(scene: Scene) {
    const nonce = await started(scene, { ...NEW, require_verification: true });
    const { body } = await give(scene, nonce);
    return { shares: body.keys_base64 as readonly string[], nonce: body.verification_nonce as string, body };
  }

  test("threshold reached: the new shares with a verification nonce, and no rotation yet", async () => {
    const { body, nonce } = await verifying(scene);
    expect(body).toMatchObject({ complete: true, verification_required: true });
    expect((await scene.read(VERIFY)).body).toEqual({ nonce, t: 2, n: 3, progress: 0 });
    await answers(scene.write(UPDATE, { key: INITIAL_SHARES[2], nonce: body.nonce }), 400, {
      errors: [expect.stringContaining("rekey operation already finished")],
    });
    expect((await scene.read(INIT)).body).toMatchObject({ started: true, progress: 0 });
  });

  test("fewer than the threshold: progress; threshold: complete, and the key is rotated", async () => {
    const { shares, nonce } = await verifying(scene);
    const first = await scene.write(VERIFY, { key: shares[0], nonce });
    expect(first.body).toEqual({ nonce, t: 2, n: 3, progress: 1 });
    expect((await scene.write(VERIFY, { key: shares[1], nonce })).body).toEqual({ nonce, complete: true });
    const next = await started(scene);
    expect((await give(scene, next, shares.slice(0, 2))).body.complete).toBe(true);
  });

  test("a wrong nonce and the same share twice are 400", async () => {
    const { shares, nonce } = await verifying(scene);
    await answers(scene.write(VERIFY, { key: shares[0], nonce: "wrong" }), 400);
    await scene.write(VERIFY, { key: shares[0], nonce });
    const refused = await scene.write(VERIFY, { key: shares[0], nonce });
    expect([refused.status, refused.body.errors[0]]).toEqual([
      400,
      expect.stringContaining("given key has already been provided"),
    ]);
  });

  test.each([
    ["of a share's length", 33, 400],
    ["of another length", 32, 500],
  ])("a wrong share %s is refused at the threshold, and progress starts again", async (_, bytes, status) => {
    const { shares, nonce } = await verifying(scene);
    await scene.write(VERIFY, { key: shares[0], nonce });
    const wrong = Buffer.alloc(bytes, 7).toString("base64");
    await answers(scene.write(VERIFY, { key: wrong, nonce }), status);
    const { body } = await scene.read(VERIFY);
    expect(body).toMatchObject({ progress: 0 });
    expect(Object(body).nonce).not.toBe(nonce);
  });

  test("before the new shares are there its status has no nonce; without a rekey it is 400", async () => {
    await answers(scene.read(VERIFY), 400);
    await scene.write(INIT, { secret_shares: 1, secret_threshold: 1, require_verification: true });
    expect((await scene.read(VERIFY)).body).toEqual({ nonce: "", t: 1, n: 1, progress: 0 });
  });

  test("DELETE verify: progress 0 and a new nonce; the attempt is kept", async () => {
    const { shares, nonce } = await verifying(scene);
    await scene.write(VERIFY, { key: shares[0], nonce });
    const { body } = await scene.send("DELETE", VERIFY);
    expect(body).toMatchObject({ progress: 0, t: 2, n: 3 });
    expect(body.nonce).not.toBe(nonce);
    expect((await scene.read(INIT)).body.started).toBe(true);
    await scene.write(VERIFY, { key: shares[0], nonce: body.nonce });
    expect((await scene.write(VERIFY, { key: shares[2], nonce: body.nonce })).body.complete).toBe(true);
  });

  test("DELETE init: none, and the current key remains valid", async () => {
    await verifying(scene);
    await scene.send("DELETE", INIT);
    await answers(scene.read(VERIFY), 400);
    expect((await give(scene, await started(scene))).body.complete).toBe(true);
  });
});

const PREFIX = "sys/rotate/recovery";
const ROTATION = { secret_shares: 3, secret_threshold: 2, require_verification: true };
const UUID = /^[0-9a-f]{8}-/;
const WRONG = Buffer.alloc(32, 7).toString("base64");

const rotating = () => new Scene({ rekey: "authenticated" });
const refused = (message: string | RegExp) => ({
  status: 400,
  body: { errors: [expect.stringMatching(message)] },
});

/** What OpenBao 2.6 answered with its default listener. */
describe("sys/rotate/recovery", () => {
  const [first = "", second = ""] = INITIAL_SHARES;

  test("takes the place of the requests without a token, which are unsupported paths", async () => {
    const scene = rotating();
    await answers(scene.read("sys/rekey-recovery-key/init"), 404, {
      errors: [expect.stringContaining("unsupported path")],
    });
    expect((await scene.read(`${PREFIX}/init`)).body.data).toEqual({
      started: false,
      t: 0,
      n: 0,
      required: 2,
    });
  });

  test("the default of the stub has the requests without a token alone", async () => {
    await answers(scene.read(`${PREFIX}/init`), 404);
  });

  test("refuses in its own words, with 400", async () => {
    const scene = rotating();
    expect(await scene.read(`${PREFIX}/verify`)).toMatchObject(refused("no rotation configuration found"));
    expect(await scene.write(`${PREFIX}/update`, { key: first, nonce: "x" })).toMatchObject(
      refused("no rotation in progress"),
    );
    expect(await scene.write(`${PREFIX}/init`, { ...NEW, secret_shares: 300 })).toMatchObject(
      refused(/secret_shares|invalid recovery configuration/),
    );
    const { nonce } = (await scene.write(`${PREFIX}/init`, ROTATION)).body.data;
    const update = (key: string, under = nonce) => scene.write(`${PREFIX}/update`, { key, nonce: under });
    expect(await scene.write(`${PREFIX}/init`, ROTATION)).toMatchObject(
      refused("rotation already in progress"),
    );
    expect(await update(first, "x")).toMatchObject(refused(`nonce for rotation is "${nonce}"`));
    expect((await update(first)).body.data).toMatchObject({ started: true, progress: 1, required: 2 });
    expect(await update(first)).toMatchObject(
      refused("given key has already been provided during this rotation"),
    );
    expect(await update(WRONG)).toMatchObject(refused("recovery key verification failed"));
    await update(first);
    const longer = Buffer.alloc(33, 7).toString("base64");
    expect(await update(longer)).toMatchObject(refused("failed to compute key: .*same length"));
    expect((await scene.read(`${PREFIX}/init`)).body.data).toMatchObject({ started: true, nonce });
  });

  test("hands out the new shares, and takes the same one twice in a verification", async () => {
    const scene = rotating();
    const { nonce } = (await scene.write(`${PREFIX}/init`, ROTATION)).body.data;
    await scene.write(`${PREFIX}/update`, { key: first, nonce });
    const { data } = (await scene.write(`${PREFIX}/update`, { key: second, nonce })).body;
    expect(data).toMatchObject({ complete: true, nonce, verification_required: true });
    expect(data.verification_nonce).toMatch(UUID);
    const verify = (key: string, under: string) => scene.write(`${PREFIX}/verify`, { key, nonce: under });
    const [one, , three] = data.keys_base64;
    expect((await verify(one, data.verification_nonce)).body.data).toMatchObject({
      progress: 1,
      started: true,
    });
    expect(await verify(one, data.verification_nonce)).toMatchObject(refused("duplicate part detected"));
    const { nonce: next } = (await scene.read(`${PREFIX}/verify`)).body.data;
    expect(next).not.toBe(data.verification_nonce);
    await verify(one, next);
    expect((await verify(three, next)).body.data).toEqual({ complete: true, nonce: next });
    expect((await scene.read(`${PREFIX}/init`)).body.data).toMatchObject({ started: false });
  });

  test("a restart before there is anything to verify makes a nonce all the same", async () => {
    const scene = rotating();
    await scene.write(`${PREFIX}/init`, ROTATION);
    const { data } = (await scene.send("DELETE", `${PREFIX}/verify`)).body;
    expect(data).toMatchObject({ started: false, progress: 0 });
    expect(data.nonce).toMatch(UUID);
  });

  test("a backup that a rotation made is read there alone", async () => {
    const scene = rotating();
    const pgp_keys = [1, 2, 3].map((number) => btoa(`pgp key ${number}`));
    const body = { ...NEW, require_verification: false, pgp_keys, backup: true };
    const { nonce } = (await scene.write(`${PREFIX}/init`, body)).body.data;
    for (const key of [first, second]) await scene.write(`${PREFIX}/update`, { key, nonce });
    await answers(scene.read("sys/rekey/recovery-key-backup"), 500);
    expect((await scene.read(`${PREFIX}/backup`)).body.data.nonce).toBe(nonce);
    await answers(scene.send("DELETE", "sys/rekey/recovery-key-backup"), 204);
    expect(await scene.read(`${PREFIX}/backup`)).toMatchObject(refused("no backed-up keys found"));
  });
});
