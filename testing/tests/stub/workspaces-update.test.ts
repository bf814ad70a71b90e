import { answers } from "./in-process";
import { details, pointers, Scene, scene, TOKENS, workspaceBody } from "./workspaces-scene";

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

function at(id: string, action: string): string {
  return `/workspaces/${id}/actions/${action}`;
}

describe("States and transitions", () => {
  test("unlocked, lock: locked, with the reason and the holder", async () => {
    const id = await scene.existing("web");
    const { status, body } = await scene.send("POST", at(id, "lock"), { reason: "maintenance" });
    expect(status).toBe(200);
    expect(body.data.attributes).toMatchObject({ locked: true, "locked-reason": "maintenance" });
    expect(body.data.relationships["locked-by"]).toEqual({ data: { id: "user-olga", type: "users" } });
  });

  test("a lock's reason is empty by default, and must be a string", async () => {
    const id = await scene.existing("web");
    await answers(scene.send("POST", at(id, "lock"), { reason: 1 }), 422);
    expect((await scene.send("POST", at(id, "lock"))).body.data.attributes["locked-reason"]).toBe("");
  });

  test("locked, lock: 409, by its own holder too; with no body where switched", async () => {
    const id = await scene.existing("web");
    await scene.send("POST", at(id, "lock"));
    const refused = await scene.send("POST", at(id, "lock"));
    expect([refused.status, refused.body.errors[0].title]).toEqual([409, "conflict"]);
    scene.service.configure({ lockConflictIsEmpty: true });
    expect(await scene.send("POST", at(id, "lock"))).toMatchObject({ status: 409, body: undefined });
  });

  test("locked, unlock by the locker: unlocked", async () => {
    const id = await scene.existing("web");
    await scene.send("POST", at(id, "lock"), { reason: "x" });
    const { status, body } = await scene.send("POST", at(id, "unlock"));
    expect(status).toBe(200);
    expect(body.data.attributes).toMatchObject({ locked: false, "locked-reason": null });
    expect(body.data.relationships["locked-by"]).toEqual({ data: null });
  });

  test("unlocking makes the latest finalized intermediate state version current", async () => {
    const id = await scene.existing("web");
    await scene.send("POST", at(id, "lock"));
    scene.service.seed({
      workspaces: [
        { organization: "acme", name: "web", intermediateStateVersions: [{ id: "sv-1" }, { id: "sv-2" }] },
      ],
    });
    const { body } = await scene.send("POST", at(id, "unlock"));
    expect(body.data.relationships["current-state-version"].data).toEqual({
      id: "sv-2",
      type: "state-versions",
    });
  });

  test("locked, unlock while the latest intermediate state version is pending: 503 until the clock finalizes it", async () => {
    const id = await scene.existing("web");
    await scene.send("POST", at(id, "lock"));
    scene.service.seed({
      workspaces: [
        {
          organization: "acme",
          name: "web",
          intermediateStateVersions: [{ id: "sv-1" }, { id: "sv-2", finalizedAt: scene.now + 2000 }],
        },
      ],
    });
    const refused = await scene.send("POST", at(id, "unlock"));
    expect(refused.status).toBe(503);
    expect(details(refused)[0]).toContain("latest state version is still pending");
    expect(refused.body.errors[0].status).toBe("503");
    expect((await scene.send("GET", `/workspaces/${id}`)).body.data.attributes.locked).toBe(true);
    scene.now += 2000;
    await answers(scene.send("POST", at(id, "unlock")), 200);
  });

  test("a pending state version does not stop a force-unlock, and does not become current", async () => {
    const id = await scene.existing("web");
    await scene.send("POST", at(id, "lock"));
    scene.service.seed({
      workspaces: [
        { organization: "acme", name: "web", intermediateStateVersions: [{ id: "sv-1", finalizedAt: null }] },
      ],
    });
    const { status, body } = await scene.send("POST", at(id, "force-unlock"));
    expect(status).toBe(200);
    expect(body.data.relationships["current-state-version"].data).toBeNull();
  });

  test.each(["unlock", "force-unlock"])("unlocked, %s: 409", async (action) => {
    const id = await scene.existing("web");
    await answers(scene.send("POST", at(id, action)), 409);
  });

  test.each([
    [{ user: "lena" }, "is locked by User lena and may not be unlocked except by them"],
    [{ team: "lockers" }, "is locked by Team lockers and may not be unlocked except by them"],
    [{ run: "run-1" }, "is locked by Run run-1 and may not be unlocked except by them"],
  ])("locked by %j, unlock by another: 409 that names the holder", async (lockedBy, detail) => {
    const id = await scene.existing("web");
    scene.service.seed({ workspaces: [{ organization: "acme", name: "web", lockedBy }] });
    const refused = await scene.send("POST", at(id, "unlock"));
    expect(refused.status).toBe(409);
    expect(details(refused)[0]).toContain(detail);
  });

  test("two members of a team are different users; the team's own token is the team", async () => {
    const id = await scene.existing("web");
    const send = (action: string, as: string) => scene.send("POST", at(id, action), undefined, { as });
    await send("lock", TOKENS.locker);
    await answers(send("unlock", TOKENS.otherLocker), 409);
    await answers(send("unlock", TOKENS.locker), 200);
    expect((await send("lock", TOKENS.lockTeam)).body.data.relationships["locked-by"].data.type).toBe(
      "teams",
    );
    await answers(send("unlock", TOKENS.locker), 409);
    await answers(send("unlock", TOKENS.lockTeam), 200);
  });

  test("locked, force-unlock by an administrator: unlocked, whoever holds it", async () => {
    const id = await scene.existing("web");
    await scene.send("POST", at(id, "lock"), undefined, { as: TOKENS.locker });
    await answers(scene.send("POST", at(id, "force-unlock"), undefined, { as: TOKENS.locker }), 404);
    expect((await scene.send("POST", at(id, "force-unlock"))).body.data.attributes.locked).toBe(false);
  });

  test.each(["lock", "unlock", "force-unlock"])("%s of an absent workspace is 404", async (action) => {
    await answers(scene.send("POST", at("ws-none", action)), 404);
  });

  test("the lock's body is held to the content type too", async () => {
    const id = await scene.existing("web");
    const headers = { "content-type": "application/json" };
    await answers(scene.send("POST", at(id, "lock"), { reason: "x" }, { headers }), 415);
  });
});

