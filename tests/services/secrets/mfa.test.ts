import type { HttpResponse } from "../../../provider/core/http/request";
import type { Address, Values } from "../../../provider/core/language/object";
import type { Site } from "../../../provider/core/language/service";
import { isObject, type Json } from "../../../provider/core/value/json";
import loginEnforcement from "../../../provider/services/secrets/loginEnforcement";
import mfaMethod from "../../../provider/services/secrets/mfaMethod";
import { inParentNamespace } from "../../../provider/services/secrets/mfaMethodByName";
import { SecretsService } from "../../../testing/stub/services/secrets/service";
import { Resource } from "../../steps/resource";
import { World } from "../../steps/world";
import { bodiesOf, countOf, notesOfCreate } from "../expectations";
import { refusal, setFate } from "../interference";

const headers = { "x-secrets-token": "root", "content-type": "application/json" };
const METHODS = "/v1/identity/mfa/method/extidp";
const ENFORCEMENT = "/v1/identity/mfa/login-enforcement/everybody";
const program = { methodName: "staff", orgName: "acme", apiToken: "the-api-token" };

function scene(settings: Values = {}) {
  const stub = new SecretsService({
    switches: { dialect: "neutral" },
    seed: { tokens: { root: {} }, namespaces: { team: {} } },
  });
  const methods = new World(stub, mfaMethod, { token: "root", ...settings });
  const enforcements = new World(stub, loginEnforcement, { token: "root", ...settings });
  return {
    methods,
    enforcements,
    method: new Resource(methods, mfaMethod),
    enforcement: new Resource(enforcements, loginEnforcement),
  };
}

/** Creates another user's method of the same name. */
const createOther = (world: World, more: object = {}, requestHeaders: Record<string, string> = {}) =>
  world.send(
    "POST",
    METHODS,
    { method_name: "staff", org_name: "theirs", api_token: "t", ...more },
    { ...headers, ...requestHeaders },
  );

async function dataAt(world: World, path: string): Promise<{ [member: string]: Json }> {
  const { json } = await world.send("GET", path, undefined, headers);
  return (json as { data: { [member: string]: Json } }).data;
}

