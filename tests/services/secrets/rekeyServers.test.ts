import type { Values } from "../../../provider/core/language/object";
import recoveryKeyRekey from "../../../provider/services/secrets/recoveryKeyRekey";
import recoveryKeyVerification from "../../../provider/services/secrets/recoveryKeyVerification";
import type { SecretsSwitches } from "../../../testing/stub/services/secrets/switches";
import { Resource } from "../../steps/resource";
import type { Fate, World } from "../../steps/world";
import { refusal } from "../interference";
import { REAL } from "./real";
import { ceremony, FIRST, keysOf, program, SECOND, VERIFY } from "./rekeyScene";
import { scene } from "./scene";

const OLD = "/v1/sys/rekey-recovery-key/";
const NEW = "/v1/sys/rotate/recovery/";

async function onServer(rekey: SecretsSwitches["rekey"]) {
  const staged = await scene(recoveryKeyRekey);
  staged.world.stub.configure({ rekey });
  return staged;
}

/** The method and path of each request, in order. */
const requestLines = ({ requests }: World) => requests.map(({ method, path }) => `${method} ${path}`);

/** The path of the endpoints that the state of a rekey contains. */
const prefixOf = (resource: Resource) => JSON.stringify(resource.outputs).match(/sys\/[\w/-]+/)?.[0];

describe("endpoints of a rekey", () => {
  test("are those of the specification if the server has them, and no others are requested", async () => {
    const { resource, world } = await onServer("unauthenticated");
    await resource.create(program);
    expect(requestLines(world).filter((line) => line.includes(NEW))).toEqual([]);
  });

  test("are the authenticated ones only after the server reported that it lacks the unauthenticated ones", async () => {
    const { resource, world } = await onServer("authenticated");
    await resource.create(program);
    expect(requestLines(world)).toEqual([
      `GET ${OLD}init`,
      `GET ${NEW}init`,
      `POST ${NEW}init`,
      `POST ${NEW}update`,
      `POST ${NEW}update`,
    ]);
  });

  test.each([403, 500, 502])("are not guessed after HTTP %d", async (status) => {
    const { resource, world } = await onServer("authenticated");
    world.fate = ({ path }) =>
      path.startsWith(OLD)
        ? { answer: { status, text: '{"errors":["permission denied"]}' }, isCarriedOut: false }
        : "passes";
    await expect(resource.create(program)).rejects.toThrow(String(status));
    expect(requestLines(world).every((line) => line === `GET ${OLD}init`)).toBe(true);
  });

  test.each<[SecretsSwitches["rekey"], string]>([
    ["unauthenticated", OLD],
    ["authenticated", NEW],
  ])("that started a rekey also continue it, and no others are requested (%s)", async (kind, own) => {
    const { resource, world } = await onServer(kind);
    await resource.create({ ...program, shares: [FIRST] }).catch(() => undefined);
    world.requests.length = 0;
    await resource.up(program);
    await resource.refresh();
    expect(resource.outputs.phase).toBe("verification");
    expect(requestLines(world)).toEqual([`GET ${own}init`, `GET ${own}verify`, `POST ${own}update`]);
    const verification = new Resource(world, recoveryKeyVerification);
    const shares = keysOf(resource);
    const inputs: Values = { rekeyNonce: String(resource.outputs.nonce), shares: shares.slice(0, 1) };
    await verification.create(inputs).catch(() => undefined);
    world.requests.length = 0;
    await verification.up({ ...inputs, shares });
    expect(requestLines(world)).toEqual([`GET ${own}init`, `GET ${own}verify`, `POST ${own}verify`]);
    expect(verification.outputs.phase).toBe("complete");
  });

  test.each<[SecretsSwitches["rekey"], SecretsSwitches["rekey"], RegExp]>([
    ["unauthenticated", "authenticated", /disable_unauthed_rekey_endpoints = false.*pulumi state delete/s],
    ["authenticated", "unauthenticated", /pulumi state delete/],
  ])(
    "that started a rekey and no longer exist cause an error (%s, then %s)",
    async (before, after, remedy) => {
      const { resource, world } = await onServer(before);
      await resource.create({ ...program, shares: [FIRST] }).catch(() => undefined);
      world.stub.configure({ rekey: after });
      world.requests.length = 0;
      for (const step of [() => resource.up(program), () => resource.refresh(), () => resource.delete()]) {
        await expect(step()).rejects.toThrow(/no longer has this path; nothing was done/);
        await expect(step()).rejects.toThrow(remedy);
      }
      expect(requestLines(world).every((line) => line.startsWith("GET "))).toBe(true);
      world.stub.configure({ rekey: before });
      await resource.up(program);
      expect(resource.outputs.phase).toBe("verification");
    },
  );

  test("cause an error with the required server version if neither kind exists", async () => {
    const { resource, world } = await onServer("authenticated");
    world.fate = () => refusal(404, '{"errors":["1 error occurred:\\n\\t* unsupported path\\n\\n"]}');
    await expect(resource.create(program)).rejects.toThrow(
      /neither sys\/rekey-recovery-key\/init nor sys\/rotate\/recovery\/init.*OpenBao 2\.4 or later/s,
    );
    expect(resource.id).toBe("");
  });
});

