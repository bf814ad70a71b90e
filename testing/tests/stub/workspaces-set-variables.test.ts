import { answers } from "./in-process";
import { details, Scene, TOKENS } from "./workspaces-scene";

const body = (attributes: object) => ({ data: { type: "vars", attributes } });
const REGION = { key: "region", category: "terraform", value: "eu" };

describe("Variables of a variable set", () => {
  async function setUp() {
    const scene = new Scene();
    const set = { data: { type: "varsets", attributes: { name: "shared" } } };
    const { id } = (await scene.send("POST", "/organizations/acme/varsets", set)).body.data;
    const path = `/varsets/${id}/relationships/vars`;
    const create = (attributes: object) => scene.send("POST", path, body(attributes));
    return { scene, id, path, create };
  }

  test("POST returns 201 with the variable, GET shows it, and the set refers to it", async () => {
    const { scene, id, path, create } = await setUp();
    const { status, body: made } = await create(REGION);
    expect(status).toBe(201);
    expect(made.data).toMatchObject({
      id: expect.stringMatching(/^var-/),
      type: "vars",
      attributes: { ...REGION, description: null, hcl: false, sensitive: false },
      relationships: { varset: { data: { id, type: "varsets" } } },
    });
    expect((await scene.send("GET", path)).body.data).toEqual([made.data]);
    expect((await scene.send("GET", `${path}/${made.data.id}`)).body.data).toEqual(made.data);
    const { relationships } = (await scene.send("GET", `/varsets/${id}`)).body.data;
    expect(relationships.vars.data).toEqual([{ id: made.data.id, type: "vars" }]);
  });

  test("PATCH changes the given attributes, and no response shows a sensitive value", async () => {
    const { scene, path, create } = await setUp();
    const { id } = (await create({ ...REGION, sensitive: true })).body.data;
    const { attributes } = (await scene.send("PATCH", `${path}/${id}`, body({ value: "us" }))).body.data;
    expect(attributes).toMatchObject({ key: "region", value: null, sensitive: true });
  });

  test("a key is unique in its set and category, and not in other sets and workspaces", async () => {
    const { scene, path, create } = await setUp();
    await create(REGION);
    expect(details(await create(REGION))).toEqual(["Key has already been taken"]);
    const workspace = `/workspaces/${await scene.existing("web")}/vars`;
    const { body: made } = await scene.send("POST", workspace, body(REGION));
    await answers(scene.send("GET", `${path}/${made.data.id}`), 404);
  });

  test("the list has pages, and a deleted set takes its variables with it", async () => {
    const { scene, id, path, create } = await setUp();
    for (let n = 0; n < 21; n++) await create({ ...REGION, key: `k${n}` });
    const { data, meta } = (await scene.send("GET", path)).body;
    expect([data.length, meta.pagination["total-count"]]).toEqual([20, 21]);
    await answers(scene.send("DELETE", `${path}/${data[0].id}`), 204);
    await answers(scene.send("DELETE", `${path}/${data[0].id}`), 404);
    await answers(scene.send("DELETE", `/varsets/${id}`), 204);
    await answers(scene.send("GET", `${path}/${data[1].id}`), 404);
  });

  test("members read them, and changes need the permission to manage all workspaces", async () => {
    const { scene, path, create } = await setUp();
    const { id } = (await create(REGION)).body.data;
    await answers(scene.send("GET", `${path}/${id}`, undefined, { as: TOKENS.reader }), 200);
    await answers(scene.send("GET", path, undefined, { as: TOKENS.stranger }), 404);
    await answers(scene.send("PATCH", `${path}/${id}`, body({ value: "us" }), { as: TOKENS.reader }), 404);
    await answers(scene.send("DELETE", `${path}/${id}`, undefined, { as: TOKENS.manager }), 204);
  });
});
