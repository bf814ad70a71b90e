import { answers } from "./in-process";
import { Scene, TOKENS } from "./workspaces-scene";

const OUTPUTS = [
  { name: "url", value: "https://example.com" },
  { name: "ports", value: [80, 443] },
  { name: "password", value: "a secret", sensitive: true },
];

describe("State version outputs", () => {
  async function setUp(outputs: readonly object[] = OUTPUTS) {
    const scene = new Scene();
    const id = await scene.existing("web");
    scene.service.seed({ workspaces: [{ organization: "acme", name: "web", outputs }] });
    return { scene, path: `/workspaces/${id}/current-state-version-outputs` };
  }

  test("the list has the current outputs, and null in place of a sensitive value", async () => {
    const { scene, path } = await setUp();
    const { status, body } = await scene.send("GET", path);
    expect(status).toBe(200);
    expect(body.data).toMatchObject([
      { type: "state-version-outputs", attributes: { ...OUTPUTS[0], sensitive: false, type: "string" } },
      { attributes: { ...OUTPUTS[1], sensitive: false, type: "array" } },
      { attributes: { name: "password", sensitive: true, type: "string", value: null } },
    ]);
  });

  test("an output by its ID contains its value, even if it is sensitive", async () => {
    const { scene, path } = await setUp();
    const { data } = (await scene.send("GET", path)).body;
    const { body } = await scene.send("GET", `/state-version-outputs/${data[2].id}`);
    expect(body.data).toMatchObject({ id: data[2].id, attributes: { value: "a secret" } });
    await answers(scene.send("GET", "/state-version-outputs/wsout-none"), 404);
  });

  test("a workspace without a state returns 404, and with a state without outputs an empty list", async () => {
    const fresh = new Scene();
    const id = await fresh.existing("web");
    await answers(fresh.send("GET", `/workspaces/${id}/current-state-version-outputs`), 404);
    const { scene, path } = await setUp([]);
    expect((await scene.send("GET", path)).body).toEqual({ data: [] });
  });

  test("the workspace refers to its state and its outputs", async () => {
    const { scene, path } = await setUp();
    const { relationships } = (await scene.send("GET", path.replace("/current-state-version-outputs", "")))
      .body.data;
    expect(relationships.outputs.data).toHaveLength(3);
    expect(relationships["current-state-version"].data.id).toMatch(/^sv-/);
  });

  test("a caller who locked the workspace uploads a state, and its outputs are current", async () => {
    const { scene, path } = await setUp();
    const workspace = path.replace("/current-state-version-outputs", "");
    const state = (text: string) => ({
      data: {
        type: "state-versions",
        attributes: { serial: 1, md5: "", state: Buffer.from(text).toString("base64") },
      },
    });
    const upload = (text: string) => scene.send("POST", `${workspace}/state-versions`, state(text));
    const text = JSON.stringify({ version: 4, outputs: { url: { value: "http://x" } } });
    await answers(upload(text), 409);
    await answers(scene.send("POST", `${workspace}/actions/lock`, {}), 200);
    await answers(upload("not JSON"), 422);
    await answers(upload(text), 201);
    expect((await scene.send("GET", path)).body.data).toMatchObject([
      { attributes: { name: "url", value: "http://x", sensitive: false } },
    ]);
  });

  test("need permission to read the outputs", async () => {
    const { scene, path } = await setUp();
    const { data } = (await scene.send("GET", path)).body;
    await answers(scene.send("GET", path, undefined, { as: TOKENS.reader }), 200);
    for (const one of [path, `/state-version-outputs/${data[0].id}`])
      await answers(scene.send("GET", one, undefined, { as: TOKENS.locker }), 404);
  });
});
