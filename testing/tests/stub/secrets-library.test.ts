import { answers } from "./in-process";
import { NOT_FOUND, Scene, scene } from "./secrets-scene";

const SET = { service_account_names: ["a", "b"], ttl: "1h" };

async function sceneWithSet(set: object = SET): Promise<Scene> {
  const scene = new Scene();
  scene.service.seed({
    tokens: {
      borrower: {},
      colleague: { entityId: "entity-1" },
      "same-entity": { entityId: "entity-1" },
      limited: { policies: ["limited"] },
    },
    policies: { limited: { "ldap/library/*": ["create", "update", "read"] } },
  });
  await scene.write("ldap/config", { binddn: "cn=admin", bindpass: "bind-password" });
  await scene.write("ldap/library/team", set);
  return scene;
}

function checkOut(scene: Scene, as = "borrower", body: object = {}) {
  return scene.send("POST", "ldap/library/team/check-out", body, { as });
}

function checkIn(scene: Scene, as = "borrower", body: object = {}) {
  return scene.send("POST", "ldap/library/team/check-in", body, { as });
}

async function available(scene: Scene): Promise<Record<string, boolean>> {
  const { data } = (await scene.read("ldap/library/team/status")).body;
  const entries = Object.entries<{ available: boolean }>(data);
  return Object.fromEntries(entries.map(([account, status]) => [account, status.available]));
}

describe("A6. LDAP library sets", () => {
  test("a read returns every field, with 24 hours as the default of ttl and max_ttl", async () => {
    const scene = await sceneWithSet({ service_account_names: "a, b" });
    expect((await scene.read("ldap/library/team")).body.data).toEqual({
      service_account_names: ["a", "b"],
      ttl: 86400,
      max_ttl: 86400,
      disable_check_in_enforcement: false,
    });
    expect((await scene.send("LIST", "ldap/library")).body.data.keys).toEqual(["team"]);
  });

  test("an update leaves omitted fields unchanged", async () => {
    const scene = await sceneWithSet();
    await answers(scene.write("ldap/library/team", { disable_check_in_enforcement: true }), 204);
    expect((await scene.read("ldap/library/team")).body.data).toMatchObject({
      service_account_names: ["a", "b"],
      ttl: 3600,
      disable_check_in_enforcement: true,
    });
  });

  test("rejects a set without account names and a max_ttl below ttl, and accepts 0 for both", async () => {
    await answers(scene.write("ldap/library/team", { ttl: 1 }), 400);
    await answers(scene.write("ldap/library/team", { ...SET, max_ttl: 60 }), 400);
    await answers(scene.write("ldap/library/team", { ...SET, ttl: 0, max_ttl: 0 }), 204);
  });

  test("returns 400 for an account of a different set, 500 for an account not in the directory", async () => {
    const scene = await sceneWithSet();
    await answers(scene.write("ldap/library/other", { service_account_names: ["b"] }), 400);
    scene.service.seed({ directoryAccounts: ["a", "b"] });
    await answers(scene.write("ldap/library/other", { service_account_names: ["c"] }), 500);
  });

  test("removing a checked-out account or deleting its set returns 400 until the account is checked in", async () => {
    const scene = await sceneWithSet();
    await checkOut(scene);
    await answers(scene.write("ldap/library/team", { service_account_names: ["b"] }), 400);
    await answers(scene.send("DELETE", "ldap/library/team"), 400);
    await answers(scene.write("ldap/library/team", { service_account_names: ["a"] }), 204);
    await checkIn(scene);
    await answers(scene.send("DELETE", "ldap/library/team"), 204);
    expect(await scene.read("ldap/library/team")).toMatchObject(NOT_FOUND);
  });

  test("status, check-out and check-in return 400 for an unknown set", async () => {
    await answers(scene.read("ldap/library/none/status"), 400);
    await answers(scene.write("ldap/library/none/check-out", {}), 400);
    await answers(scene.write("ldap/library/none/check-in", {}), 400);
  });
});

