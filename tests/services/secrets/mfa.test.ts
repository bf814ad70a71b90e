import type { HttpAnswer } from "../../../provider/core/http/request";
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

/** Another user's method of the same name. */
const others = (world: World, more: object = {}, asked: Record<string, string> = {}) =>
  world.send(
    "POST",
    METHODS,
    { method_name: "staff", org_name: "theirs", api_token: "t", ...more },
    { ...headers, ...asked },
  );

async function dataAt(world: World, path: string): Promise<{ [member: string]: Json }> {
  const { json } = await world.send("GET", path, undefined, headers);
  return (json as { data: { [member: string]: Json } }).data;
}

describe("an MFA method", () => {
  test("of a name that exists is never updated unasked, although the service would", async () => {
    const { methods, method } = scene();
    await others(methods);
    await expect(method.create(program)).rejects.toThrow(/already exists/);
    expect(methods.requests.every(({ method: verb }) => verb === "GET")).toBe(true);
  });

  test("of a name that exists is told as such, without a word on what the service never shows", async () => {
    const { methods, method } = scene();
    await others(methods, { org_name: "acme", api_token: "another" });
    await expect(method.create(program)).rejects.toThrow(
      "it holds everything that the program writes, as far as the service shows it (it never shows apiToken)",
    );
  });

  test("is not created where the list of names is answered with something else", async () => {
    for (const text of ["{}", "null", '{"data":{}}', '{"data":{"keys":{}}}']) {
      const { methods, method } = scene();
      methods.fate = () => refusal(200, text);
      await expect(method.create(program)).rejects.toThrow("not the object that was asked for");
      expect(methods.requests).toHaveLength(1);
    }
  });

  test("of a name that exists is taken over with adopt, under its own id", async () => {
    const { methods, method } = scene();
    const { json } = await others(methods, { base_url: "theirs.example" });
    await method.create({ ...program, adopt: true });
    expect(json).toMatchObject({ data: { method_id: method.id } });
    expect(await dataAt(methods, `${METHODS}/${method.id}`)).toMatchObject({
      org_name: "acme",
      // What the program does not manage is sent back as it was read.
      base_url: "theirs.example",
    });
  });

  test("of a parent namespace with the same name is not ours", async () => {
    const { methods } = scene();
    await others(methods, { org_name: "root's" });
    const shared = new World(methods.stub, mfaMethod, { token: "root", namespace: "team" });
    const own = new Resource(shared, mfaMethod);
    await own.create(program);
    expect(own.outputs.orgName).toBe("acme");
  });

  test("carries its token with every write, and what the service resets too", async () => {
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

  test("that is gone is told as gone by an update, which the service would swallow", async () => {
    const { methods, method } = scene();
    await method.create(program);
    await methods.send("DELETE", `${METHODS}/${method.id}`, undefined, headers);
    await expect(method.up({ ...program, orgName: "acme-eu" })).rejects.toThrow(
      /is gone.*Nothing was written/s,
    );
  });

  test("that an enforcement uses cannot be deleted, and the message names the enforcement", async () => {
    const { method, enforcement: using } = scene();
    await method.create(program);
    await using.create({ name: "everybody", mfaMethodIds: [method.id], authMethodTypes: ["userpass"] });
    await expect(method.delete()).rejects.toThrow(
      /still used by an enforcement.*It is used by the login enforcement "everybody"\. Next: take it out of there first/s,
    );
    await using.delete();
    await method.delete();
  });

  test.each(["/team", "team/", "/team/", "team"])(
    "of a name that exists in the namespace %s is found, however that is written",
    async (namespace) => {
      const { methods, method } = scene({ namespace });
      const theirs = { method_name: "staff", org_name: "theirs", api_token: "t" };
      await methods.send("POST", METHODS, theirs, { ...headers, "x-secrets-namespace": "team" });
      await expect(method.create(program)).rejects.toThrow(/already exists/);
    },
  );

  test("of a name that exists is found also where the list tells no names", async () => {
    const { methods, method } = scene();
    await others(methods);
    methods.afterwards = ({ path }, { json }) => {
      // The specification shows the keys alone.
      if (path === METHODS && isObject(json) && isObject(json.data)) delete json.data.key_info;
    };
    await expect(method.create(program)).rejects.toThrow(/already exists/);
  });

  test("whose delete loses its answer is looked at", async () => {
    for (const fate of ["request lost", "response lost"] as const) {
      const { methods, method } = scene();
      await method.create(program);
      setFate(methods, /^DELETE/, fate);
      const failure = await method.delete().catch((error: unknown) => error);
      expect(failure === undefined).toBe(fate === "response lost");
    }
  });

  test("without a name is never sent twice: a lost answer says what may be there", async () => {
    const { methods, method } = scene();
    const nameless = { orgName: "acme", apiToken: "t" };
    setFate(methods, /^POST/, "response lost");
    await expect(method.create(nameless)).rejects.toThrow(/lost its connection/);
    expect(countOf(methods, "POST")).toBe(1);
  });
});

describe("a login enforcement", () => {
  const first = "7bf71b3e-e29d-13f8-5ab6-00df3684c85b";

  async function ready() {
    const { method, enforcement, enforcements: world } = scene();
    await method.create(program);
    return { world, methodId: method.id, enforcement };
  }

  test("sends a list that is dropped or emptied as an empty list, because the service merges", async () => {
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

  test("leaves a selector alone that others set and the program never wrote", async () => {
    const { world, methodId, enforcement } = await ready();
    const own = { name: "everybody", mfaMethodIds: [methodId], authMethodTypes: ["userpass"] };
    await enforcement.create(own);
    const theirs = { mfa_method_ids: [methodId], identity_group_ids: ["group-9"] };
    await world.send("POST", ENFORCEMENT, theirs, headers);
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
  ])("is refused in the preview at %s for %j", (path, inputs) => {
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
  ])("takes the id %s of a method as it is: the service made it", (id) => {
    const { enforcement } = scene();
    expect(enforcement.check({ name: "all", mfaMethodIds: [id], authMethodTypes: ["ldap"] })).toEqual([]);
  });

  test("with empty selectors only is taken, as the service does, and said to select nobody", async () => {
    const { methodId, enforcement } = await ready();
    const own = { name: "everybody", mfaMethodIds: [methodId], authMethodTypes: [], identityGroupIds: [] };
    expect(enforcement.check(own)).toEqual([]);
    expect(notesOfCreate(loginEnforcement, own)).toEqual([expect.stringContaining("selects nobody")]);
    expect(notesOfCreate(loginEnforcement, { ...own, authMethodTypes: ["ldap"] })).toEqual([]);
    await enforcement.create(own);
    expect(enforcement.preview(own).changes).toEqual([]);
  });
});

const shown = { one: { namespace_path: "team/" }, two: { namespace_path: "" }, three: {} };
const page = { json: { data: { keys: Object.keys(shown), key_info: shown } } } as unknown as HttpAnswer;
const why = (key: string, namespace?: string, within: Address = {}) =>
  inParentNamespace(key, page, { settings: { namespace } } as unknown as Site, within);

test("a method of a parent namespace is told from the connection's own, however its path is spelt", () => {
  expect(why("one", "/team")).toBeUndefined();
  expect(why("two", "team")).toMatch(/of the namespace root/);
  expect(why("one", "team/sub")).toMatch(/of the namespace team,/);
  expect(why("one", "/team/", { namespace: "sub" })).toMatch(/of the namespace team,/);
  expect(why("one", undefined, { namespace: "team" })).toBeUndefined();
});

test("where the service or the settings do not tell the namespace, a method is not set apart", () => {
  expect(why("three", "team")).toBeUndefined();
  expect(why("two")).toBeUndefined();
});
