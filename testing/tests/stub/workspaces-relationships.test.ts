import { type Answered, answers } from "./in-process";
import { Scene, scene, TOKENS } from "./workspaces-scene";

function ids({ body }: Answered): readonly string[] {
  return body.data.map((item: { id: string }) => item.id);
}

describe("Remote state consumers", () => {
  const consumers = (...workspaces: string[]) => ({
    data: workspaces.map((id) => ({ type: "workspaces", id })),
  });

  async function setUp() {
    const scene = new Scene();
    const [subject, web, api] = [
      await scene.existing("subject"),
      await scene.existing("web"),
      await scene.existing("api"),
    ];
    return { scene, subject, web, api, path: `/workspaces/${subject}/relationships/remote-state-consumers` };
  }

  test("POST, PATCH and DELETE return 204, and GET lists complete workspaces", async () => {
    const { scene, web, api, path } = await setUp();
    const list = async () => ids(await scene.send("GET", path));
    expect(await scene.send("POST", path, consumers(web))).toMatchObject({ status: 204, body: undefined });
    await answers(scene.send("POST", path, consumers(web, api)), 204);
    expect(await list()).toEqual([web, api]);
    await answers(scene.send("PATCH", path, consumers(api)), 204);
    expect(await list()).toEqual([api]);
    await answers(scene.send("DELETE", path, consumers(api)), 204);
    expect(await list()).toEqual([]);
    await scene.send("POST", path, consumers(web));
    expect((await scene.send("GET", path)).body.data[0].attributes.name).toBe("web");
  });

  test("GET returns pages of 20 by default", async () => {
    const { scene, path } = await setUp();
    const many: string[] = [];
    for (let index = 0; index < 21; index++) many.push(await scene.existing(`consumer${index}`));
    await scene.send("PATCH", path, consumers(...many));
    const { body } = await scene.send("GET", path);
    expect(body.data).toHaveLength(20);
    expect(body.meta.pagination["total-count"]).toBe(21);
    expect((await scene.send("GET", `${path}?page[size]=10&page[number]=3`)).body.data).toHaveLength(1);
  });

  test("with global-remote-state, GET lists all other workspaces of the organization", async () => {
    const { scene, subject, web, api, path } = await setUp();
    await scene.patch(subject, { "global-remote-state": true });
    expect(ids(await scene.send("GET", path))).toEqual([web, api]);
  });

  test("GET omits workspaces that the caller cannot read", async () => {
    const { scene, subject, api } = await setUp();
    const web = (await scene.send("GET", "/organizations/acme/workspaces/web")).body.data.id;
    const path = `/workspaces/${web}/relationships/remote-state-consumers`;
    await scene.send("PATCH", path, consumers(subject, api));
    expect(ids(await scene.send("GET", path, undefined, { as: TOKENS.reader }))).toEqual([]);
  });

  test("reject unknown workspaces and the workspace itself with 404, and malformed bodies with 422", async () => {
    const { scene, subject, path } = await setUp();
    for (const method of ["POST", "PATCH"]) {
      await answers(scene.send(method, path, consumers("ws-none")), 404);
      await answers(scene.send(method, path, consumers(subject)), 404);
    }
    await answers(scene.send("POST", path, { data: [{ type: "teams", id: "x" }] }), 422);
    await answers(scene.send("POST", path, { data: [{ type: "workspaces" }] }), 422);
    await answers(scene.send("POST", path, { data: {} }), 422);
  });

  test("a deleted workspace is removed from the list, and removing it again returns 204", async () => {
    const { scene, web, path } = await setUp();
    await scene.send("POST", path, consumers(web));
    await scene.send("DELETE", `/workspaces/${web}`);
    expect(ids(await scene.send("GET", path))).toEqual([]);
    await answers(scene.send("DELETE", path, consumers(web)), 204);
  });

  test("POST returns 404 without Admin permission", async () => {
    const { scene, web, subject } = await setUp();
    const path = `/workspaces/${web}/relationships/remote-state-consumers`;
    await answers(scene.send("POST", path, consumers(subject), { as: TOKENS.locker }), 404);
  });
});

