import { answers } from "./in-process";
import { details, scene, TOKENS } from "./workspaces-scene";

const PATH = "/team-workspaces";
const to = (type: string, id: string) => ({ data: { type, id } });
const body = (attributes: object, relationships = {}) => ({
  data: { type: "team-workspaces", attributes, relationships },
});

describe("Team access", () => {
  let web: string;
  const add = (attributes: object, team = "team-readers", more = {}) =>
    scene.send(
      "POST",
      PATH,
      body(attributes, { team: to("teams", team), workspace: to("workspaces", web) }),
      more,
    );
  const existing = async (attributes: object): Promise<string> =>
    `${PATH}/${(await add(attributes)).body.data.id}`;
  beforeEach(async () => {
    web = await scene.existing("web");
  });

  test("POST returns 200, and GET shows and lists the access with derived permissions", async () => {
    const { status, body: made } = await add({ access: "write" });
    expect(status).toBe(200);
    expect(made.data).toMatchObject({
      type: "team-workspaces",
      attributes: { access: "write", runs: "apply", variables: "write", "workspace-locking": true },
      relationships: { team: to("teams", "team-readers"), workspace: to("workspaces", web) },
    });
    expect((await scene.send("GET", `${PATH}/${made.data.id}`)).body).toEqual(made);
    const listed = await scene.send("GET", `${PATH}?filter%5Bworkspace%5D%5Bid%5D=${web}`);
    expect(listed.body).toEqual({ data: [made.data] });
    await answers(scene.send("GET", PATH), 404);
  });

  test("only a custom access has permissions of its own, with defaults", async () => {
    expect(details(await add({ access: "read", runs: "apply" }))).toEqual([
      "runs can only be used when access is custom",
    ]);
    expect((await add({ access: "custom", runs: "all" })).status).toBe(422);
    expect((await add({ access: "most" })).status).toBe(422);
    const { attributes } = (await add({ access: "custom", runs: "plan" })).body.data;
    expect(attributes).toMatchObject({ runs: "plan", variables: "none", "state-versions": "none" });
  });

  test("PATCH keeps the permissions that it does not name", async () => {
    const path = await existing({ access: "custom", runs: "plan", variables: "read" });
    const { attributes } = (await scene.send("PATCH", path, body({ variables: "write" }))).body.data;
    expect(attributes).toMatchObject({ access: "custom", runs: "plan", variables: "write" });
    expect((await scene.send("PATCH", path, body({ access: "admin" }))).body.data.attributes).toMatchObject({
      "run-tasks": true,
    });
  });

  test("a team has one access to a workspace, and exists", async () => {
    await add({ access: "read" });
    expect(details(await add({ access: "read" }))).toEqual(["Team has already been taken"]);
    await answers(add({ access: "read" }, "team-none"), 404);
  });

  test("is deleted by DELETE, with its team, and with its workspace", async () => {
    const path = await existing({ access: "read" });
    await answers(scene.send("DELETE", path), 204);
    await answers(scene.send("DELETE", path), 404);
    const ofTeam = await existing({ access: "read" });
    await answers(scene.send("DELETE", "/teams/team-readers"), 204);
    await answers(scene.send("GET", ofTeam), 404);
    const ofWorkspace = `${PATH}/${(await add({ access: "read" }, "team-lockers")).body.data.id}`;
    await answers(scene.send("POST", `/workspaces/${web}/actions/safe-delete`), 204);
    await answers(scene.send("GET", ofWorkspace), 404);
  });

  test("needs Admin permission on the workspace", async () => {
    const path = await existing({ access: "read" });
    await answers(add({ access: "read" }, "team-lockers", { as: TOKENS.reader }), 404);
    await answers(scene.send("GET", path, undefined, { as: TOKENS.reader }), 404);
    await answers(scene.send("GET", path, undefined, { as: TOKENS.admin }), 200);
    await answers(scene.send("PATCH", path, body({ access: "plan" }), { as: TOKENS.admin }), 200);
  });
});
