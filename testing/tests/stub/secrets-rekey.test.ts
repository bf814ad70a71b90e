import { INITIAL_SHARES } from "../../stub/services/secrets/rekey/records";
import { answers } from "./in-process";
import { Scene, scene } from "./secrets-scene";

const INIT = "sys/rekey-recovery-key/init";
const UPDATE = "sys/rekey-recovery-key/update";
const VERIFY = "sys/rekey-recovery-key/verify";
const BACKUP = "sys/rekey/recovery-key-backup";
const NEW = { secret_shares: 3, secret_threshold: 2 };
const PGP = [1, 2, 3].map((number) => Buffer.from(`pgp key ${number}`).toString("base64"));

async function startRekey(scene: Scene, body: object = NEW): Promise<string> {
  return (await scene.write(INIT, body)).body.nonce;
}

/** Sends shares of the current key and returns the last response. */
async function provideShares(
  scene: Scene,
  nonce: string,
  keys: readonly string[] = INITIAL_SHARES.slice(0, 2),
) {
  let answered = await scene.read(INIT);
  for (const key of keys) answered = await scene.write(UPDATE, { key, nonce });
  return answered;
}

describe("A1. Recovery-key rekey, state none", () => {
  test("the status returns started false and the required number of shares", async () => {
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

  test("POST init starts a rekey and returns its status with a new nonce", async () => {
    const { status, body } = await scene.write(INIT, NEW);
    expect(status).toBe(200);
    expect(body).toMatchObject({ started: true, nonce: expect.stringMatching(/-/), t: 2, n: 3, progress: 0 });
    expect((await scene.read(INIT)).body).toEqual(body);
  });

  test.each([
    ["no secret_shares", { secret_threshold: 1 }],
    ["no secret_threshold", { secret_shares: 1 }],
    ["a threshold above the shares", { secret_shares: 2, secret_threshold: 3 }],
    ["a threshold of 1 for several shares", { secret_shares: 2, secret_threshold: 1 }],
    ["fewer pgp_keys than shares", { ...NEW, pgp_keys: PGP.slice(0, 2) }],
    ["pgp_keys that are not base64", { ...NEW, pgp_keys: ["!", "!", "!"] }],
    ["a backup without pgp_keys", { ...NEW, backup: true }],
  ])("POST init with %s returns 400", async (_what, body) => {
    await answers(scene.write(INIT, body), 400);
  });

  test("update, verify, the verification status and its reset return 400", async () => {
    const body = { key: INITIAL_SHARES[0], nonce: "x" };
    await answers(scene.write(UPDATE, body), 400);
    await answers(scene.write(VERIFY, body), 400);
    await answers(scene.read(VERIFY), 400);
    await answers(scene.send("DELETE", VERIFY), 400);
  });

  test("reading an absent backup returns 400", async () => {
    const refused = await scene.read(BACKUP);
    expect(refused).toMatchObject({ status: 400, body: { errors: ["no backed-up keys found"] } });
  });

  test("init, its status and the backup return 400 if the seal does not support recovery keys", async () => {
    const scene = new Scene({ recoveryKeysSupported: false });
    await answers(scene.read(INIT), 400);
    await answers(scene.write(INIT, NEW), 400);
    await answers(scene.read(BACKUP), 400);
  });

  test("the status in a child namespace returns 404", async () => {
    await answers(scene.read(INIT, { namespace: "team" }), 404);
  });
});

describe("A1. Recovery-key rekey, state started", () => {
  test("a second POST init returns 400", async () => {
    await startRekey(scene);
    await answers(scene.write(INIT, NEW), 400, { errors: ["rekey already in progress"] });
  });

  test("update below the threshold increases progress and returns the status", async () => {
    const nonce = await startRekey(scene);
    const { body } = await provideShares(scene, nonce, INITIAL_SHARES.slice(0, 1));
    expect(body).toMatchObject({ started: true, nonce, progress: 1, required: 2 });
  });

  test.each([
    ["a wrong nonce", { key: INITIAL_SHARES[0], nonce: "wrong" }],
    ["no nonce", { key: INITIAL_SHARES[0], nonce: undefined }],
    ["no key", { key: "" }],
    ["a key that is neither base64 nor hex", { key: "not a key" }],
  ])("update with %s returns 400 and does not increase progress", async (_what, body) => {
    const nonce = await startRekey(scene);
    await answers(scene.write(UPDATE, { nonce, ...body }), 400);
    expect((await scene.read(INIT)).body.progress).toBe(0);
  });

  test("update with the same share again, in base64 or hex, returns 400", async () => {
    const nonce = await startRekey(scene);
    const key = INITIAL_SHARES[0] ?? "";
    await scene.write(UPDATE, { key, nonce });
    for (const again of [key, Buffer.from(key, "base64").toString("hex")]) {
      const refused = await scene.write(UPDATE, { key: again, nonce });
      expect(refused.status).toBe(400);
      expect(refused.body.errors[0]).toContain("given key has already been provided");
    }
  });

  test("update at the threshold returns new shares, and only these are valid for the next rekey", async () => {
    const nonce = await startRekey(scene);
    const { body } = await provideShares(scene, nonce);
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
    const next = await startRekey(scene);
    await answers(provideShares(scene, next), 400);
    expect((await provideShares(scene, next, body.keys_base64.slice(1))).body.complete).toBe(true);
  });

  test.each([
    ["of the correct length", 32, 400, "recovery key verification failed"],
    ["of a different length", 33, 500, "failed to compute recovery key: all parts must be the same length"],
  ])(
    "a wrong share %s is rejected only at the threshold: progress is 0 and the nonce is unchanged",
    async (_, bytes, status, message) => {
      const nonce = await startRekey(scene);
      const wrong = Buffer.alloc(bytes, 7).toString("base64");
      expect((await provideShares(scene, nonce, [wrong])).body).toMatchObject({ progress: 1 });
      const refused = await provideShares(scene, nonce, [INITIAL_SHARES[0] ?? ""]);
      expect(refused.status).toBe(status);
      expect(refused.body.errors[0]).toContain(message);
      expect((await scene.read(INIT)).body).toMatchObject({ started: true, nonce, progress: 0 });
      expect((await provideShares(scene, nonce)).body.complete).toBe(true);
    },
  );

  test.each([
    ["shorter", 15],
    ["longer", 34],
  ])(
    "update with a key %s than any share returns 400 and does not increase progress",
    async (word, bytes) => {
      const nonce = await startRekey(scene);
      const refused = await provideShares(scene, nonce, [Buffer.alloc(bytes, 7).toString("base64")]);
      expect(refused).toMatchObject({ status: 400, body: { errors: [expect.stringContaining(word)] } });
      expect((await scene.read(INIT)).body).toMatchObject({ progress: 0 });
    },
  );

  test("DELETE init clears the settings and the progress, and returns 204 when repeated", async () => {
    await provideShares(scene, await startRekey(scene), INITIAL_SHARES.slice(0, 1));
    await answers(scene.send("DELETE", INIT), 204);
    expect((await scene.read(INIT)).body).toMatchObject({ started: false, progress: 0, n: 0 });
    await answers(scene.send("DELETE", INIT), 204);
  });

  test("with cancelNeedsNonce, DELETE init needs the nonce for the first ten minutes", async () => {
    const scene = new Scene({ cancelNeedsNonce: true });
    const nonce = await startRekey(scene);
    await answers(scene.send("DELETE", INIT), 400);
    await answers(scene.send("DELETE", INIT, { nonce }), 204);
    await startRekey(scene);
    scene.pass(600);
    await answers(scene.send("DELETE", INIT), 204);
  });
});

describe("A1. Recovery-key rekey, PGP keys and backup", () => {
  test("each new share is encrypted with its PGP key, in order, and backed up by fingerprint", async () => {
    const nonce = await startRekey(scene, { ...NEW, pgp_keys: PGP, backup: true });
    const { pgp_fingerprints: fingerprints } = (await scene.read(INIT)).body;
    expect(fingerprints).toHaveLength(3);
    const { body } = await provideShares(scene, nonce);
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

describe("A1. Recovery-key rekey, verification", () => {
  async function startVerification(scene: Scene) {
    const nonce = await startRekey(scene, { ...NEW, require_verification: true });
    const { body } = await provideShares(scene, nonce);
    return { shares: body.keys_base64 as readonly string[], nonce: body.verification_nonce as string, body };
  }

  test("update at the threshold returns the new shares and a verification nonce; the rekey stays started", async () => {
    const { body, nonce } = await startVerification(scene);
    expect(body).toMatchObject({ complete: true, verification_required: true });
    expect((await scene.read(VERIFY)).body).toEqual({ nonce, t: 2, n: 3, progress: 0 });
    await answers(scene.write(UPDATE, { key: INITIAL_SHARES[2], nonce: body.nonce }), 400, {
      errors: [expect.stringContaining("rekey operation already finished")],
    });
    expect((await scene.read(INIT)).body).toMatchObject({ started: true, progress: 0 });
  });

  test("verify below the threshold increases progress, and at the threshold makes the new shares valid", async () => {
    const { shares, nonce } = await startVerification(scene);
    const first = await scene.write(VERIFY, { key: shares[0], nonce });
    expect(first.body).toEqual({ nonce, t: 2, n: 3, progress: 1 });
    expect((await scene.write(VERIFY, { key: shares[1], nonce })).body).toEqual({ nonce, complete: true });
    const next = await startRekey(scene);
    expect((await provideShares(scene, next, shares.slice(0, 2))).body.complete).toBe(true);
  });

  test("verify with a wrong nonce or the same share again returns 400", async () => {
    const { shares, nonce } = await startVerification(scene);
    await answers(scene.write(VERIFY, { key: shares[0], nonce: "wrong" }), 400);
    await scene.write(VERIFY, { key: shares[0], nonce });
    const refused = await scene.write(VERIFY, { key: shares[0], nonce });
    expect([refused.status, refused.body.errors[0]]).toEqual([
      400,
      expect.stringContaining("given key has already been provided"),
    ]);
  });

  test.each([
    ["of the correct length", 33, 400],
    ["of a different length", 32, 500],
  ])(
    "a wrong share %s is rejected at the threshold: progress is 0 and the nonce is new",
    async (_, bytes, status) => {
      const { shares, nonce } = await startVerification(scene);
      await scene.write(VERIFY, { key: shares[0], nonce });
      const wrong = Buffer.alloc(bytes, 7).toString("base64");
      await answers(scene.write(VERIFY, { key: wrong, nonce }), status);
      const { body } = await scene.read(VERIFY);
      expect(body).toMatchObject({ progress: 0 });
      expect(Object(body).nonce).not.toBe(nonce);
    },
  );

  test("the verification status has no nonce before the new shares exist; without a rekey, 400", async () => {
    await answers(scene.read(VERIFY), 400);
    await scene.write(INIT, { secret_shares: 1, secret_threshold: 1, require_verification: true });
    expect((await scene.read(VERIFY)).body).toEqual({ nonce: "", t: 1, n: 1, progress: 0 });
  });

  test("DELETE verify resets progress and nonce, and the same new shares can still be verified", async () => {
    const { shares, nonce } = await startVerification(scene);
    await scene.write(VERIFY, { key: shares[0], nonce });
    const { body } = await scene.send("DELETE", VERIFY);
    expect(body).toMatchObject({ progress: 0, t: 2, n: 3 });
    expect(body.nonce).not.toBe(nonce);
    expect((await scene.read(INIT)).body.started).toBe(true);
    await scene.write(VERIFY, { key: shares[0], nonce: body.nonce });
    expect((await scene.write(VERIFY, { key: shares[2], nonce: body.nonce })).body.complete).toBe(true);
  });

  test("DELETE init cancels the verification, and the current shares stay valid", async () => {
    await startVerification(scene);
    await scene.send("DELETE", INIT);
    await answers(scene.read(VERIFY), 400);
    expect((await provideShares(scene, await startRekey(scene))).body.complete).toBe(true);
  });
});

const PREFIX = "sys/rotate/recovery";
const ROTATION = { secret_shares: 3, secret_threshold: 2, require_verification: true };
const UUID = /^[0-9a-f]{8}-/;
const WRONG = Buffer.alloc(32, 7).toString("base64");

const rotationScene = () => new Scene({ rekey: "authenticated" });
const rejectedWith = (message: string | RegExp) => ({
  status: 400,
  body: { errors: [expect.stringMatching(message)] },
});

/** As observed on OpenBao 2.6 with its default listener. */
describe("sys/rotate/recovery", () => {
  const [first = "", second = ""] = INITIAL_SHARES;

  test("replaces sys/rekey-recovery-key, which returns 404 as an unsupported path", async () => {
    const scene = rotationScene();
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

  test("returns 404 by default", async () => {
    await answers(scene.read(`${PREFIX}/init`), 404);
  });

  test("rejects invalid requests with 400 and the messages of OpenBao", async () => {
    const scene = rotationScene();
    expect(await scene.read(`${PREFIX}/verify`)).toMatchObject(
      rejectedWith("no rotation configuration found"),
    );
    expect(await scene.write(`${PREFIX}/update`, { key: first, nonce: "x" })).toMatchObject(
      rejectedWith("no rotation in progress"),
    );
    expect(await scene.write(`${PREFIX}/init`, { ...NEW, secret_shares: 300 })).toMatchObject(
      rejectedWith(/secret_shares|invalid recovery configuration/),
    );
    const { nonce } = (await scene.write(`${PREFIX}/init`, ROTATION)).body.data;
    const update = (key: string, under = nonce) => scene.write(`${PREFIX}/update`, { key, nonce: under });
    expect(await scene.write(`${PREFIX}/init`, ROTATION)).toMatchObject(
      rejectedWith("rotation already in progress"),
    );
    expect(await update(first, "x")).toMatchObject(rejectedWith(`nonce for rotation is "${nonce}"`));
    expect((await update(first)).body.data).toMatchObject({ started: true, progress: 1, required: 2 });
    expect(await update(first)).toMatchObject(
      rejectedWith("given key has already been provided during this rotation"),
    );
    expect(await update(WRONG)).toMatchObject(rejectedWith("recovery key verification failed"));
    await update(first);
    const longer = Buffer.alloc(33, 7).toString("base64");
    expect(await update(longer)).toMatchObject(rejectedWith("failed to compute key: .*same length"));
    expect((await scene.read(`${PREFIX}/init`)).body.data).toMatchObject({ started: true, nonce });
  });

  test("a duplicate share fails the verification and changes its nonce; two different shares complete it", async () => {
    const scene = rotationScene();
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
    expect(await verify(one, data.verification_nonce)).toMatchObject(rejectedWith("duplicate part detected"));
    const { nonce: next } = (await scene.read(`${PREFIX}/verify`)).body.data;
    expect(next).not.toBe(data.verification_nonce);
    await verify(one, next);
    expect((await verify(three, next)).body.data).toEqual({ complete: true, nonce: next });
    expect((await scene.read(`${PREFIX}/init`)).body.data).toMatchObject({ started: false });
  });

  test("DELETE verify returns a nonce even before there are new shares to verify", async () => {
    const scene = rotationScene();
    await scene.write(`${PREFIX}/init`, ROTATION);
    const { data } = (await scene.send("DELETE", `${PREFIX}/verify`)).body;
    expect(data).toMatchObject({ started: false, progress: 0 });
    expect(data.nonce).toMatch(UUID);
  });

  test("the backup of a rotation can be read only at its own path, but deleted at the rekey path", async () => {
    const scene = rotationScene();
    const pgp_keys = [1, 2, 3].map((number) => btoa(`pgp key ${number}`));
    const body = { ...NEW, require_verification: false, pgp_keys, backup: true };
    const { nonce } = (await scene.write(`${PREFIX}/init`, body)).body.data;
    for (const key of [first, second]) await scene.write(`${PREFIX}/update`, { key, nonce });
    await answers(scene.read("sys/rekey/recovery-key-backup"), 500);
    expect((await scene.read(`${PREFIX}/backup`)).body.data.nonce).toBe(nonce);
    await answers(scene.send("DELETE", "sys/rekey/recovery-key-backup"), 204);
    expect(await scene.read(`${PREFIX}/backup`)).toMatchObject(rejectedWith("no backed-up keys found"));
  });
});
