import { type Answered, answers, send } from "./in-process";
import { pointers, Scene, scene, TOKENS } from "./workspaces-scene";

const PATH = "/organizations/acme/workspaces";

function names({ body }: Answered): readonly string[] {
  return body.data.map((item: { attributes: { name: string } }) => item.attributes.name);
}

async function sceneWith25Workspaces(): Promise<Scene> {
  const scene = new Scene();
  for (let index = 1; index <= 25; index++) await scene.existing(`ws${String(index).padStart(2, "0")}`);
  return scene;
}

describe("Pagination", () => {
  test("returns 20 items per page by default, with null links before the first and after the last page", async () => {
    const scene = await sceneWith25Workspaces();
    const first = (await scene.send("GET", PATH)).body;
    expect(first.data).toHaveLength(20);
    expect(first.meta.pagination).toEqual({
      "current-page": 1,
      "page-size": 20,
      "prev-page": null,
      "next-page": 2,
      "total-pages": 2,
      "total-count": 25,
    });
    expect(first.links).toMatchObject({ prev: null, next: expect.stringContaining("page%5Bnumber%5D=2") });
    const next = new URL(first.links.next);
    const second = (await scene.send("GET", `${PATH}${next.search}`)).body;
    expect(second.data).toHaveLength(5);
    expect(second.links).toMatchObject({ next: null, prev: expect.any(String), last: first.links.last });
    expect(second.meta.pagination).toMatchObject({ "prev-page": 1, "next-page": null });
  });

  test("applies the page size that the request asks for, up to 100", async () => {
    const scene = await sceneWith25Workspaces();
    expect((await scene.send("GET", `${PATH}?page[size]=7&page[number]=4`)).body.data).toHaveLength(4);
    const { pagination } = (await scene.send("GET", `${PATH}?page%5Bsize%5D=500`)).body.meta;
    expect(pagination["page-size"]).toBe(100);
  });

  test("preserves other query parameters in links and reports a total of 0 for an empty list", async () => {
    const scene = await sceneWith25Workspaces();
    const { links } = (await scene.send("GET", `${PATH}?search[name]=ws&page[size]=2`)).body;
    expect(new URL(links.next).searchParams.get("search[name]")).toBe("ws");
    const { meta } = (await scene.send("GET", `${PATH}?search[name]=nothing`)).body;
    expect(meta.pagination).toMatchObject({ "total-count": 0, "next-page": null, "prev-page": null });
  });
});

describe("List workspaces", () => {
  test("search[name] matches a part of the name", async () => {
    for (const name of ["web", "web-old", "api"]) await scene.existing(name);
    expect(names(await scene.send("GET", `${PATH}?search[name]=web`))).toEqual(["web", "web-old"]);
  });

  test("search[tags] requires all given tags; search[exclude_tags] excludes workspaces with a given tag", async () => {
    const tag = async (name: string, ...tags: string[]) => {
      const id = await scene.existing(name);
      const data = tags.map((tagName) => ({ type: "tags", attributes: { name: tagName } }));
      await scene.send("POST", `/workspaces/${id}/relationships/tags`, { data });
    };
    await tag("both", "prod", "eu");
    await tag("one", "prod");
    await tag("none");
    expect(names(await scene.send("GET", `${PATH}?search[tags]=prod,eu`))).toEqual(["both"]);
    expect(names(await scene.send("GET", `${PATH}?search[exclude_tags]=eu`))).toEqual(["none", "one"]);
    expect(names(await scene.send("GET", `${PATH}?search[exclude-tags]=eu`))).toHaveLength(3);
    scene.service.configure({ dialect: "real" });
    expect(names(await scene.send("GET", `${PATH}?search[exclude-tags]=eu`))).toEqual(["none", "one"]);
  });

  test("filters by project and by key-value tag", async () => {
    await scene.create("a", {}, { project: { data: { id: "prj-platform", type: "projects" } } });
    await scene.create(
      "b",
      {},
      { "tag-bindings": { data: [{ type: "tag-bindings", attributes: { key: "env", value: "prod" } }] } },
    );
    expect(names(await scene.send("GET", `${PATH}?filter[project][id]=prj-platform`))).toEqual(["a"]);
    const tagged = `${PATH}?filter[tagged][0][key]=env`;
    expect(names(await scene.send("GET", tagged))).toEqual(["b"]);
    expect(names(await scene.send("GET", `${tagged}&filter[tagged][0][value]=dev`))).toEqual([]);
  });

  test("sorts by name (ascending, descending), latest change and current run", async () => {
    for (const name of ["b", "c", "a"]) {
      await scene.existing(name);
      scene.now += 1000;
    }
    const sorted = async (sort: string) => names(await scene.send("GET", `${PATH}?sort=${sort}`));
    expect(await sorted("name")).toEqual(["a", "b", "c"]);
    expect(await sorted("-name")).toEqual(["c", "b", "a"]);
    expect(await sorted("latest-change-at")).toEqual(["b", "c", "a"]);
    scene.service.seed({
      workspaces: [
        {
          organization: "acme",
          name: "b",
          currentRun: { id: "run-1", status: "applied", createdAt: scene.now },
        },
      ],
    });
    expect(await sorted("-current-run.created-at")).toEqual(["b", "c", "a"]);
  });

  test("lists only workspaces that the caller can read; returns 404 for non-members and unknown organizations", async () => {
    await scene.existing("web");
    await scene.existing("api");
    expect(names(await scene.send("GET", PATH, undefined, { as: TOKENS.reader }))).toEqual(["web"]);
    await answers(scene.send("GET", PATH, undefined, { as: TOKENS.stranger }), 404);
    await answers(scene.send("GET", "/organizations/none/workspaces"), 404);
  });
});

