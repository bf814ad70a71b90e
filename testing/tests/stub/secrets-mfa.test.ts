import { answers } from "./in-process";
import { NOT_THERE, Scene, scene } from "./secrets-scene";

const METHODS = "identity/mfa/method/extidp";
const ENFORCEMENT = "identity/mfa/login-enforcement/staff";
const METHOD = { org_name: "acme", api_token: "idp-token" };
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

async function created(scene: Scene, body: object = METHOD, options = {}): Promise<string> {
  return (await scene.write(METHODS, body, options)).body.data.method_id;
}

describe("A3. MFA method", () => {
  test("a create answers 200 with the method's id", async () => {
    const { status, body } = await scene.write(METHODS, METHOD);
    expect(status).toBe(200);
    expect(body.data).toEqual({ method_id: expect.stringMatching(UUID) });
  });

  test("its ids are random as a whole: most have neither a UUID's version nor its variant", async () => {
    const ids: string[] = [];
    for (let index = 0; index < 20; index++) ids.push(await created(scene));
    const shaped = ids.filter((id) => /^.{14}[1-8].{4}[89ab]/.test(id));
    expect(shaped.length).toBeLessThan(10);
  });

  test("a read answers the fields, with api_token in the neutral dialect", async () => {
    const id = await created(scene, { ...METHOD, method_name: "idp", username_format: "{{identity.name}}" });
    expect((await scene.read(`${METHODS}/${id}`)).body.data).toEqual({
      id,
      name: "idp",
      type: "extidp",
      org_name: "acme",
      api_token: "idp-token",
      base_url: "okta.com",
      username_format: "{{identity.name}}",
      mount_accessor: "",
      namespace_id: "root",
      namespace_path: "",
    });
  });

  test("the real dialect has another path and type, and answers no api_token", async () => {
    const scene = new Scene({ dialect: "real" });
    const headers = { "x-vault-token": "root" };
    const path = "identity/mfa/method/okta";
    const { body } = await scene.send("POST", path, METHOD, { headers });
    const read = await scene.send("GET", `${path}/${body.data.method_id}`, undefined, { headers });
    expect(read.body.data.type).toBe("okta");
    expect(read.body.data).not.toHaveProperty("api_token");
    await answers(scene.send("POST", METHODS, METHOD, { headers }), 404);
  });

  test("a POST with a method_name that exists updates that method and answers its id", async () => {
    const id = await created(scene, { ...METHOD, method_name: "idp" });
    expect(await created(scene, { ...METHOD, method_name: "idp", org_name: "other" })).toBe(id);
    expect((await scene.read(`${METHODS}/${id}`)).body.data.org_name).toBe("other");
    expect((await scene.send("LIST", METHODS)).body.data.keys).toEqual([id]);
  });

  test("methods without a name are different methods", async () => {
    expect(await created(scene)).not.toBe(await created(scene));
  });

  test("an update answers 204, by the path's id or the body's", async () => {
    const id = await created(scene, { ...METHOD, method_name: "idp" });
    const byPath = await scene.write(`${METHODS}/${id}`, { ...METHOD, org_name: "second" });
    expect(byPath).toMatchObject({ status: 204, body: undefined });
    expect((await scene.read(`${METHODS}/${id}`)).body.data).toMatchObject({
      name: "idp",
      org_name: "second",
    });
    await answers(scene.write(METHODS, { ...METHOD, method_id: id, org_name: "third" }), 204);
    expect((await scene.read(`${METHODS}/${id}`)).body.data.org_name).toBe("third");
  });

  test("an update of an unknown id answers 204 and nothing happens", async () => {
    await answers(scene.write(`${METHODS}/00000000-0000-4000-a000-000000000000`, METHOD), 204);
    expect(await scene.send("LIST", METHODS)).toMatchObject(NOT_THERE);
  });

  test("an update to another method's name is 400", async () => {
    await created(scene, { ...METHOD, method_name: "first" });
    const id = await created(scene, { ...METHOD, method_name: "second" });
    await answers(scene.write(`${METHODS}/${id}`, { ...METHOD, method_name: "first" }), 400);
  });

  test("a write is whole: what it omits is reset", async () => {
    const id = await created(scene, {
      ...METHOD,
      base_url: "idp.example.com",
      username_format: "x",
      primary_email: true,
    });
    await scene.write(`${METHODS}/${id}`, METHOD);
    expect((await scene.read(`${METHODS}/${id}`)).body.data).toMatchObject({
      base_url: "okta.com",
      username_format: "",
    });
    expect(JSON.stringify(scene.service.dump())).toContain('"primaryEmail":false');
  });

  test.each(["org_name", "api_token"])("%s is required each time", async (field) => {
    const id = await created(scene);
    for (const path of [METHODS, `${METHODS}/${id}`]) {
      const refused = await scene.write(path, { ...METHOD, [field]: undefined });
      expect(refused.status).toBe(400);
      expect(refused.body.errors[0]).toContain(field);
    }
  });

  test("a list answers keys and key_info, without secrets", async () => {
    const id = await created(scene, { ...METHOD, method_name: "idp" });
    const { data } = (await scene.read(`${METHODS}?list=true`)).body;
    expect(data.keys).toEqual([id]);
    expect(data.key_info[id]).toMatchObject({ id, name: "idp", type: "extidp", org_name: "acme" });
    expect(JSON.stringify(data)).not.toContain("idp-token");
  });

  test("a list shows the methods of parent namespaces and none of the children's", async () => {
    const root = await created(scene);
    const team = await created(scene, METHOD, { namespace: "team" });
    const list = async (namespace: string) =>
      (await scene.send("LIST", METHODS, undefined, { namespace })).body.data.keys.sort();
    expect(await list("")).toEqual([root]);
    expect(await list("team")).toEqual([root, team].sort());
    expect(await list("team/sub")).toEqual([root, team].sort());
    expect((await scene.read(`${METHODS}/${root}`, { namespace: "team" })).body.data.namespace_id).toBe(
      "root",
    );
    expect(await scene.read(`${METHODS}/${team}`)).toMatchObject(NOT_THERE);
  });

  test("a method in use is not deleted: 500 that names the enforcement", async () => {
    const id = await created(scene);
    const body = { mfa_method_ids: [id], auth_method_types: ["userpass"] };
    await scene.write(ENFORCEMENT, body, { namespace: "team" });
    const refused = await scene.send("DELETE", `${METHODS}/${id}`);
    expect(refused.status).toBe(500);
    expect(refused.body.errors[0]).toMatch(/is still used by an enforcement .*"staff"/);
    await scene.send("DELETE", ENFORCEMENT, undefined, { namespace: "team" });
    await answers(scene.send("DELETE", `${METHODS}/${id}`), 204);
    expect(await scene.read(`${METHODS}/${id}`)).toMatchObject(NOT_THERE);
  });

  test("deleting an absent method is 204", async () => {
    await answers(scene.send("DELETE", `${METHODS}/none`), 204);
  });
});

