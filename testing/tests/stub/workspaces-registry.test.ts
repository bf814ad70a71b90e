import { type Answered, answers, send } from "./in-process";
import { pointers, Scene, scene, TOKENS } from "./workspaces-scene";

const PATH = "/organizations/acme/registry-providers";

function body(name: string, registryName = "private", namespace = "acme"): object {
  const attributes = { name, namespace, "registry-name": registryName };
  return { data: { type: "registry-providers", attributes } };
}

function names({ body: { data } }: Answered): readonly string[] {
  return data.map((item: { attributes: { name: string } }) => item.attributes.name);
}

describe("Create provider", () => {
  test("answers 201 with a private provider and its empty versions", async () => {
    const { status, body: answered } = await scene.send("POST", PATH, body("cloud"));
    expect(status).toBe(201);
    const self = "/api/v2/organizations/acme/registry-providers/private/acme/cloud";
    expect(answered.data).toEqual({
      id: expect.stringMatching(/^prov-/),
      type: "registry-providers",
      attributes: {
        name: "cloud",
        namespace: "acme",
        "registry-name": "private",
        "created-at": "2030-01-01T00:00:00.000Z",
        "updated-at": "2030-01-01T00:00:00.000Z",
        permissions: { "can-delete": true },
      },
      relationships: {
        organization: { data: { id: "acme", type: "organizations" } },
        versions: { data: [], links: { related: `${self}/versions` } },
      },
      links: { self },
    });
  });

  test("a public provider has no versions relationship", async () => {
    const { body: answered } = await scene.send("POST", PATH, body("cloud", "public", "vendor"));
    expect(answered.data.relationships).not.toHaveProperty("versions");
  });

  test.each([
    ["name", { namespace: "acme", "registry-name": "private" }],
    ["namespace", { name: "cloud", "registry-name": "public" }],
    ["registry-name", { name: "cloud", namespace: "acme" }],
    ["name", { name: 1, namespace: "acme", "registry-name": "private" }],
    ["registry-name", { name: "cloud", namespace: "acme", "registry-name": "shared" }],
    ["namespace", { name: "cloud", namespace: "vendor", "registry-name": "private" }],
  ])("refuses a bad %s: %j", async (attribute, attributes) => {
    const refused = await scene.send("POST", PATH, { data: { type: "registry-providers", attributes } });
    expect(refused.status).toBe(422);
    expect(pointers(refused)).toEqual([`/data/attributes/${attribute}`]);
  });

  test("refuses another type, and one that is there", async () => {
    const data = { type: "providers", attributes: {} };
    await answers(scene.send("POST", PATH, { data }), 422);
    await scene.send("POST", PATH, body("cloud"));
    await answers(scene.send("POST", PATH, body("cloud")), 422);
  });

  test.each([
    ["owner", 201],
    ["registrar", 201],
    ["manager", 404],
    ["organization", 404],
    ["stranger", 404],
  ] as const)("as %s answers %d", async (who, status) => {
    await answers(scene.send("POST", PATH, body("cloud"), { as: TOKENS[who] }), status);
  });
});

describe("Get and delete provider", () => {
  const item = `${PATH}/private/acme/cloud`;

  test("every member may read; permissions.can-delete tells who may delete", async () => {
    await scene.send("POST", PATH, body("cloud"));
    const read = await scene.send("GET", item, undefined, { as: TOKENS.reader });
    expect(read.status).toBe(200);
    expect(read.body.data.attributes.permissions).toEqual({ "can-delete": false });
    await answers(scene.send("GET", item, undefined, { as: TOKENS.stranger }), 404);
    await answers(scene.send("DELETE", item, undefined, { as: TOKENS.reader }), 404);
  });

  test("a delete answers 204, then 404", async () => {
    await scene.send("POST", PATH, body("cloud"));
    expect(await scene.send("DELETE", item)).toMatchObject({ status: 204, body: undefined });
    await answers(scene.send("GET", item), 404);
    await answers(scene.send("DELETE", item), 404);
  });

  test("with public provider curation disabled, public providers are 403 and private ones are not", async () => {
    const scene = new Scene({ publicCuration: false });
    const publicItem = `${PATH}/public/vendor/cloud`;
    const refused = await scene.send("POST", PATH, body("cloud", "public", "vendor"));
    expect([refused.status, refused.body.errors[0].status]).toEqual([403, "403"]);
    await answers(scene.send("GET", publicItem), 403);
    await answers(scene.send("DELETE", publicItem), 403);
    await answers(scene.send("POST", PATH, body("cloud")), 201);
  });

  test("versions of a private provider are listed", async () => {
    scene.service.seed({
      registryProviders: [
        {
          organization: "acme",
          registryName: "private",
          namespace: "acme",
          name: "cloud",
          versions: ["provver-1"],
        },
      ],
    });
    const { versions } = (await scene.send("GET", item)).body.data.relationships;
    expect(versions.data).toEqual([{ id: "provver-1", type: "registry-provider-versions" }]);
  });
});

describe("List providers", () => {
  test("q matches name and namespace; filters restrict; pages are of 20", async () => {
    await scene.send("POST", PATH, body("cloud", "public", "vendor"));
    await scene.send("POST", PATH, body("queue"));
    const list = async (query: string) => names(await scene.send("GET", `${PATH}${query}`));
    expect(await list("")).toEqual(["cloud", "queue"]);
    expect(await list("?q=vend")).toEqual(["cloud"]);
    expect(await list("?q=QUE")).toEqual(["queue"]);
    expect(await list("?filter[registry_name]=private")).toEqual(["queue"]);
    expect(await list("?filter%5Borganization_name%5D=other")).toEqual([]);
    const { meta } = (await scene.send("GET", `${PATH}?page[size]=1`)).body;
    expect(meta.pagination).toMatchObject({ "total-pages": 2, "page-size": 1 });
  });

  test("is 404 for who is no member", async () => {
    await answers(scene.send("GET", PATH, undefined, { as: TOKENS.stranger }), 404);
  });
});

describe("The public registry", () => {
  const headers = { authorization: `Bearer ${TOKENS.reader}` };

  test("is announced by the discovery document and wants the same authentication", async () => {
    const { service } = new Scene();
    const document = await send(service, "GET", "/.well-known/engine.json");
    expect(document.body).toEqual({ "providers.v1": "/api/registry/public/v1/providers/" });
    service.seed({ publicProviders: { "vendor/cloud": ["1.0.0", "1.1.0"] } });
    const path = `${document.body["providers.v1"]}vendor/cloud/versions`;
    await answers(send(service, "GET", path), 401);
    const { body: answered } = await send(service, "GET", path, { headers });
    expect(answered.versions.map(({ version }: { version: string }) => version)).toEqual(["1.0.0", "1.1.0"]);
    const one = await send(service, "GET", "/api/registry/public/v1/providers/vendor/cloud", { headers });
    expect(one.body).toMatchObject({ id: "vendor/cloud", version: "1.1.0" });
  });

  test("is 404 for a provider that it does not know", async () => {
    const { service } = new Scene();
    const path = "/api/registry/public/v1/providers/vendor/none/versions";
    await answers(send(service, "GET", path, { headers }), 404);
  });
});