describe("Show workspace", () => {
  test("returns the same document by ID and by name", async () => {
    const id = await scene.existing("web");
    const byId = await scene.send("GET", `/workspaces/${id}`);
    expect(byId.status).toBe(200);
    expect((await scene.send("GET", `${PATH}/web`)).body).toEqual(byId.body);
  });

  test("returns 404 with a JSON:API error for an unknown workspace", async () => {
    const refused = await scene.send("GET", "/workspaces/ws-none");
    expect(refused).toMatchObject({ status: 404, body: { errors: [{ status: "404", title: "not found" }] } });
  });

  test("returns 404 for an unknown path", async () => {
    await answers(scene.send("GET", "/nowhere"), 404);
  });
});

describe("Stale reads", () => {
  test("return the state before the latest successful write", async () => {
    const id = await scene.existing("web", { description: "old" });
    await scene.patch(id, { description: "new" });
    await scene.patch(id, { description: 1 });
    const read = async (stale: boolean) =>
      (await scene.send("GET", `/workspaces/${id}`, undefined, { stale })).body.data.attributes.description;
    expect(await read(true)).toBe("old");
    expect(await read(false)).toBe("new");
  });
});

describe("Reset, dump and seed", () => {
  test("a reset deletes everything except tokens; a dump contains no tokens", async () => {
    await scene.existing("web");
    scene.service.seed({ tokens: { later: { user: "l", organizations: { acme: ["owners"] } } } });
    expect(JSON.stringify(scene.service.dump())).toContain('"web"');
    expect(JSON.stringify(scene.service.dump())).not.toContain("later");
    scene.service.reset();
    expect(names(await scene.send("GET", PATH, undefined, { as: "later" }))).toEqual([]);
  });

  test("a seed creates a workspace with the given attributes, and a second seed updates it", async () => {
    scene.service.seed({
      workspaces: [
        {
          organization: "acme",
          name: "web",
          project: "prj-platform",
          attributes: { "auto-apply": true },
          lockedBy: { run: "run-1" },
        },
      ],
    });
    const { data } = (await scene.send("GET", `${PATH}/web`)).body;
    expect(data.attributes).toMatchObject({ "auto-apply": true, locked: true });
    expect(data.relationships.project.data.id).toBe("prj-platform");
    scene.service.seed({ workspaces: [{ organization: "acme", name: "web", resourceCount: 2 }] });
    const again = (await scene.send("GET", `${PATH}/web`)).body.data;
    expect(again.attributes).toMatchObject({ "resource-count": 2, "auto-apply": true, locked: true });
    expect(again.relationships.project.data.id).toBe("prj-platform");
    expect(() => scene.service.seed({ workspaces: [{ organization: "none", name: "web" }] })).toThrow("none");
  });
});

describe("Rate limit", () => {
  const rateLimit = { limit: 2, windowMilliseconds: 1000, retryAfter: false };

  test("is off by default", async () => {
    const { headers } = await scene.send("GET", PATH);
    expect(headers).not.toHaveProperty("x-ratelimit-limit");
  });

  test("returns 429 with the seconds to wait by the stub's clock, and accepts requests after that time", async () => {
    const scene = new Scene({ rateLimit });
    expect((await scene.send("GET", PATH)).headers).toMatchObject({
      "x-ratelimit-limit": "2",
      "x-ratelimit-remaining": "1",
    });
    scene.now += 250;
    await scene.send("GET", PATH);
    const limited = await scene.send("GET", PATH);
    expect(limited.status).toBe(429);
    expect(limited.headers).toMatchObject({
      "x-ratelimit-limit": "2",
      "x-ratelimit-remaining": "0",
      "x-ratelimit-reset": "0.750",
    });
    expect(limited.headers).not.toHaveProperty("retry-after");
    scene.now += 750;
    await answers(scene.send("GET", PATH), 200);
  });

  test("counts requests per caller, ignores a limited request and sends Retry-After if retryAfter is set", async () => {
    const scene = new Scene({ rateLimit: { ...rateLimit, limit: 1, retryAfter: true } });
    await scene.send("GET", PATH);
    const limited = await scene.create("web");
    expect([limited.status, limited.headers["retry-after"]]).toEqual([429, "1"]);
    expect(names(await scene.send("GET", PATH, undefined, { as: TOKENS.manager }))).toEqual([]);
  });
});

const PROVIDERS = "/organizations/acme/registry-providers";

function provider(name: string, registryName = "private", namespace = "acme"): object {
  const attributes = { name, namespace, "registry-name": registryName };
  return { data: { type: "registry-providers", attributes } };
}