describe("A4. Login enforcement", () => {
  const SELECTORS = {
    auth_method_accessors: ["auth_userpass_1"],
    auth_method_types: ["userpass", "ldap"],
    identity_group_ids: ["g1"],
    identity_entity_ids: ["e1"],
  };

  test("a read gives all five lists", async () => {
    const id = await created(scene);
    await answers(scene.write(ENFORCEMENT, { mfa_method_ids: [id], ...SELECTORS }), 204);
    expect((await scene.read(ENFORCEMENT)).body.data).toEqual({
      id: expect.stringMatching(UUID),
      name: "staff",
      namespace_id: "root",
      namespace_path: "",
      mfa_method_ids: [id],
      ...SELECTORS,
    });
  });

  test("a POST merges, and an empty list clears", async () => {
    const id = await created(scene);
    await scene.write(ENFORCEMENT, { mfa_method_ids: [id], ...SELECTORS });
    const before = (await scene.read(ENFORCEMENT)).body.data;
    await scene.write(ENFORCEMENT, { mfa_method_ids: [id], identity_group_ids: [] });
    expect((await scene.read(ENFORCEMENT)).body.data).toEqual({ ...before, identity_group_ids: [] });
  });

  test("mfa_method_ids are required each time", async () => {
    const id = await created(scene);
    await scene.write(ENFORCEMENT, { mfa_method_ids: [id], ...SELECTORS });
    for (const body of [SELECTORS, { ...SELECTORS, mfa_method_ids: [] }]) {
      const refused = await scene.write(ENFORCEMENT, body);
      expect(refused).toMatchObject({ status: 400, body: { errors: ["missing method ids"] } });
    }
  });

  test("none of the four selectors present is 400; an empty one counts as present", async () => {
    const id = await created(scene);
    const refused = await scene.write(ENFORCEMENT, { mfa_method_ids: [id] });
    expect(refused.status).toBe(400);
    expect(refused.body.errors[0]).toContain("must be specified");
    await answers(scene.write(ENFORCEMENT, { mfa_method_ids: [id], identity_entity_ids: [] }), 204);
  });

  test("an unknown method id and an unknown auth type are 400", async () => {
    const id = await created(scene);
    const types = { auth_method_types: ["userpass"] };
    await answers(scene.write(ENFORCEMENT, { mfa_method_ids: ["none"], ...types }), 400);
    await answers(scene.write(ENFORCEMENT, { mfa_method_ids: [id, "none"], ...types }), 400);
    const unheardOf = { mfa_method_ids: [id], auth_method_types: ["userpass", "unheard-of"] };
    await answers(scene.write(ENFORCEMENT, unheardOf), 400);
    expect(await scene.read(ENFORCEMENT)).toMatchObject(NOT_THERE);
  });

  test("a list shows the names of the current and parent namespaces", async () => {
    const id = await created(scene);
    const body = { mfa_method_ids: [id], auth_method_types: ["userpass"] };
    await scene.write(ENFORCEMENT, body);
    await scene.write("identity/mfa/login-enforcement/team-staff", body, { namespace: "team" });
    const list = async (namespace: string) =>
      (await scene.send("LIST", "identity/mfa/login-enforcement", undefined, { namespace })).body.data;
    expect((await list("")).keys).toEqual(["staff"]);
    expect((await list("team/sub")).keys.sort()).toEqual(["staff", "team-staff"]);
    expect((await list("")).key_info.staff).toMatchObject({ mfa_method_ids: [id] });
  });

  test("deleting answers 204, for an absent one too; an empty list is 404", async () => {
    const id = await created(scene);
    await scene.write(ENFORCEMENT, { mfa_method_ids: [id], auth_method_types: ["userpass"] });
    await answers(scene.send("DELETE", ENFORCEMENT), 204);
    expect(await scene.read(ENFORCEMENT)).toMatchObject(NOT_THERE);
    await answers(scene.send("DELETE", ENFORCEMENT), 204);
    expect(await scene.send("LIST", "identity/mfa/login-enforcement")).toMatchObject(NOT_THERE);
  });
});
