import { INITIAL_SHARES } from "../../stub/services/secrets/rekey/records";
import { answers } from "./in-process";
import { Scene, scene } from "./secrets-scene";

const PREFIX = "sys/rotate/recovery";
const NEW = { secret_shares: 3, secret_threshold: 2, require_verification: true };
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
    const { nonce } = (await scene.write(`${PREFIX}/init`, NEW)).body.data;
    const update = (key: string, under = nonce) => scene.write(`${PREFIX}/update`, { key, nonce: under });
    expect(await scene.write(`${PREFIX}/init`, NEW)).toMatchObject(refused("rotation already in progress"));
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
    const { nonce } = (await scene.write(`${PREFIX}/init`, NEW)).body.data;
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
    await scene.write(`${PREFIX}/init`, NEW);
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