describe("A6. LDAP library service accounts", () => {
  test("check-out returns an available account with a lease and marks it as not available", async () => {
    const scene = await sceneWithSet();
    const { status, body } = await checkOut(scene);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      lease_id: expect.stringMatching(/^ldap\/library\/team\/check-out\//),
      lease_duration: 3600,
      renewable: true,
      data: { service_account_name: "a", password: expect.any(String) },
    });
    expect(await available(scene)).toEqual({ a: false, b: true });
  });

  test("status returns the borrower's entity ID, but not the borrower's token", async () => {
    const scene = await sceneWithSet();
    await checkOut(scene, "colleague");
    const { data } = (await scene.read("ldap/library/team/status")).body;
    expect(data.a).toEqual({
      available: false,
      borrower_client_token: expect.any(String),
      borrower_entity_id: "entity-1",
    });
    expect(data.a.borrower_client_token).not.toContain("colleague");
    expect(data.b).toEqual({ available: true });
  });

  test.each([
    ["10m", 600],
    ["2h", 3600],
    [0, 3600],
  ])(
    "check-out with ttl %s returns a lease of %d seconds; the ttl of the set is the maximum",
    async (ttl, seconds) => {
      expect((await checkOut(await sceneWithSet(), "borrower", { ttl })).body.lease_duration).toBe(seconds);
    },
  );

  test("check-out returns 400 if no account is available", async () => {
    const scene = await sceneWithSet();
    await checkOut(scene);
    await checkOut(scene);
    await answers(checkOut(scene), 400, { errors: ["No service accounts available for check-out."] });
  });

  test("an account is available again when its lease expires", async () => {
    const scene = await sceneWithSet();
    await checkOut(scene);
    scene.pass(3599);
    expect((await available(scene)).a).toBe(false);
    scene.pass(1);
    expect((await available(scene)).a).toBe(true);
    expect((await checkOut(scene)).body.data.service_account_name).toBe("a");
  });

  test("an account of a set with ttl 0 stays checked out without a time limit", async () => {
    const scene = await sceneWithSet({ ...SET, ttl: 0, max_ttl: 0 });
    expect((await checkOut(scene)).body.lease_duration).toBe(0);
    scene.pass(1e9);
    expect((await available(scene)).a).toBe(false);
  });

  test("check-in by the borrower returns the account in check_ins and makes it available", async () => {
    const scene = await sceneWithSet();
    await checkOut(scene);
    expect((await checkIn(scene)).body.data).toEqual({ check_ins: ["a"] });
    expect(await available(scene)).toEqual({ a: true, b: true });
  });

  test("check-in of an available account succeeds and does not return it in check_ins", async () => {
    const scene = await sceneWithSet();
    expect((await checkIn(scene)).body.data).toEqual({ check_ins: [] });
    await checkOut(scene);
    const body = { service_account_names: ["a", "b"] };
    expect((await checkIn(scene, "borrower", body)).body.data).toEqual({ check_ins: ["a"] });
  });

  test("check-in needs account names if several are checked out, and rejects a name outside the set", async () => {
    const scene = await sceneWithSet();
    await checkOut(scene);
    await checkOut(scene);
    await answers(checkIn(scene), 400);
    await answers(checkIn(scene, "borrower", { service_account_names: "c" }), 400);
    expect(
      (await checkIn(scene, "borrower", { service_account_names: "a,b" })).body.data.check_ins,
    ).toHaveLength(2);
  });

  test("check-in by a different caller returns 400; tokens of the same entity are the same caller", async () => {
    const scene = await sceneWithSet();
    await checkOut(scene, "colleague");
    const body = { service_account_names: ["a"] };
    await answers(checkIn(scene, "borrower", body), 400);
    await answers(checkIn(scene, "same-entity", body), 200);
    await checkOut(scene, "borrower");
    await answers(checkIn(scene, "colleague", body), 400);
  });

  test("disable_check_in_enforcement allows a different caller to check in the account", async () => {
    const scene = await sceneWithSet({ ...SET, disable_check_in_enforcement: true });
    await checkOut(scene, "colleague");
    expect((await checkIn(scene, "borrower")).body.data.check_ins).toEqual(["a"]);
  });

  test("manage/:set/check-in requires sudo and checks in an account of a different caller", async () => {
    const scene = await sceneWithSet();
    await checkOut(scene, "colleague");
    const path = "ldap/library/manage/team/check-in";
    await answers(scene.send("POST", path, {}, { as: "limited" }), 403);
    scene.service.seed({
      policies: { limited: { "ldap/library/manage/team/check-in": ["update", "sudo"] } },
    });
    expect((await scene.send("POST", path, {}, { as: "limited" })).body.data.check_ins).toEqual(["a"]);
  });
});
