import { answers } from "./in-process";
import { details, Scene, TOKENS, workspaceBody } from "./workspaces-scene";

const PATH = "/organizations/acme/oauth-clients";
const GITHUB = {
  name: "hub",
  "service-provider": "github",
  "http-url": "https://github.com",
  "api-url": "https://api.github.com",
};
const TOKEN = { "oauth-token-string": "a token" };
const body = (attributes: object, relationships: object = {}) => ({
  data: { type: "oauth-clients", attributes, relationships },
});

describe("OAuth clients", () => {
  async function setUp(attributes: object = { ...GITHUB, ...TOKEN }, relationships: object = {}) {
    const scene = new Scene();
    const { status, body: made } = await scene.send("POST", PATH, body(attributes, relationships));
    return { scene, status, made, path: `/oauth-clients/${made.data?.id}` };
  }

  test("POST returns 201 with the client and its OAuth token, and no credential", async () => {
    const secrets = { ...TOKEN, key: "the key", secret: "hush", "rsa-public-key": "ssh-rsa A" };
    const { scene, status, made, path } = await setUp({ ...GITHUB, ...secrets });
    expect(status).toBe(201);
    expect(made.data).toMatchObject({
      id: expect.stringMatching(/^oc-/),
      type: "oauth-clients",
      attributes: { ...GITHUB, key: "the key", "rsa-public-key": "ssh-rsa A", "organization-scoped": true },
      relationships: {
        organization: { data: { id: "acme" } },
        "oauth-tokens": { data: [{ id: expect.stringMatching(/^ot-/), type: "oauth-tokens" }] },
        projects: { data: [] },
        "agent-pool": { data: null },
      },
    });
    expect(JSON.stringify(made)).not.toMatch(/hush|a token/);
    expect((await scene.send("GET", path)).body.data).toEqual(made.data);
    expect((await scene.send("GET", PATH)).body.data).toHaveLength(2);
  });

  test("a client without a token string has no OAuth token, and an update with one adds it once", async () => {
    const { scene, made, path } = await setUp(GITHUB);
    expect(made.data.relationships["oauth-tokens"].data).toEqual([]);
    const tokens = async () =>
      (await scene.send("PATCH", path, body(TOKEN))).body.data.relationships["oauth-tokens"].data;
    const first = await tokens();
    expect(first).toHaveLength(1);
    expect(await tokens()).toEqual(first);
  });

  test("PATCH changes the given members, null clears the name, and an empty list clears the projects", async () => {
    const related = { projects: { data: [{ id: "prj-platform", type: "projects" }] } };
    const { scene, made, path } = await setUp({ ...GITHUB, "organization-scoped": false }, related);
    expect(made.data.relationships.projects).toEqual(related.projects);
    const pool = { "agent-pool": { data: { id: "apool-general", type: "agent-pools" } } };
    const changed = (await scene.send("PATCH", path, body({ name: null }, pool))).body.data;
    expect(changed).toMatchObject({ attributes: { name: null }, relationships: { ...related, ...pool } });
    const empty = { projects: { data: [] } };
    expect((await scene.send("PATCH", path, body({}, empty))).body.data.relationships).toMatchObject(empty);
  });

  test("POST accepts an equal name, and rejects missing and unknown values", async () => {
    const { scene } = await setUp();
    await answers(scene.send("POST", PATH, body(GITHUB)), 201);
    expect(details(await scene.send("POST", PATH, body({})))).toEqual([
      "service-provider can't be blank",
      "http-url can't be blank",
      "api-url can't be blank",
    ]);
    const wrong = { ...GITHUB, "service-provider": "cvs", "organization-scoped": "yes", name: 1 };
    expect(details(await scene.send("POST", PATH, body(wrong)))).toHaveLength(3);
    const server = { ...GITHUB, "service-provider": "ado_server" };
    expect(details(await scene.send("POST", PATH, body(server)))).toEqual(["private-key can't be blank"]);
    const none = { projects: { data: [{ id: "prj-none", type: "projects" }] } };
    await answers(scene.send("POST", PATH, body(GITHUB, none)), 404);
  });

  test("a workspace uses the OAuth token, and DELETE disconnects the workspace", async () => {
    const { scene, made, path } = await setUp();
    const [{ id }] = made.data.relationships["oauth-tokens"].data;
    const repo = { "vcs-repo": { identifier: "acme/app", "oauth-token-id": id } };
    const app = await scene.send(
      "POST",
      "/organizations/acme/workspaces",
      workspaceBody({ name: "app", ...repo }),
    );
    expect(app.status).toBe(201);
    await answers(scene.send("DELETE", path), 204);
    await answers(scene.send("DELETE", path), 404);
    const { data } = (await scene.send("GET", `/workspaces/${app.body.data.id}`)).body;
    expect(data.attributes["vcs-repo"]).toBeNull();
  });

  test("the list has pages only if the request asks for them", async () => {
    const { scene } = await setUp();
    expect((await scene.send("GET", PATH)).body.meta).toBeUndefined();
    const { meta } = (await scene.send("GET", `${PATH}?page[number]=1`)).body;
    expect(meta.pagination["total-count"]).toBe(2);
  });

  test("members read the clients, and changes need the permission to manage VCS settings", async () => {
    const { scene, path } = await setUp();
    await answers(scene.send("GET", path, undefined, { as: TOKENS.reader }), 200);
    await answers(scene.send("GET", PATH, undefined, { as: TOKENS.stranger }), 404);
    await answers(scene.send("GET", path, undefined, { as: TOKENS.stranger }), 404);
    await answers(scene.send("POST", PATH, body(GITHUB), { as: TOKENS.manager }), 404);
    await answers(scene.send("PATCH", path, body(TOKEN), { as: TOKENS.manager }), 404);
    await answers(scene.send("DELETE", path, undefined, { as: TOKENS.manager }), 404);
  });
});