describe("Okta MFA method", () => {
  test("a create sends no write if a method of its name exists, although the server would update that method", async () => {
    const { methods, method } = scene();
    await createOther(methods);
    await expect(method.create(program)).rejects.toThrow(/already exists/);
    expect(methods.requests.every(({ method: verb }) => verb === "GET")).toBe(true);
  });

  test("the error says if an existing method equals the program, except for apiToken, which is never returned", async () => {
    const { methods, method } = scene();
    await createOther(methods, { org_name: "acme", api_token: "another" });
    await expect(method.create(program)).rejects.toThrow(
      "the object has all values of the program, as far as the server returns them (the server never returns apiToken)",
    );
  });

  test("is not created if the response to the list of names is not a list", async () => {
    for (const text of ["{}", "null", '{"data":{}}', '{"data":{"keys":{}}}']) {
      const { methods, method } = scene();
      methods.fate = () => refusal(200, text);
      await expect(method.create(program)).rejects.toThrow("an object other than the requested object");
      expect(methods.requests).toHaveLength(1);
    }
  });

  test("adopts an existing method of its name under the existing ID", async () => {
    const { methods, method } = scene();
    const { json } = await createOther(methods, { base_url: "theirs.example" });
    await method.create({ ...program, adopt: true });
    expect(json).toMatchObject({ data: { method_id: method.id } });
    expect(await dataAt(methods, `${METHODS}/${method.id}`)).toMatchObject({
      org_name: "acme",
      // A field that the program does not manage is sent back as it was read.
      base_url: "theirs.example",
    });
  });

  test("is created if only a parent namespace has a method of its name", async () => {
    const { methods } = scene();
    await createOther(methods, { org_name: "root's" });
    const shared = new World(methods.stub, mfaMethod, { token: "root", namespace: "team" });
    const own = new Resource(shared, mfaMethod);
    await own.create(program);
    expect(own.outputs.orgName).toBe("acme");
  });

  test("an update sends apiToken and the fields that the server would reset", async () => {
    const { methods, method } = scene();
    await method.create({ ...program, baseUrl: "oktapreview.com", primaryEmail: true });
    await method.up({ ...program, orgName: "acme-eu", baseUrl: "oktapreview.com", primaryEmail: true });
    expect(bodiesOf(methods, "POST").at(-1)).toMatchObject({
      org_name: "acme-eu",
      api_token: "the-api-token",
      base_url: "oktapreview.com",
      primary_email: true,
    });
  });

  test("an update fails if the method was deleted, although the server would accept the write", async () => {
    const { methods, method } = scene();
    await method.create(program);
    await methods.send("DELETE", `${METHODS}/${method.id}`, undefined, headers);
    await expect(method.up({ ...program, orgName: "acme-eu" })).rejects.toThrow(
      /no longer exists.*Nothing was written/s,
    );
  });

  test("cannot be deleted while a login enforcement uses it, and the error names the enforcement", async () => {
    const { method, enforcement } = scene();
    await method.create(program);
    await enforcement.create({ name: "everybody", mfaMethodIds: [method.id], authMethodTypes: ["userpass"] });
    await expect(method.delete()).rejects.toThrow(
      /still used by an enforcement.*The login enforcement "everybody" still uses the method\. Next: first remove the method from that enforcement/s,
    );
    await enforcement.delete();
    await method.delete();
  });

  test.each(["/team", "team/", "/team/", "team"])(
    "finds an existing method of its name in the namespace %s",
    async (namespace) => {
      const { methods, method } = scene({ namespace });
      const otherMethod = { method_name: "staff", org_name: "theirs", api_token: "t" };
      await methods.send("POST", METHODS, otherMethod, { ...headers, "x-secrets-namespace": "team" });
      await expect(method.create(program)).rejects.toThrow(/already exists/);
    },
  );

  test("finds an existing method of its name if the list contains only IDs", async () => {
    const { methods, method } = scene();
    await createOther(methods);
    methods.onResponse = ({ path }, { json }) => {
      // The specification shows the keys alone.
      if (path === METHODS && isObject(json) && isObject(json.data)) delete json.data.key_info;
    };
    await expect(method.create(program)).rejects.toThrow(/already exists/);
  });

  test("a delete fails if the request was lost, and succeeds if only the response was lost", async () => {
    for (const fate of ["request lost", "response lost"] as const) {
      const { methods, method } = scene();
      await method.create(program);
      setFate(methods, /^DELETE/, fate);
      const failure = await method.delete().catch((error: unknown) => error);
      expect(failure === undefined).toBe(fate === "response lost");
    }
  });

  test("a create without methodName fails after a lost response, and is not sent twice", async () => {
    const { methods, method } = scene();
    const nameless = { orgName: "acme", apiToken: "t" };
    setFate(methods, /^POST/, "response lost");
    await expect(method.create(nameless)).rejects.toThrow(/lost its connection/);
    expect(countOf(methods, "POST")).toBe(1);
  });
});

