import { answers } from "./in-process";
import { details, Scene, scene, TOKENS } from "./workspaces-scene";

const body = (attributes: object) => ({ data: { type: "vars", attributes } });
const REGION = { key: "region", category: "terraform", value: "eu" };

describe("Workspace variables", () => {
  async function setUp() {
    const path = `/workspaces/${await scene.existing("web")}/vars`;
    const create = (attributes: object) => scene.send("POST", path, body(attributes));
    const existing = async (attributes: object): Promise<string> =>
      `${path}/${(await create(attributes)).body.data.id}`;
    return { path, create, existing };
  }

  test("POST returns 201 with the variable, GET lists it, and the workspace refers to it", async () => {
    const { path, create } = await setUp();
    const { status, body: made } = await create(REGION);
    expect(status).toBe(201);
    expect(made.data).toMatchObject({
      id: expect.stringMatching(/^var-/),
      type: "vars",
      attributes: { ...REGION, description: null, hcl: false, sensitive: false },
      relationships: { configurable: { data: { type: "workspaces" } } },
    });
    expect((await scene.send("GET", path)).body).toEqual({ data: [made.data] });
    const { data } = (await scene.send("GET", path.replace("/vars", ""))).body;
    expect(data.relationships.vars.data).toEqual([{ id: made.data.id, type: "vars" }]);
  });

  test("PATCH changes the given attributes, and each update has another version", async () => {
    const { existing } = await setUp();
    const path = await existing({ ...REGION, description: "where" });
    const before = (await scene.send("GET", path)).body.data.attributes;
    const { attributes } = (await scene.send("PATCH", path, body({ value: "us", description: null }))).body
      .data;
    expect(attributes).toMatchObject({ ...REGION, value: "us", description: null });
    expect(attributes["version-id"]).not.toBe(before["version-id"]);
  });

  test("a sensitive variable has no value in any response, and keeps its key, its parsing and its sensitivity", async () => {
    const { existing } = await setUp();
    const path = await existing({ ...REGION, sensitive: true });
    expect((await scene.send("GET", path)).body.data.attributes.value).toBeNull();
    await answers(scene.send("PATCH", path, body({ value: "us", description: "where" })), 200);
    for (const change of [{ key: "zone" }, { hcl: true }, { sensitive: false }])
      expect(await scene.send("PATCH", path, body(change))).toMatchObject({ status: 422 });
    await answers(scene.send("PATCH", path, body({ key: "region", hcl: false, sensitive: true })), 200);
  });

  test("a key is unique in its workspace and category", async () => {
    const { create, existing } = await setUp();
    await create(REGION);
    expect(details(await create(REGION))).toEqual(["Key has already been taken"]);
    const other = await existing({ ...REGION, category: "env" });
    expect(details(await scene.send("PATCH", other, body({ category: "terraform" })))).toEqual([
      "Key has already been taken",
    ]);
  });

  test.each([
    [{ category: "env" }, "Key can't be blank"],
    [{ key: "region" }, "Category must be terraform or env"],
    [{ ...REGION, value: 1 }, "value must be a string"],
    [{ ...REGION, hcl: "yes" }, "hcl must be a boolean"],
    [{ ...REGION, key: "k".repeat(129) }, "key is too long (maximum is 128 characters)"],
    [{ ...REGION, description: "d".repeat(513) }, "description is too long (maximum is 512 characters)"],
  ])("POST rejects %j", async (attributes, detail) => {
    expect(details(await (await setUp()).create(attributes))).toEqual([detail]);
  });

  test("DELETE returns 204 and then 404, and a deleted workspace takes its variables with it", async () => {
    const { path, existing } = await setUp();
    const one = await existing(REGION);
    await answers(scene.send("DELETE", one), 204);
    await answers(scene.send("DELETE", one), 404);
    const other = await existing(REGION);
    await answers(scene.send("DELETE", path.replace("/vars", "")), 204);
    await answers(scene.send("GET", other), 404);
  });

  test("a variable is only found below its own workspace", async () => {
    const { existing } = await setUp();
    const id = (await existing(REGION)).split("/").at(-1);
    const other = await scene.existing("api");
    await answers(scene.send("GET", `/workspaces/${other}/vars/${id}`), 404);
  });

  test("need permission on variables: reading, and writing", async () => {
    const { path, existing } = await setUp();
    const one = await existing(REGION);
    await answers(scene.send("GET", one, undefined, { as: TOKENS.reader }), 200);
    await answers(scene.send("PATCH", one, body({ value: "us" }), { as: TOKENS.reader }), 404);
    await answers(scene.send("GET", path, undefined, { as: TOKENS.locker }), 404);
    await answers(scene.send("DELETE", one, undefined, { as: TOKENS.admin }), 204);
  });

  test("a list has no pages", async () => {
    const fresh = new Scene();
    const path = `/workspaces/${await fresh.existing("web")}/vars`;
    for (let n = 0; n < 21; n++) await fresh.send("POST", path, body({ ...REGION, key: `k${n}` }));
    const { data, meta } = (await fresh.send("GET", path)).body;
    expect([data.length, meta]).toEqual([21, undefined]);
  });
});
