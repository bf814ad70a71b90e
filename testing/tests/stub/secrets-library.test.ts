import { answers } from "./in-process";
import { NOT_THERE, Scene, scene } from "./secrets-scene";

const SET = { service_account_names: ["a", "b"], ttl: "1h" };

async function withSet(set: object = SET): Promise<Scene> {
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

describe("A6. library sets", () => {
  test("answer their fields, with 24h as the default of both ttls", async () => {
    const scene = await withSet({ service_account_names: "a, b" });
    expect((await scene.read("ldap/library/team")).body.data).toEqual({
      service_account_names: ["a", "b"],
      ttl: 86400,
      max_ttl: 86400,
      disable_check_in_enforcement: false,
    });
    expect((await scene.send("LIST", "ldap/library")).body.data.keys).toEqual(["team"]);
  });

  test("are updated in place", async () => {
    const scene = await withSet();
    await answers(scene.write("ldap/library/team", { disable_check_in_enforcement: true }), 204);
    expect((await scene.read("ldap/library/team")).body.data).toMatchObject({
      service_account_names: ["a", "b"],
      ttl: 3600,
      disable_check_in_enforcement: true,
    });
  });

  test("need names, and a max_ttl that is not less than ttl", async () => {
    await answers(scene.write("ldap/library/team", { ttl: 1 }), 400);
    await answers(scene.write("ldap/library/team", { ...SET, max_ttl: 60 }), 400);
    await answers(scene.write("ldap/library/team", { ...SET, ttl: 0, max_ttl: 0 }), 204);
  });

  test("names must exist in the directory (500) and be in one set only (400)", async () => {
    const scene = await withSet();
    await answers(scene.write("ldap/library/other", { service_account_names: ["b"] }), 400);
    scene.service.seed({ directoryAccounts: ["a", "b"] });
    await answers(scene.write("ldap/library/other", { service_account_names: ["c"] }), 500);
  });

  test("removing or deleting a checked-out account is 400", async () => {
    const scene = await withSet();
    await checkOut(scene);
    await answers(scene.write("ldap/library/team", { service_account_names: ["b"] }), 400);
    await answers(scene.send("DELETE", "ldap/library/team"), 400);
    await answers(scene.write("ldap/library/team", { service_account_names: ["a"] }), 204);
    await checkIn(scene);
    await answers(scene.send("DELETE", "ldap/library/team"), 204);
    expect(await scene.read("ldap/library/team")).toMatchObject(NOT_THERE);
  });

  test("the status of an unknown set is 400, and so are its check-out and check-in", async () => {
    await answers(scene.read("ldap/library/none/status"), 400);
    await answers(scene.write("ldap/library/none/check-out", {}), 400);
    await answers(scene.write("ldap/library/none/check-in", {}), 400);
  });
});

describe("A6. library service accounts", () => {
  test("available, check-out: checked out, with a lease", async () => {
    const scene = await withSet();
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

  test("a status names the borrower, without a token that anybody could use", async () => {
    const scene = await withSet();
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
  ])("a requested ttl of %s lasts %d seconds: capped at the set's", async (ttl, seconds) => {
    expect((await checkOut(await withSet(), "borrower", { ttl })).body.lease_duration).toBe(seconds);
  });

  test("no free account is 400 with its text", async () => {
    const scene = await withSet();
    await checkOut(scene);
    await checkOut(scene);
    await answers(checkOut(scene), 400, { errors: ["No service accounts available for check-out."] });
  });

  test("checked out, ttl elapses: available", async () => {
    const scene = await withSet();
    await checkOut(scene);
    scene.pass(3599);
    expect((await available(scene)).a).toBe(false);
    scene.pass(1);
    expect((await available(scene)).a).toBe(true);
    expect((await checkOut(scene)).body.data.service_account_name).toBe("a");
  });

  test("a ttl of 0 is unlimited", async () => {
    const scene = await withSet({ ...SET, ttl: 0, max_ttl: 0 });
    expect((await checkOut(scene)).body.lease_duration).toBe(0);
    scene.pass(1e9);
    expect((await available(scene)).a).toBe(false);
  });

  test("checked out, check-in by the borrower: available, and listed", async () => {
    const scene = await withSet();
    await checkOut(scene);
    expect((await checkIn(scene)).body.data).toEqual({ check_ins: ["a"] });
    expect(await available(scene)).toEqual({ a: true, b: true });
  });

  test("available, check-in: success, not listed", async () => {
    const scene = await withSet();
    expect((await checkIn(scene)).body.data).toEqual({ check_ins: [] });
    await checkOut(scene);
    const body = { service_account_names: ["a", "b"] };
    expect((await checkIn(scene, "borrower", body)).body.data).toEqual({ check_ins: ["a"] });
  });

  test("names are needed where several are checked out, and must be of the set", async () => {
    const scene = await withSet();
    await checkOut(scene);
    await checkOut(scene);
    await answers(checkIn(scene), 400);
    await answers(checkIn(scene, "borrower", { service_account_names: "c" }), 400);
    expect(
      (await checkIn(scene, "borrower", { service_account_names: "a,b" })).body.data.check_ins,
    ).toHaveLength(2);
  });

  test("another caller gets an error; the same entity is the same caller", async () => {
    const scene = await withSet();
    await checkOut(scene, "colleague");
    const body = { service_account_names: ["a"] };
    await answers(checkIn(scene, "borrower", body), 400);
    await answers(checkIn(scene, "same-entity", body), 200);
    await checkOut(scene, "borrower");
    await answers(checkIn(scene, "colleague", body), 400);
  });

  test("disable_check_in_enforcement lets anybody check in", async () => {
    const scene = await withSet({ ...SET, disable_check_in_enforcement: true });
    await checkOut(scene, "colleague");
    expect((await checkIn(scene, "borrower")).body.data.check_ins).toEqual(["a"]);
  });

  test("the manage path checks in whatever is out, and is privileged", async () => {
    const scene = await withSet();
    await checkOut(scene, "colleague");
    const path = "ldap/library/manage/team/check-in";
    await answers(scene.send("POST", path, {}, { as: "limited" }), 403);
    scene.service.seed({
      policies: { limited: { "ldap/library/manage/team/check-in": ["update", "sudo"] } },
    });
    expect((await scene.send("POST", path, {}, { as: "limited" })).body.data.check_ins).toEqual(["a"]);
  });
});
