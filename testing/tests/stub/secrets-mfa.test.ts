import { answers } from "./in-process";
import { NOT_FOUND, Scene, scene } from "./secrets-scene";

const METHODS = "identity/mfa/method/extidp";
const ENFORCEMENT = "identity/mfa/login-enforcement/staff";
const METHOD = { org_name: "acme", api_token: "idp-token" };
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

async function createMethod(scene: Scene, body: object = METHOD, options = {}): Promise<string> {
  return (await scene.write(METHODS, body, options)).body.data.method_id;
}

describe("A3. Okta MFA method", () => {
  test("a create returns 200 with the method ID", async () => {
    const { status, body } = await scene.write(METHODS, METHOD);
    expect(status).toBe(200);
    expect(body.data).toEqual({ method_id: expect.stringMatching(UUID) });
  });

  test("method IDs are random in every digit: most have no valid UUID version and variant", async () => {
    const ids: string[] = [];
    for (let index = 0; index < 20; index++) ids.push(await createMethod(scene));
    const shaped = ids.filter((id) => /^.{14}[1-8].{4}[89ab]/.test(id));
    expect(shaped.length).toBeLessThan(10);
  });

  test("a read returns every field, including api_token in the neutral dialect", async () => {
    const id = await createMethod(scene, {
      ...METHOD,
      method_name: "idp",
      username_format: "{{identity.name}}",
    });
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

  test("in the real dialect, the path and type are okta, and a read does not return api_token", async () => {
    const scene = new Scene({ dialect: "real" });
    const headers = { "x-vault-token": "root" };
    const path = "identity/mfa/method/okta";
    const { body } = await scene.send("POST", path, METHOD, { headers });
    const read = await scene.send("GET", `${path}/${body.data.method_id}`, undefined, { headers });
    expect(read.body.data.type).toBe("okta");
    expect(read.body.data).not.toHaveProperty("api_token");
    await answers(scene.send("POST", METHODS, METHOD, { headers }), 404);
  });

  test("a POST with the method_name of an existing method updates that method and returns its ID", async () => {
    const id = await createMethod(scene, { ...METHOD, method_name: "idp" });
    expect(await createMethod(scene, { ...METHOD, method_name: "idp", org_name: "other" })).toBe(id);
    expect((await scene.read(`${METHODS}/${id}`)).body.data.org_name).toBe("other");
    expect((await scene.send("LIST", METHODS)).body.data.keys).toEqual([id]);
  });

  test("each create without a method_name creates a new method", async () => {
    expect(await createMethod(scene)).not.toBe(await createMethod(scene));
  });

  test("an update with the ID in the path or in the body returns 204", async () => {
    const id = await createMethod(scene, { ...METHOD, method_name: "idp" });
    const byPath = await scene.write(`${METHODS}/${id}`, { ...METHOD, org_name: "second" });
    expect(byPath).toMatchObject({ status: 204, body: undefined });
    expect((await scene.read(`${METHODS}/${id}`)).body.data).toMatchObject({
      name: "idp",
      org_name: "second",
    });
    await answers(scene.write(METHODS, { ...METHOD, method_id: id, org_name: "third" }), 204);
    expect((await scene.read(`${METHODS}/${id}`)).body.data.org_name).toBe("third");
  });

  test("an update of an unknown ID returns 204 and creates nothing", async () => {
    await answers(scene.write(`${METHODS}/00000000-0000-4000-a000-000000000000`, METHOD), 204);
    expect(await scene.send("LIST", METHODS)).toMatchObject(NOT_FOUND);
  });

  test("an update to the name of a different method returns 400", async () => {
    await createMethod(scene, { ...METHOD, method_name: "first" });
    const id = await createMethod(scene, { ...METHOD, method_name: "second" });
    await answers(scene.write(`${METHODS}/${id}`, { ...METHOD, method_name: "first" }), 400);
  });

  test("an update resets omitted fields", async () => {
    const id = await createMethod(scene, {
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

  test.each(["org_name", "api_token"])("a create and an update without %s return 400", async (field) => {
    const id = await createMethod(scene);
    for (const path of [METHODS, `${METHODS}/${id}`]) {
      const refused = await scene.write(path, { ...METHOD, [field]: undefined });
      expect(refused.status).toBe(400);
      expect(refused.body.errors[0]).toContain(field);
    }
  });

  test("a list returns keys and key_info without the api_token", async () => {
    const id = await createMethod(scene, { ...METHOD, method_name: "idp" });
    const { data } = (await scene.read(`${METHODS}?list=true`)).body;
    expect(data.keys).toEqual([id]);
    expect(data.key_info[id]).toMatchObject({ id, name: "idp", type: "extidp", org_name: "acme" });
    expect(JSON.stringify(data)).not.toContain("idp-token");
  });

  test("a list includes the methods of parent namespaces, but not those of child namespaces", async () => {
    const root = await createMethod(scene);
    const team = await createMethod(scene, METHOD, { namespace: "team" });
    const list = async (namespace: string) =>
      (await scene.send("LIST", METHODS, undefined, { namespace })).body.data.keys.sort();
    expect(await list("")).toEqual([root]);
    expect(await list("team")).toEqual([root, team].sort());
    expect(await list("team/sub")).toEqual([root, team].sort());
    expect((await scene.read(`${METHODS}/${root}`, { namespace: "team" })).body.data.namespace_id).toBe(
      "root",
    );
    expect(await scene.read(`${METHODS}/${team}`)).toMatchObject(NOT_FOUND);
  });

  test("deleting a method in use returns 500 with the name of the enforcement", async () => {
    const id = await createMethod(scene);
    const body = { mfa_method_ids: [id], auth_method_types: ["userpass"] };
    await scene.write(ENFORCEMENT, body, { namespace: "team" });
    const refused = await scene.send("DELETE", `${METHODS}/${id}`);
    expect(refused.status).toBe(500);
    expect(refused.body.errors[0]).toMatch(/is still used by an enforcement .*"staff"/);
    await scene.send("DELETE", ENFORCEMENT, undefined, { namespace: "team" });
    await answers(scene.send("DELETE", `${METHODS}/${id}`), 204);
    expect(await scene.read(`${METHODS}/${id}`)).toMatchObject(NOT_FOUND);
  });

  test("deleting an absent method returns 204", async () => {
    await answers(scene.send("DELETE", `${METHODS}/none`), 204);
  });
});

describe("A4. MFA login enforcement", () => {
  const SELECTORS = {
    auth_method_accessors: ["auth_userpass_1"],
    auth_method_types: ["userpass", "ldap"],
    identity_group_ids: ["g1"],
    identity_entity_ids: ["e1"],
  };

  test("a read returns the method IDs and the four selectors", async () => {
    const id = await createMethod(scene);
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

  test("a POST leaves omitted selectors unchanged, and an empty list clears a selector", async () => {
    const id = await createMethod(scene);
    await scene.write(ENFORCEMENT, { mfa_method_ids: [id], ...SELECTORS });
    const before = (await scene.read(ENFORCEMENT)).body.data;
    await scene.write(ENFORCEMENT, { mfa_method_ids: [id], identity_group_ids: [] });
    expect((await scene.read(ENFORCEMENT)).body.data).toEqual({ ...before, identity_group_ids: [] });
  });

  test("an update with absent or empty mfa_method_ids returns 400", async () => {
    const id = await createMethod(scene);
    await scene.write(ENFORCEMENT, { mfa_method_ids: [id], ...SELECTORS });
    for (const body of [SELECTORS, { ...SELECTORS, mfa_method_ids: [] }]) {
      const refused = await scene.write(ENFORCEMENT, body);
      expect(refused).toMatchObject({ status: 400, body: { errors: ["missing method ids"] } });
    }
  });

  test("a create without selectors returns 400; one empty selector is sufficient", async () => {
    const id = await createMethod(scene);
    const refused = await scene.write(ENFORCEMENT, { mfa_method_ids: [id] });
    expect(refused.status).toBe(400);
    expect(refused.body.errors[0]).toContain("must be specified");
    await answers(scene.write(ENFORCEMENT, { mfa_method_ids: [id], identity_entity_ids: [] }), 204);
  });

  test("a create with an unknown method ID or auth method type returns 400", async () => {
    const id = await createMethod(scene);
    const types = { auth_method_types: ["userpass"] };
    await answers(scene.write(ENFORCEMENT, { mfa_method_ids: ["none"], ...types }), 400);
    await answers(scene.write(ENFORCEMENT, { mfa_method_ids: [id, "none"], ...types }), 400);
    const unknownType = { mfa_method_ids: [id], auth_method_types: ["userpass", "unheard-of"] };
    await answers(scene.write(ENFORCEMENT, unknownType), 400);
    expect(await scene.read(ENFORCEMENT)).toMatchObject(NOT_FOUND);
  });

  test("a list includes the enforcements of parent namespaces, but not those of child namespaces", async () => {
    const id = await createMethod(scene);
    const body = { mfa_method_ids: [id], auth_method_types: ["userpass"] };
    await scene.write(ENFORCEMENT, body);
    await scene.write("identity/mfa/login-enforcement/team-staff", body, { namespace: "team" });
    const list = async (namespace: string) =>
      (await scene.send("LIST", "identity/mfa/login-enforcement", undefined, { namespace })).body.data;
    expect((await list("")).keys).toEqual(["staff"]);
    expect((await list("team/sub")).keys.sort()).toEqual(["staff", "team-staff"]);
    expect((await list("")).key_info.staff).toMatchObject({ mfa_method_ids: [id] });
  });

  test("a delete returns 204, also for an absent enforcement; an empty list returns 404", async () => {
    const id = await createMethod(scene);
    await scene.write(ENFORCEMENT, { mfa_method_ids: [id], auth_method_types: ["userpass"] });
    await answers(scene.send("DELETE", ENFORCEMENT), 204);
    expect(await scene.read(ENFORCEMENT)).toMatchObject(NOT_FOUND);
    await answers(scene.send("DELETE", ENFORCEMENT), 204);
    expect(await scene.send("LIST", "identity/mfa/login-enforcement")).toMatchObject(NOT_FOUND);
  });
});
