import { answers } from "./in-process";
import { details, Scene, TOKENS } from "./workspaces-scene";

const PATH = "/agent-pools/apool-general/authentication-tokens";
const body = (attributes: object, type = "authentication-tokens") => ({ data: { type, attributes } });
const PROGRAM = { description: "of the cluster" };

describe("Agent tokens", () => {
  async function setUp() {
    const scene = new Scene();
    const { status, body: made } = await scene.send("POST", PATH, body(PROGRAM));
    return { scene, status, made, path: `/authentication-tokens/${made.data.id}` };
  }

  test("POST returns 201 with the token, which no other response contains", async () => {
    const { scene, status, made, path } = await setUp();
    expect(status).toBe(201);
    expect(made.data).toMatchObject({
      id: expect.stringMatching(/^at-/),
      type: "authentication-tokens",
      attributes: { ...PROGRAM, "last-used-at": null, token: expect.stringMatching(/\.atlasv1\./) },
    });
    const shown = { ...made.data, attributes: { ...made.data.attributes, token: null } };
    expect((await scene.send("GET", path)).body.data).toEqual(shown);
    expect((await scene.send("GET", PATH)).body.data).toEqual([shown]);
  });

  test("POST accepts the type that go-tfe sends, and an equal description", async () => {
    const { scene } = await setUp();
    await answers(scene.send("POST", PATH, body(PROGRAM, "agent-tokens")), 201);
    expect((await scene.send("GET", PATH)).body.data).toHaveLength(2);
  });

  test("POST rejects a missing description and another type", async () => {
    const { scene } = await setUp();
    expect(details(await scene.send("POST", PATH, body({})))).toEqual(["Description can't be blank"]);
    await answers(scene.send("POST", PATH, body(PROGRAM, "tokens")), 422);
  });

  test("the list has pages", async () => {
    const { scene } = await setUp();
    for (let n = 0; n < 20; n++) await scene.send("POST", PATH, body(PROGRAM));
    const { data, meta } = (await scene.send("GET", PATH)).body;
    expect([data.length, meta.pagination["total-count"]]).toEqual([20, 21]);
  });

  test("DELETE returns 204 and then 404, and a deleted pool takes its tokens with it", async () => {
    const { scene, path } = await setUp();
    await answers(scene.send("DELETE", path), 204);
    await answers(scene.send("DELETE", path), 404);
    const { id } = (await scene.send("POST", PATH, body(PROGRAM))).body.data;
    await answers(scene.send("DELETE", "/agent-pools/apool-general"), 204);
    await answers(scene.send("GET", `/authentication-tokens/${id}`), 404);
    await answers(scene.send("GET", PATH), 404);
  });

  test("need the permission to manage agent pools", async () => {
    const { scene, path } = await setUp();
    await answers(scene.send("GET", PATH, undefined, { as: TOKENS.reader }), 404);
    await answers(scene.send("POST", PATH, body(PROGRAM), { as: TOKENS.organization }), 404);
    await answers(scene.send("DELETE", path, undefined, { as: TOKENS.manager }), 404);
  });
});