describe("MFA login enforcement", () => {
  const first = "7bf71b3e-e29d-13f8-5ab6-00df3684c85b";

  async function ready() {
    const { method, enforcement, enforcements: world } = scene();
    await method.create(program);
    return { world, methodId: method.id, enforcement };
  }

  test("sends a removed or emptied list as an empty list, because the server merges updates", async () => {
    const { world, methodId, enforcement } = await ready();
    const full = {
      name: "everybody",
      mfaMethodIds: [methodId],
      authMethodTypes: ["userpass"],
      identityGroupIds: ["group-1"],
      identityEntityIds: ["entity-1"],
    };
    await enforcement.create(full);
    const { identityEntityIds: _, ...dropped } = full;
    await enforcement.up({ ...dropped, identityGroupIds: [] });
    expect(bodiesOf(world, "POST").at(-1)).toMatchObject({
      identity_group_ids: [],
      identity_entity_ids: [],
    });
    expect(await dataAt(world, ENFORCEMENT)).toMatchObject({
      auth_method_types: ["userpass"],
      identity_group_ids: [],
      identity_entity_ids: [],
    });
  });

  test("preserves a selector that someone else set and the program does not contain", async () => {
    const { world, methodId, enforcement } = await ready();
    const own = { name: "everybody", mfaMethodIds: [methodId], authMethodTypes: ["userpass"] };
    await enforcement.create(own);
    const otherSelectors = { mfa_method_ids: [methodId], identity_group_ids: ["group-9"] };
    await world.send("POST", ENFORCEMENT, otherSelectors, headers);
    await enforcement.up({ ...own, authMethodTypes: ["ldap"] });
    expect(await dataAt(world, ENFORCEMENT)).toMatchObject({
      auth_method_types: ["ldap"],
      identity_group_ids: ["group-9"],
    });
  });

  test.each<[string, Values]>([
    ["authMethodAccessors", { mfaMethodIds: [first] }],
    ["mfaMethodIds", { mfaMethodIds: [], authMethodTypes: ["ldap"] }],
    ["mfaMethodIds[0]", { mfaMethodIds: [""], authMethodTypes: ["ldap"] }],
    ["mfaMethodIds", { authMethodTypes: ["ldap"] }],
  ])("has a problem at %s in the preview of %j", (path, inputs) => {
    const { enforcement } = scene();
    expect(enforcement.check({ name: "everybody", ...inputs }).map((problem) => problem.path)).toContain(
      path,
    );
  });

  test.each([
    "7bf71b3e-e29d-13f8-5ab6-00df3684c85b",
    "00000000-0000-0000-0000-000000000001",
    "2C64D6E1-0AC7-F061-FDC1-4250311DBB7F",
    "any-text-that-a-service-made",
  ])("accepts the method ID %s, because IDs may have any format", (id) => {
    const { enforcement } = scene();
    expect(enforcement.check({ name: "all", mfaMethodIds: [id], authMethodTypes: ["ldap"] })).toEqual([]);
  });

  test("accepts empty selectors, as the server does, with a note that it selects no one", async () => {
    const { methodId, enforcement } = await ready();
    const own = { name: "everybody", mfaMethodIds: [methodId], authMethodTypes: [], identityGroupIds: [] };
    expect(enforcement.check(own)).toEqual([]);
    expect(notesOfCreate(loginEnforcement, own)).toEqual([expect.stringContaining("applies to no logins")]);
    expect(notesOfCreate(loginEnforcement, { ...own, authMethodTypes: ["ldap"] })).toEqual([]);
    await enforcement.create(own);
    expect(enforcement.preview(own).changes).toEqual([]);
  });
});

const keyInfo = { one: { namespace_path: "team/" }, two: { namespace_path: "" }, three: {} };
const page = { json: { data: { keys: Object.keys(keyInfo), key_info: keyInfo } } } as unknown as HttpResponse;
const reasonFor = (key: string, namespace?: string, within: Address = {}) =>
  inParentNamespace(key, page, { settings: { namespace } } as unknown as Site, within);

test("recognizes a method of a parent namespace, however the namespace path is written", () => {
  expect(reasonFor("one", "/team")).toBeUndefined();
  expect(reasonFor("two", "team")).toMatch(/to the namespace root;/);
  expect(reasonFor("one", "team/sub")).toMatch(/to the namespace team;/);
  expect(reasonFor("one", "/team/", { namespace: "sub" })).toMatch(/to the namespace team;/);
  expect(reasonFor("one", undefined, { namespace: "team" })).toBeUndefined();
});

test("does not exclude a method if the server or the settings contain no namespace", () => {
  expect(reasonFor("three", "team")).toBeUndefined();
  expect(reasonFor("two")).toBeUndefined();
});
