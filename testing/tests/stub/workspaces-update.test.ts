import { answers } from "./in-process";
import { details, pointers, scene, TOKENS, workspaceBody } from "./workspaces-scene";

const VCS = { identifier: "acme/web", "oauth-token-id": "ot-code" };

describe("Update workspace", () => {
  test.each([
    ["by id", (id: string) => `/workspaces/${id}`],
    ["by name", () => "/organizations/acme/workspaces/web"],
  ])("%s changes what the body names and keeps the rest", async (_how, path) => {
    const id = await scene.existing("web", {
      description: "old",
      "auto-apply": true,
      "queue-all-runs": true,
    });
    const { status, body } = await scene.send("PATCH", path(id), workspaceBody({ description: "new" }));
    expect(status).toBe(200);
    expect(body.data.id).toBe(id);
    expect(body.data.attributes).toMatchObject({
      description: "new",
      "auto-apply": true,
      "queue-all-runs": true,
    });
  });

  test("an explicit null restores the default", async () => {
    const id = await scene.existing("web", {
      description: "x",
      "allow-destroy-plan": false,
      "trigger-prefixes": ["a"],
      "working-directory": "infra",
      "auto-destroy-at": "2031-01-01T00:00:00Z",
      "engine-version": "1.5.7",
    });
    const { body } = await scene.patch(id, {
      description: null,
      "allow-destroy-plan": null,
      "trigger-prefixes": null,
      "working-directory": null,
      "auto-destroy-at": null,
      "engine-version": null,
    });
    expect(body.data.attributes).toMatchObject({
      description: null,
      "allow-destroy-plan": true,
      "trigger-prefixes": [],
      "working-directory": "",
      "auto-destroy-at": null,
      "engine-version": "1.9.8",
    });
  });

  test("renames, so that the old name is absent and the links follow", async () => {
    const id = await scene.existing("web");
    const { body } = await scene.patch(id, { name: "site" });
    expect(body.data.links.self).toBe("/api/v2/organizations/acme/workspaces/site");
    await answers(scene.send("GET", "/organizations/acme/workspaces/web"), 404);
    expect((await scene.send("GET", "/organizations/acme/workspaces/site")).body.data.id).toBe(id);
  });

  test("a rename keeps the teams' access", async () => {
    const id = await scene.existing("web");
    await scene.patch(id, { name: "site" });
    await answers(scene.send("GET", `/workspaces/${id}`, undefined, { as: TOKENS.reader }), 200);
  });

  test("refuses a name that another workspace has, and null", async () => {
    await scene.existing("site");
    const id = await scene.existing("web");
    expect(details(await scene.patch(id, { name: "site" }))).toEqual(["Name has already been taken"]);
    await answers(scene.patch(id, { name: null }), 422);
    await answers(scene.patch(id, { name: "web" }), 200);
  });

  test("updated-at moves on each change, even where the clock stands still, and only then", async () => {
    const id = await scene.existing("web");
    const updatedAt = async (attributes: object) =>
      (await scene.patch(id, attributes)).body.data.attributes["updated-at"];
    const first = await updatedAt({ description: "one" });
    const second = await updatedAt({ description: "two" });
    expect(second > first).toBe(true);
    expect(await updatedAt({ description: "two" })).toBe(second);
  });

  test("moves to the project of the relationship", async () => {
    const id = await scene.existing("web");
    const project = (target: string) => ({ project: { data: { id: target, type: "projects" } } });
    const { body } = await scene.patch(id, {}, project("prj-platform"));
    expect(body.data.relationships.project.data.id).toBe("prj-platform");
    await answers(scene.patch(id, {}, project("prj-none")), 404);
  });

  test("replaces the key-value tags of the relationship", async () => {
    const id = await scene.existing("web");
    const bindings = (key: string) => ({
      "tag-bindings": { data: [{ type: "tag-bindings", attributes: { key, value: "v" } }] },
    });
    await scene.patch(id, {}, bindings("a"));
    await scene.patch(id, {}, bindings("b"));
    const { data } = (await scene.send("GET", `/workspaces/${id}/tag-bindings`)).body;
    expect(data.map((binding: { attributes: { key: string } }) => binding.attributes.key)).toEqual(["b"]);
  });

  test("ignores attributes that only answers have", async () => {
    const id = await scene.existing("web");
    const { body } = await scene.patch(id, { locked: true, "resource-count": 9, "created-at": "never" });
    expect(body.data.attributes).toMatchObject({ locked: false, "resource-count": 0 });
  });

  test("a refused update changes nothing", async () => {
    const id = await scene.existing("web");
    await scene.patch(id, { description: "new", "auto-apply": "perhaps" });
    const { body } = await scene.send("GET", `/workspaces/${id}`);
    expect(body.data.attributes.description).toBeNull();
  });
});

