import { answers } from "./in-process";
import { details, pointers, Scene, scene, TOKENS, workspaceBody } from "./workspaces-scene";

const VCS = { identifier: "acme/web", "oauth-token-id": "ot-code" };

describe("Update workspace", () => {
  test.each([
    ["by id", (id: string) => `/workspaces/${id}`],
    ["by name", () => "/organizations/acme/workspaces/web"],
  ])("PATCH %s changes only the attributes in the body", async (_how, path) => {
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

  test("null resets an attribute to its default", async () => {
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

  test("renames the workspace: links use the new name, and the old name returns 404", async () => {
    const id = await scene.existing("web");
    const { body } = await scene.patch(id, { name: "site" });
    expect(body.data.links.self).toBe("/api/v2/organizations/acme/workspaces/site");
    await answers(scene.send("GET", "/organizations/acme/workspaces/web"), 404);
    expect((await scene.send("GET", "/organizations/acme/workspaces/site")).body.data.id).toBe(id);
  });

  test("a renamed workspace stays readable for its teams", async () => {
    const id = await scene.existing("web");
    await scene.patch(id, { name: "site" });
    await answers(scene.send("GET", `/workspaces/${id}`, undefined, { as: TOKENS.reader }), 200);
  });

  test("rejects a name in use and null as the name", async () => {
    await scene.existing("site");
    const id = await scene.existing("web");
    expect(details(await scene.patch(id, { name: "site" }))).toEqual(["Name has already been taken"]);
    await answers(scene.patch(id, { name: null }), 422);
    await answers(scene.patch(id, { name: "web" }), 200);
  });

  test("updated-at increases with each change, also at the same clock time, and only with a change", async () => {
    const id = await scene.existing("web");
    const updatedAt = async (attributes: object) =>
      (await scene.patch(id, attributes)).body.data.attributes["updated-at"];
    const first = await updatedAt({ description: "one" });
    const second = await updatedAt({ description: "two" });
    expect(second > first).toBe(true);
    expect(await updatedAt({ description: "two" })).toBe(second);
  });

  test("moves the workspace to the given project and returns 404 for an unknown project", async () => {
    const id = await scene.existing("web");
    const project = (target: string) => ({ project: { data: { id: target, type: "projects" } } });
    const { body } = await scene.patch(id, {}, project("prj-platform"));
    expect(body.data.relationships.project.data.id).toBe("prj-platform");
    await answers(scene.patch(id, {}, project("prj-none")), 404);
  });

  test("replaces the key-value tags", async () => {
    const id = await scene.existing("web");
    const bindings = (key: string) => ({
      "tag-bindings": { data: [{ type: "tag-bindings", attributes: { key, value: "v" } }] },
    });
    await scene.patch(id, {}, bindings("a"));
    await scene.patch(id, {}, bindings("b"));
    const { data } = (await scene.send("GET", `/workspaces/${id}/tag-bindings`)).body;
    expect(data.map((binding: { attributes: { key: string } }) => binding.attributes.key)).toEqual(["b"]);
  });

  test("ignores response-only attributes", async () => {
    const id = await scene.existing("web");
    const { body } = await scene.patch(id, { locked: true, "resource-count": 9, "created-at": "never" });
    expect(body.data.attributes).toMatchObject({ locked: false, "resource-count": 0 });
  });

  test("a rejected update changes nothing", async () => {
    const id = await scene.existing("web");
    await scene.patch(id, { description: "new", "auto-apply": "perhaps" });
    const { body } = await scene.send("GET", `/workspaces/${id}`);
    expect(body.data.attributes.description).toBeNull();
  });
});

describe("vcs-repo", () => {
  test("is returned with its defaults and computed fields", async () => {
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

  test("accepts a GitHub App installation instead of an OAuth token, not both, and only from a user", async () => {
    const app = { identifier: "acme/web", "github-app-installation-id": "ghain-code" };
    const { body } = await scene.create("web", { "vcs-repo": app });
    expect(body.data.attributes["vcs-repo"]).toMatchObject({ ...app, "service-provider": "github_app" });
    expect(body.data.attributes["vcs-repo"]).not.toHaveProperty("oauth-token-id");
    const id: string = body.data.id;
    const switched = (await scene.patch(id, { "vcs-repo": VCS })).body.data.attributes["vcs-repo"];
    expect(switched).toMatchObject(VCS);
    expect(switched).not.toHaveProperty("github-app-installation-id");
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

  test("accepts an identifier that contains a project", async () => {
    const identifier = "acme/project/_git/web";
    const { body } = await scene.create("web", { "vcs-repo": { ...VCS, identifier } });
    expect(body.data.attributes["vcs-repo"].identifier).toBe(identifier);
  });

  test("is removed by null and does not change if omitted", async () => {
    const id = await scene.existing("web", { "vcs-repo": VCS });
    expect((await scene.patch(id, {})).body.data.attributes["vcs-repo"]).toMatchObject(VCS);
    expect((await scene.patch(id, { "vcs-repo": null })).body.data.attributes["vcs-repo"]).toBeNull();
  });

  test("an update leaves omitted keys unchanged and resets keys that are null", async () => {
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
  ])("returns 422 that points at %s for %j", async (key, repo) => {
    const refused = await scene.create("web", { "vcs-repo": repo });
    expect(refused.status).toBe(422);
    expect(pointers(refused)).toEqual([`/data/attributes/vcs-repo${key}`]);
  });
});

function at(id: string, action: string): string {
  return `/workspaces/${id}/actions/${action}`;
}

describe("Lock and unlock", () => {
  test("locking an unlocked workspace stores the reason and the user", async () => {
    const id = await scene.existing("web");
    const { status, body } = await scene.send("POST", at(id, "lock"), { reason: "maintenance" });
    expect(status).toBe(200);
    expect(body.data.attributes).toMatchObject({ locked: true, "locked-reason": "maintenance" });
    expect(body.data.relationships["locked-by"]).toEqual({ data: { id: "user-olga", type: "users" } });
  });

  test("the reason is empty by default and must be a string", async () => {
    const id = await scene.existing("web");
    await answers(scene.send("POST", at(id, "lock"), { reason: 1 }), 422);
    expect((await scene.send("POST", at(id, "lock"))).body.data.attributes["locked-reason"]).toBe("");
  });

  test("locking a locked workspace returns 409, also for its locker; without a body if lockConflictIsEmpty", async () => {
    const id = await scene.existing("web");
    await scene.send("POST", at(id, "lock"));
    const refused = await scene.send("POST", at(id, "lock"));
    expect([refused.status, refused.body.errors[0].title]).toEqual([409, "conflict"]);
    scene.service.configure({ lockConflictIsEmpty: true });
    expect(await scene.send("POST", at(id, "lock"))).toMatchObject({ status: 409, body: undefined });
  });

  test("the locker can unlock the workspace", async () => {
    const id = await scene.existing("web");
    await scene.send("POST", at(id, "lock"), { reason: "x" });
    const { status, body } = await scene.send("POST", at(id, "unlock"));
    expect(status).toBe(200);
    expect(body.data.attributes).toMatchObject({ locked: false, "locked-reason": null });
    expect(body.data.relationships["locked-by"]).toEqual({ data: null });
  });

  test("unlocking makes the latest finalized intermediate state version the current one", async () => {
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

  test("unlocking returns 503 while the latest intermediate state version is pending", async () => {
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

  test("force-unlock succeeds while a state version is pending, which does not become current", async () => {
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

  test.each(["unlock", "force-unlock"])("%s of an unlocked workspace returns 409", async (action) => {
    const id = await scene.existing("web");
    await answers(scene.send("POST", at(id, action)), 409);
  });

  test.each([
    [{ user: "lena" }, "is locked by User lena and may not be unlocked except by them"],
    [{ team: "lockers" }, "is locked by Team lockers and may not be unlocked except by them"],
    [{ run: "run-1" }, "is locked by Run run-1 and may not be unlocked except by them"],
  ])(
    "if locked by %j, unlocking by someone else returns 409 with the name of the locker",
    async (lockedBy, detail) => {
      const id = await scene.existing("web");
      scene.service.seed({ workspaces: [{ organization: "acme", name: "web", lockedBy }] });
      const refused = await scene.send("POST", at(id, "unlock"));
      expect(refused.status).toBe(409);
      expect(details(refused)[0]).toContain(detail);
    },
  );

  test("a lock belongs to one user or to the team token, and only its owner can unlock it", async () => {
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

  test("an administrator can force-unlock another user's lock; the locker without Admin permission cannot", async () => {
    const id = await scene.existing("web");
    await scene.send("POST", at(id, "lock"), undefined, { as: TOKENS.locker });
    await answers(scene.send("POST", at(id, "force-unlock"), undefined, { as: TOKENS.locker }), 404);
    expect((await scene.send("POST", at(id, "force-unlock"))).body.data.attributes.locked).toBe(false);
  });

  test.each(["lock", "unlock", "force-unlock"])("%s of an unknown workspace returns 404", async (action) => {
    await answers(scene.send("POST", at("ws-none", action)), 404);
  });

  test("lock returns 415 for the content type application/json", async () => {
    const id = await scene.existing("web");
    const headers = { "content-type": "application/json" };
    await answers(scene.send("POST", at(id, "lock"), { reason: "x" }, { headers }), 415);
  });
});

describe("Safe delete", () => {
  test.each([
    ["by id", (id: string) => at(id, "safe-delete")],
    ["by name", () => "/organizations/acme/workspaces/web/actions/safe-delete"],
  ])("%s returns 204 and deletes the workspace", async (_how, path) => {
    const id = await scene.existing("web");
    expect(await scene.send("POST", path(id))).toMatchObject({ status: 204, body: undefined });
    await answers(scene.send("GET", `/workspaces/${id}`), 404);
  });

  test("returns 409 for a locked workspace", async () => {
    const id = await scene.existing("web");
    await scene.send("POST", at(id, "lock"));
    const refused = await scene.send("POST", at(id, "safe-delete"));
    expect(refused.status).toBe(409);
    expect(details(refused)[0]).toContain("locked");
  });

  test("returns 409 while the workspace is being processed, then 204", async () => {
    const scene = new Scene({ processingMilliseconds: 3000 });
    const id = await scene.existing("web");
    const refused = await scene.send("POST", at(id, "safe-delete"));
    expect([refused.status, details(refused)[0]]).toEqual([409, expect.stringContaining("being processed")]);
    scene.now += 3000;
    await answers(scene.send("POST", at(id, "safe-delete")), 204);
  });

  test("returns 409 with the number of resources for a workspace that manages resources", async () => {
    const id = await scene.existing("web");
    scene.service.seed({ workspaces: [{ organization: "acme", name: "web", resourceCount: 3 }] });
    const refused = await scene.send("POST", at(id, "safe-delete"));
    expect(refused.status).toBe(409);
    expect(details(refused)[0]).toContain("3 resources are still managed");
    expect(details(refused)[0]).not.toMatch(/locked|being processed/);
  });

  test("returns 404 without Admin permission and for an unknown workspace", async () => {
    const id = await scene.existing("web");
    await answers(scene.send("POST", at(id, "safe-delete"), undefined, { as: TOKENS.reader }), 404);
    await answers(scene.send("POST", at("ws-none", "safe-delete")), 404);
  });

  test("on an older server, safe-delete returns 404 and permissions.can-force-delete is absent", async () => {
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
    ["by name", () => "/organizations/acme/workspaces/web"],
  ])("%s deletes a locked workspace that manages resources", async (_how, path) => {
    const id = await scene.existing("web");
    await scene.send("POST", at(id, "lock"));
    scene.service.seed({ workspaces: [{ organization: "acme", name: "web", resourceCount: 3 }] });
    await answers(scene.send("DELETE", path(id)), 204);
    await answers(scene.send("DELETE", path(id)), 404);
  });

  test("a new workspace can use the name and gets a different ID", async () => {
    const id = await scene.existing("web");
    await scene.send("DELETE", `/workspaces/${id}`);
    expect(await scene.existing("web")).not.toBe(id);
  });
});

describe("Assign SSH key", () => {
  const body = (id: unknown) => ({ data: { type: "workspaces", attributes: { id } } });

  test("assigns a key, and null unassigns it", async () => {
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

  test("returns 404 for an unknown key, 422 without a key ID and 404 without Admin permission", async () => {
    const path = `/workspaces/${await scene.existing("web")}/relationships/ssh-key`;
    await answers(scene.send("PATCH", path, body("sshkey-none")), 404);
    await answers(scene.send("PATCH", path, body(undefined)), 422);
    await answers(scene.send("PATCH", path, body(null), { as: TOKENS.reader }), 404);
  });
});