describe("rekey on a server without a recovery key", () => {
  const fresh = async () => {
    const staged = await onServer("authenticated");
    staged.world.stub.seed({ recoveryKey: { shares: [], threshold: 0 } });
    return staged;
  };

  test.each([true, false])(
    "outputs the new shares of the start response (verification: %s)",
    async (requireVerification) => {
      const { resource, world } = await fresh();
      await resource.create({ ...program, shares: [], requireVerification });
      expect(resource.outputs.phase).toBe(requireVerification ? "verification" : "complete");
      expect(keysOf(resource)).toHaveLength(3);
      if (!requireVerification) return;
      expect(resource.outputs.nonce).not.toBe("");
      const verification = new Resource(world, recoveryKeyVerification);
      await verification.create({ rekeyNonce: String(resource.outputs.nonce), shares: keysOf(resource) });
      expect(verification.outputs.phase).toBe("complete");
    },
  );

  test("is canceled and started again after a lost start response, because the shares never took effect", async () => {
    const { resource, world } = await fresh();
    let starts = 0;
    world.fate = ({ method }) => (method === "POST" && ++starts === 1 ? "response lost" : "passes");
    await resource.create({ ...program, shares: [] });
    expect(resource.outputs.phase).toBe("verification");
    expect(keysOf(resource)).toHaveLength(3);
    expect(requestLines(world).filter((line) => line === `DELETE ${NEW}init`)).toHaveLength(1);
  });

  test("stores the new shares if their nonce cannot be read, and the next up reads the nonce", async () => {
    const { resource, world } = await fresh();
    let isStarted = false;
    world.fate = ({ method }) => {
      if (method === "POST") isStarted = true;
      return isStarted && method === "GET" ? "request lost" : "passes";
    };
    await expect(resource.create({ ...program, shares: [] })).rejects.toThrow();
    const keys = keysOf(resource);
    expect(keys).toHaveLength(3);
    world.fate = () => "passes";
    await resource.up({ ...program, shares: [] });
    expect(keysOf(resource)).toEqual(keys);
    expect(resource.outputs.nonce).not.toBe("");
  });
});

test("a rekey without new shares is not affected by a restart of its verification", async () => {
  const { resource, world } = await onServer("authenticated");
  const headers = { "x-secrets-token": "root", "content-type": "application/json" };
  await resource.create({ ...program, shares: [FIRST] }).catch(() => undefined);
  await world.send("DELETE", `${NEW}verify`, undefined, headers);
  await resource.up({ ...program, shares: [FIRST, SECOND] });
  expect(resource.outputs.phase).toBe("verification");
  expect(prefixOf(resource)).toBe("sys/rotate/recovery");
});

const ACTIVE = "http://active.invalid";
const NEXT = "http://next.invalid";

/** A verification whose last share is sent with a fault on a cluster. */
async function beforeLastShare(happens: "share lost with the server" | "response lost with the server") {
  const staged = await ceremony();
  const { stub } = staged.world;
  stub.configure({ dialect: "real", activeServer: ACTIVE });
  const world = staged.world.with({ ...REAL, address: ACTIVE });
  const rekey = new Resource(world, recoveryKeyRekey);
  await rekey.create(program);
  const verification = new Resource(world, recoveryKeyVerification);
  const inputs = { rekeyNonce: String(rekey.outputs.nonce), shares: keysOf(rekey) };
  let given = 0;
  const elsewhere = new Resource(world.another(), recoveryKeyRekey);
  elsewhere.outputs = rekey.outputs;
  const end = () => {
    stub.configure({ dialect: "real", activeServer: NEXT });
    // The address of the active server is cached.
    world.now += 60_000;
  };
  world.fate = async ({ method, path }): Promise<Fate> => {
    if (method !== "POST" || !path.endsWith(VERIFY) || ++given < 2) return "passes";
    if (happens !== "share lost with the server") return "response lost";
    // A server has its rekey in memory, so the rekey ends with the server.
    await elsewhere.delete();
    end();
    return "passes";
  };
  world.onResponse = ({ method, path }) => {
    if (
      happens === "response lost with the server" &&
      method === "POST" &&
      path.endsWith(VERIFY) &&
      given === 2
    )
      end();
  };
  return { verification, inputs, world };
}

test("a verification whose last share is lost with the active server is not reported as complete", async () => {
  const { verification, inputs } = await beforeLastShare("share lost with the server");
  await expect(verification.create(inputs)).rejects.toThrow(
    /The share completed the rekey.*or the rekey was lost when the active server stopped.*keep the shares of both/s,
  );
  expect(verification.outputs.phase).not.toBe("complete");
  await expect(verification.up(inputs)).rejects.toThrow("lost when the active server stopped");
  await verification.up({ ...inputs, adopt: true });
  expect(verification.outputs.phase).toBe("complete");
});

test("a verification whose last response is lost with the active server has an unknown outcome", async () => {
  const { verification, inputs } = await beforeLastShare("response lost with the server");
  await expect(verification.create(inputs)).rejects.toThrow(
    "The server does not report which recovery key is valid",
  );
});