describe("vcs-repo", () => {
  test("is answered with its defaults and what the service adds", async () => {
    const { body } = await scene.create("web", { "vcs-repo": VCS });
    expect(body.data.attributes["vcs-repo"]).toEqual({
      ...VCS,
      branch: "",
      "ingress-submodules": false,
      "tags-regex": null,
      "display-identifier": "acme/web",
      "repository-http-url": "https://code.example.com/acme/web",
      "service-provider": "github",
      "webhook-url": expect.any(String),
    });
    expect(body.data.attributes).toMatchObject({
      "vcs-repo-identifier": "acme/web",
      "oauth-client-name": "code",
    });
  });

  test("is got at by the product's GitHub App in place of a token, one of them, and only for a user", async () => {
    const app = { identifier: "acme/web", "github-app-installation-id": "ghain-code" };
    const { body } = await scene.create("web", { "vcs-repo": app });
    expect(body.data.attributes["vcs-repo"]).toMatchObject({ ...app, "service-provider": "github_app" });
    expect(body.data.attributes["vcs-repo"]).not.toHaveProperty("oauth-token-id");
    const id: string = body.data.id;
    const moved = (await scene.patch(id, { "vcs-repo": VCS })).body.data.attributes["vcs-repo"];
    expect(moved).toMatchObject(VCS);
    expect(moved).not.toHaveProperty("github-app-installation-id");
    const both = await scene.patch(id, { "vcs-repo": { ...VCS, ...app } });
    expect([both.status, pointers(both)]).toEqual([
      422,
      ["/data/attributes/vcs-repo/github-app-installation-id"],
    ]);
    const unknown = { ...app, "github-app-installation-id": "ghain-unknown" };
    await answers(scene.patch(id, { "vcs-repo": unknown }), 422);
    const asOrganization = { as: TOKENS.organization };
    const sent = workspaceBody({ "vcs-repo": app });
    await answers(scene.send("PATCH", `/workspaces/${id}`, sent, asOrganization), 422);
  });

  test("takes the identifier of a VCS kind with projects", async () => {
    const identifier = "acme/project/_git/web";
    const { body } = await scene.create("web", { "vcs-repo": { ...VCS, identifier } });
    expect(body.data.attributes["vcs-repo"].identifier).toBe(identifier);
  });

  test("is removed by null and kept when omitted", async () => {
    const id = await scene.existing("web", { "vcs-repo": VCS });
    expect((await scene.patch(id, {})).body.data.attributes["vcs-repo"]).toMatchObject(VCS);
    expect((await scene.patch(id, { "vcs-repo": null })).body.data.attributes["vcs-repo"]).toBeNull();
  });

  test("keeps the keys that an update omits, and resets those that are null", async () => {
    const full = { ...VCS, branch: "main", "ingress-submodules": true, "tags-regex": "v.*" };
    const id = await scene.existing("web", { "vcs-repo": full });
    const patched = async (repo: object) =>
      (await scene.patch(id, { "vcs-repo": repo })).body.data.attributes["vcs-repo"];
    expect(await patched(VCS)).toMatchObject(full);
    expect(
      await patched({ ...VCS, branch: null, "ingress-submodules": null, "tags-regex": null }),
    ).toMatchObject({ branch: "", "ingress-submodules": false, "tags-regex": null });
  });

  test.each([
    ["/identifier", { "oauth-token-id": "ot-code" }],
    ["/oauth-token-id", { identifier: "acme/web" }],
    ["/oauth-token-id", { ...VCS, "oauth-token-id": "ot-unknown" }],
    ["/identifier", { ...VCS, identifier: "web" }],
    ["/branch", { ...VCS, branch: 1 }],
    ["/ingress-submodules", { ...VCS, "ingress-submodules": "yes" }],
    ["/tags-regex", { ...VCS, "tags-regex": [] }],
  ])("is refused for its %s: %j", async (key, repo) => {
    const refused = await scene.create("web", { "vcs-repo": repo });
    expect(refused.status).toBe(422);
    expect(pointers(refused)).toEqual([`/data/attributes/vcs-repo${key}`]);
  });
});