describe("Create provider", () => {
  test("returns 201 with a private provider and an empty list of versions", async () => {
    const { status, body: answered } = await scene.send("POST", PROVIDERS, provider("cloud"));
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

  test("returns no versions relationship for a public provider", async () => {
    const { body: answered } = await scene.send("POST", PROVIDERS, provider("cloud", "public", "vendor"));
    expect(answered.data.relationships).not.toHaveProperty("versions");
  });

  test.each([
    ["name", { namespace: "acme", "registry-name": "private" }],
    ["namespace", { name: "cloud", "registry-name": "public" }],
    ["registry-name", { name: "cloud", namespace: "acme" }],
    ["name", { name: 1, namespace: "acme", "registry-name": "private" }],
    ["registry-name", { name: "cloud", namespace: "acme", "registry-name": "shared" }],
    ["namespace", { name: "cloud", namespace: "vendor", "registry-name": "private" }],
  ])("returns 422 for an invalid %s: %j", async (attribute, attributes) => {
    const refused = await scene.send("POST", PROVIDERS, { data: { type: "registry-providers", attributes } });
    expect(refused.status).toBe(422);
    expect(pointers(refused)).toEqual([`/data/attributes/${attribute}`]);
  });

  test("returns 422 for an unexpected type and for an existing provider", async () => {
    const data = { type: "providers", attributes: {} };
    await answers(scene.send("POST", PROVIDERS, { data }), 422);
    await scene.send("POST", PROVIDERS, provider("cloud"));
    await answers(scene.send("POST", PROVIDERS, provider("cloud")), 422);
  });

  test.each([
    ["owner", 201],
    ["registrar", 201],
    ["manager", 404],
    ["organization", 404],
    ["stranger", 404],
  ] as const)("creating a provider as %s returns %d", async (who, status) => {
    await answers(scene.send("POST", PROVIDERS, provider("cloud"), { as: TOKENS[who] }), status);
  });
});

describe("Get and delete provider", () => {
  const item = `${PROVIDERS}/private/acme/cloud`;

  test("every member can read; permissions.can-delete is false for a member who cannot delete", async () => {
    await scene.send("POST", PROVIDERS, provider("cloud"));
    const read = await scene.send("GET", item, undefined, { as: TOKENS.reader });
    expect(read.status).toBe(200);
    expect(read.body.data.attributes.permissions).toEqual({ "can-delete": false });
    await answers(scene.send("GET", item, undefined, { as: TOKENS.stranger }), 404);
    await answers(scene.send("DELETE", item, undefined, { as: TOKENS.reader }), 404);
  });

  test("DELETE returns 204; afterward GET and DELETE return 404", async () => {
    await scene.send("POST", PROVIDERS, provider("cloud"));
    expect(await scene.send("DELETE", item)).toMatchObject({ status: 204, body: undefined });
    await answers(scene.send("GET", item), 404);
    await answers(scene.send("DELETE", item), 404);
  });

  test("without public provider curation, returns 403 for public providers and accepts private providers", async () => {
    const scene = new Scene({ publicCuration: false });
    const publicItem = `${PROVIDERS}/public/vendor/cloud`;
    const refused = await scene.send("POST", PROVIDERS, provider("cloud", "public", "vendor"));
    expect([refused.status, refused.body.errors[0].status]).toEqual([403, "403"]);
    await answers(scene.send("GET", publicItem), 403);
    await answers(scene.send("DELETE", publicItem), 403);
    await answers(scene.send("POST", PROVIDERS, provider("cloud")), 201);
  });

  test("returns the versions of a private provider", async () => {
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
  test("q matches name and namespace, filters restrict the list, page[size] sets the page size", async () => {
    await scene.send("POST", PROVIDERS, provider("cloud", "public", "vendor"));
    await scene.send("POST", PROVIDERS, provider("queue"));
    const list = async (query: string) => names(await scene.send("GET", `${PROVIDERS}${query}`));
    expect(await list("")).toEqual(["cloud", "queue"]);
    expect(await list("?q=vend")).toEqual(["cloud"]);
    expect(await list("?q=QUE")).toEqual(["queue"]);
    expect(await list("?filter[registry_name]=private")).toEqual(["queue"]);
    expect(await list("?filter%5Borganization_name%5D=other")).toEqual([]);
    const { meta } = (await scene.send("GET", `${PROVIDERS}?page[size]=1`)).body;
    expect(meta.pagination).toMatchObject({ "total-pages": 2, "page-size": 1 });
  });

  test("returns 404 for a caller who is not a member", async () => {
    await answers(scene.send("GET", PROVIDERS, undefined, { as: TOKENS.stranger }), 404);
  });
});

describe("Public registry", () => {
  const headers = { authorization: `Bearer ${TOKENS.reader}` };

  test("is announced by the discovery document and requires the same authentication", async () => {
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

  test("returns 404 for an unknown provider", async () => {
    const { service } = new Scene();
    const path = "/api/registry/public/v1/providers/vendor/none/versions";
    await answers(send(service, "GET", path, { headers }), 404);
  });
});