describe("Flat tags", () => {
  const tags = (...names: string[]) => ({
    data: names.map((name) => ({ type: "tags", attributes: { name } })),
  });

  async function setUp() {
    const scene = new Scene();
    return { scene, path: `/workspaces/${await scene.existing("web")}/relationships/tags` };
  }
  const names = ({ body }: Answered) =>
    body.data.map((tag: { attributes: { name: string } }) => tag.attributes.name);

  test.each(["two words", "a.b", "-a", "a:", "größe", "a".repeat(256)])(
    "rejects a request with the tag name %j and adds none of its tags",
    async (name) => {
      const { scene, path } = await setUp();
      await answers(scene.send("POST", path, tags("fine", name)), 422);
      expect(names(await scene.send("GET", path))).toEqual([]);
    },
  );

  test("POST and DELETE return 204, and tag names are stored in lower case", async () => {
    const { scene, path } = await setUp();
    expect(await scene.send("POST", path, tags("Prod", "eu"))).toMatchObject({
      status: 204,
      body: undefined,
    });
    expect(names(await scene.send("GET", path))).toEqual(["prod", "eu"]);
    await scene.send("POST", path, tags("PROD"));
    expect(names(await scene.send("GET", path))).toEqual(["prod", "eu"]);
    await answers(scene.send("DELETE", path, tags("Prod", "absent")), 204);
    const shown = await scene.send("GET", "/organizations/acme/workspaces/web");
    expect(shown.body.data.attributes["tag-names"]).toEqual(["eu"]);
  });

  test("can be added and removed by ID; an unknown ID returns 404", async () => {
    const { scene, path } = await setUp();
    await scene.send("POST", path, tags("prod"));
    const [tag] = (await scene.send("GET", path)).body.data;
    expect(tag).toMatchObject({ type: "tags", attributes: { "instance-count": 1 } });
    const other = `/workspaces/${await scene.existing("api")}/relationships/tags`;
    await answers(scene.send("POST", other, { data: [{ type: "tags", id: tag.id }] }), 204);
    expect(names(await scene.send("GET", other))).toEqual(["prod"]);
    await answers(scene.send("POST", other, { data: [{ type: "tags", id: "tag-none" }] }), 404);
    await scene.send("DELETE", other, { data: [{ type: "tags", id: tag.id }] });
    expect(names(await scene.send("GET", other))).toEqual([]);
  });

  test("POST returns 422 for a missing or empty name and 404 without Admin permission", async () => {
    const { scene, path } = await setUp();
    await answers(scene.send("POST", path, tags("")), 422);
    await answers(scene.send("POST", path, { data: [{ type: "tags" }] }), 422);
    await answers(scene.send("POST", path, tags("x"), { as: TOKENS.reader }), 404);
  });
});

describe("Key-value tags", () => {
  const bindings = (...pairs: [string, unknown][]) => ({
    data: pairs.map(([key, value]) => ({ type: "tag-bindings", attributes: { key, value } })),
  });

  test("PATCH replaces all tags and returns the new list", async () => {
    const path = `/workspaces/${await scene.existing("web")}/tag-bindings`;
    const pairs = ({ body }: Answered) =>
      body.data.map(({ attributes }: { attributes: { key: string; value: string } }) => [
        attributes.key,
        attributes.value,
      ]);
    expect(pairs(await scene.send("PATCH", path, bindings(["env", "prod"], ["team", "web"])))).toEqual([
      ["env", "prod"],
      ["team", "web"],
    ]);
    await answers(scene.send("PATCH", path, bindings(["env", "dev"])), 200);
    expect(pairs(await scene.send("GET", path))).toEqual([["env", "dev"]]);
    expect(pairs(await scene.send("PATCH", path, { data: [] }))).toEqual([]);
  });

  test("PATCH rejects a value that is not a string, an empty or repeated key and a caller without Admin permission", async () => {
    const path = `/workspaces/${await scene.existing("web")}/tag-bindings`;
    await answers(scene.send("PATCH", path, bindings(["env", 1])), 422);
    await answers(scene.send("PATCH", path, bindings(["", "x"])), 422);
    await answers(scene.send("PATCH", path, bindings(["a", "x"], ["a", "y"])), 422);
    await answers(scene.send("PATCH", path, bindings(["a", "x"]), { as: TOKENS.reader }), 404);
  });
});

describe("Data retention policy", () => {
  const deleteOlderThan = (days: unknown) => ({
    data: { type: "data-retention-policy-delete-olders", attributes: { "delete-older-than-n-days": days } },
  });

  async function setUp() {
    const scene = new Scene();
    return { scene, path: `/workspaces/${await scene.existing("web")}/relationships/data-retention-policy` };
  }

  test("GET returns null data if no policy is set", async () => {
    const { scene, path } = await setUp();
    expect(await scene.send("GET", path)).toMatchObject({ status: 200, body: { data: null } });
  });

  test("POST replaces the policy with a policy that has a new ID", async () => {
    const { scene, path } = await setUp();
    const first = await scene.send("POST", path, deleteOlderThan(30));
    expect(first.status).toBe(200);
    expect(first.body.data).toMatchObject({
      type: "data-retention-policy-delete-olders",
      attributes: { "delete-older-than-n-days": 30 },
    });
    const second = await scene.send("POST", path, { data: { type: "data-retention-policy-dont-deletes" } });
    expect(second.body.data.type).toBe("data-retention-policy-dont-deletes");
    expect(second.body.data.id).not.toBe(first.body.data.id);
    expect((await scene.send("GET", path)).body).toEqual(second.body);
  });

  test("DELETE removes the policy and returns 204", async () => {
    const { scene, path } = await setUp();
    await scene.send("POST", path, deleteOlderThan(30));
    expect(await scene.send("DELETE", path)).toMatchObject({ status: 204, body: undefined });
    expect((await scene.send("GET", path)).body.data).toBeNull();
  });

  test.each([
    deleteOlderThan(0),
    deleteOlderThan("30"),
    deleteOlderThan(1.5),
    { data: { type: "policies" } },
  ])("rejects %j", async (body) => {
    const { scene, path } = await setUp();
    await answers(scene.send("POST", path, body), 422);
  });

  test("returns 404 for an unknown workspace and without Admin permission", async () => {
    const { scene, path } = await setUp();
    await answers(scene.send("POST", path, deleteOlderThan(1), { as: TOKENS.reader }), 404);
    const absent = "/workspaces/ws-none/relationships/data-retention-policy";
    await answers(scene.send("GET", absent), 404);
  });
});
