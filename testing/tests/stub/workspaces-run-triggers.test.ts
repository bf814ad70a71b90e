import { answers } from "./in-process";
import { details, scene, TOKENS } from "./workspaces-scene";

const listOf = (id: string, type = "inbound") =>
  `/workspaces/${id}/run-triggers?filter%5Brun-trigger%5D%5Btype%5D=${type}`;
const body = (id: unknown) => ({
  data: { relationships: { sourceable: { data: { id, type: "workspaces" } } }, type: "run-triggers" },
});

describe("Run triggers", () => {
  let web: string;
  let source: string;
  const create = (id: unknown, more = {}) =>
    scene.send("POST", `/workspaces/${web}/run-triggers`, body(id), more);
  beforeEach(async () => {
    web = await scene.existing("web");
    source = await scene.existing("source");
  });

  test("POST returns 201, and GET shows the trigger with both workspaces", async () => {
    const { status, body: made } = await create(source);
    expect(status).toBe(201);
    expect(made.data).toMatchObject({
      type: "run-triggers",
      attributes: { "workspace-name": "web", "sourceable-name": "source" },
      relationships: {
        workspace: { data: { id: web, type: "workspaces" } },
        sourceable: { data: { id: source, type: "workspaces" } },
      },
    });
    expect((await scene.send("GET", `/run-triggers/${made.data.id}`)).body).toEqual(made);
  });

  test("the list contains inbound or outbound triggers, and requires one of the two", async () => {
    const { id } = (await create(source)).body.data;
    const idsIn = async (path: string) =>
      (await scene.send("GET", path)).body.data.map((one: { id: string }) => one.id);
    expect(await idsIn(listOf(web))).toEqual([id]);
    expect(await idsIn(listOf(source, "outbound"))).toEqual([id]);
    expect(await idsIn(listOf(source))).toEqual([]);
    await answers(scene.send("GET", `/workspaces/${web}/run-triggers`), 400);
    await answers(scene.send("GET", listOf(web, "both")), 400);
  });

  test("a source is another workspace, has one trigger in a workspace, and a workspace has at most 20", async () => {
    expect(details(await create(web))).toEqual(["Sourceable cannot be the workspace itself"]);
    await create(source);
    expect(details(await create(source))).toEqual(["Sourceable has already been taken"]);
    expect((await create(7)).status).toBe(422);
    await answers(create("ws-none"), 404);
    for (let n = 2; n <= 20; n++) await answers(create(await scene.existing(`source-${n}`)), 201);
    expect(details(await create(await scene.existing("source-21")))).toEqual([
      "A workspace has at most 20 source workspaces",
    ]);
  });

  test("DELETE returns 204 and then 404; a deleted workspace has no triggers", async () => {
    const { id } = (await create(source)).body.data;
    await answers(scene.send("DELETE", `/run-triggers/${id}`), 204);
    await answers(scene.send("DELETE", `/run-triggers/${id}`), 404);
    const other = (await create(source)).body.data;
    await answers(scene.send("POST", `/workspaces/${source}/actions/safe-delete`), 204);
    await answers(scene.send("GET", `/run-triggers/${other.id}`), 404);
  });

  test("needs Admin permission on the workspace, and Read permission on either workspace to see it", async () => {
    const asAdmin = { as: TOKENS.admin };
    await answers(create(source, asAdmin), 404);
    const { id } = (await create(source)).body.data;
    await answers(scene.send("GET", `/run-triggers/${id}`, undefined, { as: TOKENS.reader }), 200);
    await answers(scene.send("GET", `/run-triggers/${id}`, undefined, { as: TOKENS.stranger }), 404);
    await answers(scene.send("DELETE", `/run-triggers/${id}`, undefined, { as: TOKENS.reader }), 404);
    await answers(scene.send("DELETE", `/run-triggers/${id}`, undefined, asAdmin), 204);
  });
});
