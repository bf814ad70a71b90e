import { type Answered, answers } from "./in-process";
import { Scene, scene, TOKENS } from "./workspaces-scene";

function ids({ body }: Answered): readonly string[] {
  return body.data.map((item: { id: string }) => item.id);
}

describe("Remote state consumers", () => {
  const consumers = (...workspaces: string[]) => ({
    data: workspaces.map((id) => ({ type: "workspaces", id })),
  });

  async function setting() {
    const scene = new Scene();
    const [subject, web, api] = [
      await scene.existing("subject"),
      await scene.existing("web"),
      await scene.existing("api"),
    ];
    return { scene, subject, web, api, path: `/workspaces/${subject}/relationships/remote-state-consumers` };
  }

  test("are added, replaced and deleted with 204, and listed as whole workspaces", async () => {
    const { scene, web, api, path } = await setting();
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

  test("are paged, 20 by default", async () => {
    const { scene, path } = await setting();
    const many: string[] = [];
    for (let index = 0; index < 21; index++) many.push(await scene.existing(`consumer${index}`));
    await scene.send("PATCH", path, consumers(...many));
    const { body } = await scene.send("GET", path);
    expect(body.data).toHaveLength(20);
    expect(body.meta.pagination["total-count"]).toBe(21);
    expect((await scene.send("GET", `${path}?page[size]=10&page[number]=3`)).body.data).toHaveLength(1);
  });

  test("with global-remote-state are all other workspaces of the organization", async () => {
    const { scene, subject, web, api, path } = await setting();
    await scene.patch(subject, { "global-remote-state": true });
    expect(ids(await scene.send("GET", path))).toEqual([web, api]);
  });

  test("never include what the caller cannot read", async () => {
    const { scene, subject, api } = await setting();
    const web = (await scene.send("GET", "/organizations/acme/workspaces/web")).body.data.id;
    const path = `/workspaces/${web}/relationships/remote-state-consumers`;
    await scene.send("PATCH", path, consumers(subject, api));
    expect(ids(await scene.send("GET", path, undefined, { as: TOKENS.reader }))).toEqual([]);
  });

  test("must be other workspaces of the organization", async () => {
    const { scene, subject, path } = await setting();
    for (const method of ["POST", "PATCH"]) {
      await answers(scene.send(method, path, consumers("ws-none")), 404);
      await answers(scene.send(method, path, consumers(subject)), 404);
    }
    await answers(scene.send("POST", path, { data: [{ type: "teams", id: "x" }] }), 422);
    await answers(scene.send("POST", path, { data: [{ type: "workspaces" }] }), 422);
    await answers(scene.send("POST", path, { data: {} }), 422);
  });

  test("a deleted workspace is one no more, and deleting it from the list again is a success", async () => {
    const { scene, web, path } = await setting();
    await scene.send("POST", path, consumers(web));
    await scene.send("DELETE", `/workspaces/${web}`);
    expect(ids(await scene.send("GET", path))).toEqual([]);
    await answers(scene.send("DELETE", path, consumers(web)), 204);
  });

  test("are changed with Admin permission only", async () => {
    const { scene, web, subject } = await setting();
    const path = `/workspaces/${web}/relationships/remote-state-consumers`;
    await answers(scene.send("POST", path, consumers(subject), { as: TOKENS.locker }), 404);
  });
});

describe("Flat tags", () => {
  const tags = (...names: string[]) => ({
    data: names.map((name) => ({ type: "tags", attributes: { name } })),
  });

  async function setting() {
    const scene = new Scene();
    return { scene, path: `/workspaces/${await scene.existing("web")}/relationships/tags` };
  }
  const names = ({ body }: Answered) =>
    body.data.map((tag: { attributes: { name: string } }) => tag.attributes.name);

  test.each(["two words", "a.b", "-a", "a:", "größe", "a".repeat(256)])(
    "of the name %j are refused",
    async (name) => {
      const { scene, path } = await setting();
      await answers(scene.send("POST", path, tags("fine", name)), 422);
      expect(names(await scene.send("GET", path))).toEqual([]);
    },
  );

  test("are bound and deleted with 204; the server lower-cases their names", async () => {
    const { scene, path } = await setting();
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

  test("are accepted by id; an unknown id is 404", async () => {
    const { scene, path } = await setting();
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

  test("need a name, and Admin permission", async () => {
    const { scene, path } = await setting();
    await answers(scene.send("POST", path, tags("")), 422);
    await answers(scene.send("POST", path, { data: [{ type: "tags" }] }), 422);
    await answers(scene.send("POST", path, tags("x"), { as: TOKENS.reader }), 404);
  });
});

describe("Key-value tags", () => {
  const bindings = (...pairs: [string, unknown][]) => ({
    data: pairs.map(([key, value]) => ({ type: "tag-bindings", attributes: { key, value } })),
  });

  test("a PATCH replaces all, and answers what there is", async () => {
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

  test("need key and value as strings, each key once, and Admin permission", async () => {
    const path = `/workspaces/${await scene.existing("web")}/tag-bindings`;
    await answers(scene.send("PATCH", path, bindings(["env", 1])), 422);
    await answers(scene.send("PATCH", path, bindings(["", "x"])), 422);
    await answers(scene.send("PATCH", path, bindings(["a", "x"], ["a", "y"])), 422);
    await answers(scene.send("PATCH", path, bindings(["a", "x"]), { as: TOKENS.reader }), 404);
  });
});

describe("Data retention policy", () => {
  const olders = (days: unknown) => ({
    data: { type: "data-retention-policy-delete-olders", attributes: { "delete-older-than-n-days": days } },
  });

  async function setting() {
    const scene = new Scene();
    return { scene, path: `/workspaces/${await scene.existing("web")}/relationships/data-retention-policy` };
  }

  test("data is null when there is none", async () => {
    const { scene, path } = await setting();
    expect(await scene.send("GET", path)).toMatchObject({ status: 200, body: { data: null } });
  });

  test("a POST replaces the policy and gives a new id", async () => {
    const { scene, path } = await setting();
    const first = await scene.send("POST", path, olders(30));
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

  test("a DELETE removes it with 204", async () => {
    const { scene, path } = await setting();
    await scene.send("POST", path, olders(30));
    expect(await scene.send("DELETE", path)).toMatchObject({ status: 204, body: undefined });
    expect((await scene.send("GET", path)).body.data).toBeNull();
  });

  test.each([olders(0), olders("30"), olders(1.5), { data: { type: "policies" } }])(
    "refuses %j",
    async (body) => {
      const { scene, path } = await setting();
      await answers(scene.send("POST", path, body), 422);
    },
  );

  test("is 404 for an absent workspace and without Admin permission", async () => {
    const { scene, path } = await setting();
    await answers(scene.send("POST", path, olders(1), { as: TOKENS.reader }), 404);
    const absent = "/workspaces/ws-none/relationships/data-retention-policy";
    await answers(scene.send("GET", absent), 404);
  });
});