describe("Safe delete", () => {
  test.each([
    ["by id", (id: string) => at(id, "safe-delete")],
    ["by names", () => "/organizations/acme/workspaces/web/actions/safe-delete"],
  ])("%s answers 204 and the workspace is gone", async (_how, path) => {
    const id = await scene.existing("web");
    expect(await scene.send("POST", path(id))).toMatchObject({ status: 204, body: undefined });
    await answers(scene.send("GET", `/workspaces/${id}`), 404);
  });

  test("of a locked workspace is 409", async () => {
    const id = await scene.existing("web");
    await scene.send("POST", at(id, "lock"));
    const refused = await scene.send("POST", at(id, "safe-delete"));
    expect(refused.status).toBe(409);
    expect(details(refused)[0]).toContain("locked");
  });

  test("of a workspace that is being processed is 409 until the clock has run on", async () => {
    const scene = new Scene({ processingMilliseconds: 3000 });
    const id = await scene.existing("web");
    const refused = await scene.send("POST", at(id, "safe-delete"));
    expect([refused.status, details(refused)[0]]).toEqual([409, expect.stringContaining("being processed")]);
    scene.now += 3000;
    await answers(scene.send("POST", at(id, "safe-delete")), 204);
  });

  test("of a workspace that manages resources is 409, with neither of the other reasons", async () => {
    const id = await scene.existing("web");
    scene.service.seed({ workspaces: [{ organization: "acme", name: "web", resourceCount: 3 }] });
    const refused = await scene.send("POST", at(id, "safe-delete"));
    expect(refused.status).toBe(409);
    expect(details(refused)[0]).toContain("3 resources are still managed");
    expect(details(refused)[0]).not.toMatch(/locked|being processed/);
  });

  test("needs Admin permission, and is 404 for an absent workspace", async () => {
    const id = await scene.existing("web");
    await answers(scene.send("POST", at(id, "safe-delete"), undefined, { as: TOKENS.reader }), 404);
    await answers(scene.send("POST", at("ws-none", "safe-delete")), 404);
  });

  test("an older server has none, and no permissions.can-force-delete", async () => {
    const scene = new Scene({ safeDeleteExists: false });
    const { body } = await scene.create("web");
    expect(body.data.attributes.permissions).not.toHaveProperty("can-force-delete");
    await answers(scene.send("POST", at(body.data.id, "safe-delete")), 404);
    await answers(scene.send("DELETE", `/workspaces/${body.data.id}`), 204);
  });
});

describe("Force delete", () => {
  test.each([
    ["by id", (id: string) => `/workspaces/${id}`],
    ["by names", () => "/organizations/acme/workspaces/web"],
  ])("%s removes a locked workspace with resources", async (_how, path) => {
    const id = await scene.existing("web");
    await scene.send("POST", at(id, "lock"));
    scene.service.seed({ workspaces: [{ organization: "acme", name: "web", resourceCount: 3 }] });
    await answers(scene.send("DELETE", path(id)), 204);
    await answers(scene.send("DELETE", path(id)), 404);
  });

  test("frees the name, and the next one has another id", async () => {
    const id = await scene.existing("web");
    await scene.send("DELETE", `/workspaces/${id}`);
    expect(await scene.existing("web")).not.toBe(id);
  });
});

describe("Assign SSH key", () => {
  const body = (id: unknown) => ({ data: { type: "workspaces", attributes: { id } } });

  test("assigns and unassigns", async () => {
    const path = `/workspaces/${await scene.existing("web")}/relationships/ssh-key`;
    const assigned = await scene.send("PATCH", path, body("sshkey-deploy"));
    expect(assigned.status).toBe(200);
    expect(assigned.body.data.relationships["ssh-key"].data).toEqual({
      id: "sshkey-deploy",
      type: "ssh-keys",
    });
    const unassigned = await scene.send("PATCH", path, body(null));
    expect(unassigned.body.data.relationships["ssh-key"]).toEqual({ data: null });
  });

  test("is 404 for a key that is not there, 422 for what is no id, 404 without Admin permission", async () => {
    const path = `/workspaces/${await scene.existing("web")}/relationships/ssh-key`;
    await answers(scene.send("PATCH", path, body("sshkey-none")), 404);
    await answers(scene.send("PATCH", path, body(undefined)), 422);
    await answers(scene.send("PATCH", path, body(null), { as: TOKENS.reader }), 404);
  });
});
