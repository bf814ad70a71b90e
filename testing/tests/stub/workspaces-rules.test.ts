import { answers } from "./in-process";
import { pointers, Scene, scene, TOKENS, workspaceBody } from "./workspaces-scene";

const VCS = { identifier: "acme/web", "oauth-token-id": "ot-code" };

describe("execution-mode, operations and agent-pool-id", () => {
  test("returns the agent pool as a relationship and not as an attribute", async () => {
    const { body } = await scene.create("web", {
      "execution-mode": "agent",
      "agent-pool-id": "apool-general",
    });
    expect(body.data.attributes["execution-mode"]).toBe("agent");
    expect(body.data.attributes).not.toHaveProperty("agent-pool-id");
    expect(body.data.relationships["agent-pool"]).toEqual({
      data: { id: "apool-general", type: "agent-pools" },
    });
  });

  test.each([
    [{ "execution-mode": "agent" }, "agent-pool-id"],
    [{ "execution-mode": "agent", "agent-pool-id": "apool-unknown" }, "agent-pool-id"],
    [{ "execution-mode": "agent", "agent-pool-id": 7 }, "agent-pool-id"],
    [{ "execution-mode": "remote", "agent-pool-id": "apool-general" }, "agent-pool-id"],
    [{ "execution-mode": "local", "agent-pool-id": "apool-general" }, "agent-pool-id"],
    [{ operations: true, "agent-pool-id": "apool-general" }, "agent-pool-id"],
    [{ "execution-mode": "remote", operations: true }, "operations"],
    [{ "setting-overwrites": { "execution-mode": true } }, "execution-mode"],
    [{ "setting-overwrites": { "execution-mode": "no" } }, "setting-overwrites/execution-mode"],
  ])("rejects %j", async (attributes, pointer) => {
    const refused = await scene.create("web", attributes);
    expect(refused.status).toBe(422);
    expect(pointers(refused)).toContain(`/data/attributes/${pointer}`);
  });

  test("operations sets execution-mode: false is local, true is remote", async () => {
    const id = await scene.existing("web", { operations: false });
    const shown = (await scene.send("GET", `/workspaces/${id}`)).body.data.attributes;
    expect(shown).toMatchObject({ "execution-mode": "local", operations: false });
    expect((await scene.patch(id, { operations: true })).body.data.attributes["execution-mode"]).toBe(
      "remote",
    );
  });

  test("leaving agent mode removes the pool, and setting agent mode again requires a pool", async () => {
    const id = await scene.existing("web", { "execution-mode": "agent", "agent-pool-id": "apool-general" });
    const updated = await scene.patch(id, { "execution-mode": "remote" });
    expect(updated.body.data.relationships["agent-pool"]).toEqual({ data: null });
    await answers(scene.patch(id, { "execution-mode": "agent" }), 422);
  });

  test("an update that omits the pool does not change it; null is rejected in agent mode", async () => {
    const id = await scene.existing("web", { "execution-mode": "agent", "agent-pool-id": "apool-general" });
    const updated = await scene.patch(id, { "execution-mode": "agent", description: "x" });
    expect(updated.body.data.relationships["agent-pool"].data.id).toBe("apool-general");
    await answers(scene.patch(id, { "agent-pool-id": null }), 422);
  });

  test("accepts null as the agent pool in remote mode", async () => {
    await answers(scene.create("web", { "execution-mode": "remote", "agent-pool-id": null }), 201);
  });
});

describe("setting-overwrites", () => {
  test("an explicit mode overrides the organization's default; an omitted mode inherits it", async () => {
    const own = (await scene.create("own", { "execution-mode": "remote" })).body.data.attributes;
    expect(own["setting-overwrites"]).toEqual({ "execution-mode": true, "agent-pool": true });
    await scene.existing("inheriting");
    scene.service.seed({ organizations: { acme: { defaultExecutionMode: "local" } } });
    const show = async (name: string) =>
      (await scene.send("GET", `/organizations/acme/workspaces/${name}`)).body.data.attributes;
    expect((await show("own"))["execution-mode"]).toBe("remote");
    expect((await show("inheriting"))["execution-mode"]).toBe("local");
  });

  test("execution-mode: false makes the workspace inherit the mode and the agent pool", async () => {
    const id = await scene.existing("web", { "execution-mode": "local" });
    scene.service.seed({
      organizations: { acme: { defaultExecutionMode: "agent", defaultAgentPool: "apool-large" } },
    });
    const { data } = (
      await scene.patch(id, { "setting-overwrites": { "execution-mode": false, "agent-pool": false } })
    ).body;
    expect(data.attributes["execution-mode"]).toBe("agent");
    expect(data.attributes["setting-overwrites"]).toEqual({ "execution-mode": false, "agent-pool": false });
    expect(data.relationships["agent-pool"].data.id).toBe("apool-large");
  });

  test("agent-pool: false uses the organization's default pool with an explicit agent mode", async () => {
    const { body } = await scene.create("web", {
      "execution-mode": "agent",
      "setting-overwrites": { "agent-pool": false },
    });
    expect(body.data.relationships["agent-pool"].data.id).toBe("apool-large");
  });

  test("execution-mode: true is accepted together with an explicit mode", async () => {
    const { body } = await scene.create("web", {
      "execution-mode": "local",
      "setting-overwrites": { "execution-mode": true },
    });
    expect(body.data.attributes["setting-overwrites"]["execution-mode"]).toBe(true);
  });
});

describe("Mutually exclusive attributes", () => {
  const prefixes = { "trigger-prefixes": ["a"] };
  const patterns = { "trigger-patterns": ["b"] };
  const regex = { "vcs-repo": { ...VCS, "tags-regex": "v.*" } };

  test.each([
    ["trigger-prefixes × trigger-patterns", { ...prefixes, ...patterns }],
    ["trigger-prefixes × vcs-repo.tags-regex", { ...prefixes, ...regex }],
    ["trigger-patterns × vcs-repo.tags-regex", { ...patterns, ...regex }],
    [
      "auto-destroy-at × auto-destroy-activity-duration",
      { "auto-destroy-at": "2031-01-01T00:00:00Z", "auto-destroy-activity-duration": "3d" },
    ],
  ])("returns 422 for %s", async (_pair, attributes) => {
    await answers(scene.create("web", attributes), 422);
  });

  test.each([
    { "trigger-prefixes": [], ...patterns },
    { "trigger-patterns": [], ...regex },
    { "vcs-repo": { ...VCS, "tags-regex": "" }, ...patterns },
  ])(
    "an empty value next to an exclusive attribute returns 422, like the real server: %j",
    async (attributes) => {
      await answers(scene.create("web", attributes), 422);
      await answers(scene.patch(await scene.existing("app"), attributes), 422);
    },
  );

  test("with refusesEmptiedTwins: false, empty and null values do not conflict", async () => {
    const created = await new Scene({ refusesEmptiedTwins: false }).create("web", {
      "trigger-prefixes": [],
      "trigger-patterns": ["b"],
      "vcs-repo": { ...VCS, "tags-regex": null },
      "auto-destroy-at": null,
      "auto-destroy-activity-duration": "3d",
    });
    expect(created.status).toBe(201);
  });

  test("are checked against the workspace as it is after the update", async () => {
    const id = await scene.existing("web", prefixes);
    await answers(scene.patch(id, patterns), 422);
    await answers(scene.patch(id, { "trigger-prefixes": [] }), 200);
    await answers(scene.patch(id, patterns), 200);
  });
});

test.each(["neutral", "real"] as const)(
  "computes auto-destroy-at from the activity duration (%s dialect)",
  async (dialect) => {
    const scene = new Scene({ dialect });
    const { body } = await scene.create("web", { "auto-destroy-activity-duration": "2d" });
    const { attributes, id } = body.data;
    const created = Date.parse(attributes["created-at"]);
    expect(Date.parse(attributes["auto-destroy-at"]) - created).toBe(48 * 3_600_000);
    const cleared = await scene.patch(id, { "auto-destroy-activity-duration": null });
    expect(cleared.body.data.attributes["auto-destroy-at"]).toBeNull();
  },
);

describe("assessments-enabled", () => {
  const on = { "assessments-enabled": true };

  test.each([
    [{ ...on, "execution-mode": "local" }, 422],
    [{ ...on, "engine-version": "0.15.3" }, 422],
    [{ ...on, "engine-version": "~> 0.14.0" }, 422],
    [{ ...on, "engine-version": "< 0.15.4" }, 422],
    [{ ...on, "engine-version": "<= 0.15.4" }, 201],
    [{ ...on, "engine-version": "0.15.4" }, 201],
    [{ ...on, "engine-version": "~> 0.15.0" }, 201],
    [{ ...on, "engine-version": ">= 0.12" }, 201],
    [{ ...on, "engine-version": "~> 1.0" }, 201],
  ])("creating a workspace with %j returns %d", async (attributes, status) => {
    await answers(scene.create("web", attributes), status);
  });

  test("is rejected in an organization of the standard tier", async () => {
    scene.service.seed({ organizations: { acme: { tier: "standard" } } });
    expect(pointers(await scene.create("web", on))).toEqual(["/data/attributes/assessments-enabled"]);
  });

  test("is true if the organization enforces assessments", async () => {
    const id = await scene.existing("web");
    scene.service.seed({ organizations: { acme: { assessmentsEnforced: true } } });
    const { data } = (await scene.send("GET", `/workspaces/${id}`)).body;
    expect(data.attributes["assessments-enabled"]).toBe(true);
  });

  test("is checked on update only if the update changes an attribute that assessments depend on", async () => {
    const id = await scene.existing("web", on);
    await answers(scene.patch(id, { "execution-mode": "local" }), 422);
    scene.service.seed({ organizations: { acme: { tier: "standard" } } });
    await answers(scene.patch(id, { description: "x" }), 200);
    const off = { "execution-mode": "local", "assessments-enabled": false };
    await answers(scene.patch(id, off), 200);
  });
});

describe("Authentication", () => {
  const workspaces = "/organizations/acme/workspaces";

  test.each([{ authorization: "" }, { authorization: "Bearer nobody" }, { authorization: "Basic x" }])(
    "returns 401 for %j",
    async (headers) => {
      const refused = await scene.send("GET", workspaces, undefined, { headers });
      expect(refused.status).toBe(401);
      expect(refused.body.errors[0]).toMatchObject({ status: "401", title: "unauthorized" });
    },
  );

  test.each([
    ["owner", 201],
    ["manager", 201],
    ["organization", 201],
    ["reader", 404],
    ["admin", 404],
    ["lockTeam", 404],
    ["stranger", 404],
  ] as const)("creating a workspace as %s returns %d", async (who, status) => {
    const created = await scene.send("POST", workspaces, workspaceBody({ name: "web" }), { as: TOKENS[who] });
    expect(created.status).toBe(status);
  });

  const inProject = (id: string, name?: string) =>
    workspaceBody({ name }, { project: { data: { id, type: "projects" } } });

  /** A member of the team of managers with these permissions on projects. */
  const seedTeam = (team: object) =>
    scene.service.seed({
      tokens: { mover: { user: "mo", organizations: { acme: ["movers"] } } },
      organizations: { acme: { teams: { movers: { manageWorkspaces: true, ...team } } } },
    });

  test.each([
    [{}, 404],
    [{ projects: { "prj-platform": { move: true } } }, 404],
    [{ projects: { "prj-platform": { create: true } } }, 201],
    [{ manageProjects: true }, 201],
  ])(
    "creating a workspace in a different project than the default one, with %j, returns %d",
    async (team, status) => {
      seedTeam(team);
      await answers(scene.send("POST", workspaces, inProject("prj-default", "app"), { as: "mover" }), 201);
      await answers(
        scene.send("POST", workspaces, inProject("prj-platform", "web"), { as: "mover" }),
        status,
      );
    },
  );

  test.each([
    [{}, 404],
    [{ projects: { "prj-platform": { create: true, move: true } } }, 404],
    [{ projects: { "prj-default": { create: true, move: true } } }, 404],
    [{ projects: { "prj-default": { move: true }, "prj-platform": { move: true } } }, 200],
    [{ manageProjects: true }, 200],
  ])("moving a workspace to a different project, with %j, returns %d", async (team, status) => {
    seedTeam(team);
    const path = `/workspaces/${await scene.existing("web")}`;
    await answers(scene.send("PATCH", path, inProject("prj-default"), { as: "mover" }), 200);
    await answers(scene.send("PATCH", path, inProject("prj-platform"), { as: "mover" }), status);
  });

  test.each([
    ["reader", { show: 200, update: 404, lock: 404, forceUnlock: 404, remove: 404 }],
    ["locker", { show: 200, update: 404, lock: 200, forceUnlock: 404, remove: 404 }],
    ["admin", { show: 200, update: 200, lock: 200, forceUnlock: 200, remove: 204 }],
    ["manager", { show: 200, update: 200, lock: 200, forceUnlock: 200, remove: 204 }],
    ["organization", { show: 200, update: 200, lock: 200, forceUnlock: 200, remove: 204 }],
    ["registrar", { show: 404, update: 404, lock: 404, forceUnlock: 404, remove: 404 }],
    ["stranger", { show: 404, update: 404, lock: 404, forceUnlock: 404, remove: 404 }],
  ] as const)("status codes for %s: %j", async (who, expected) => {
    const id = await scene.existing("web");
    const as = TOKENS[who];
    const status = async (method: string, path: string, body?: unknown) =>
      (await scene.send(method, `/workspaces/${id}${path}`, body, { as })).status;
    const show = await status("GET", "");
    const update = await status("PATCH", "", workspaceBody({ description: "x" }));
    const lock = await status("POST", "/actions/lock", { reason: "r" });
    if (lock !== 200) await scene.send("POST", `/workspaces/${id}/actions/lock`);
    const forceUnlock = await status("POST", "/actions/force-unlock");
    const remove = await status("DELETE", "");
    expect({ show, update, lock, forceUnlock, remove }).toEqual(expected);
  });

  test("permissions contain the permissions of the caller", async () => {
    const id = await scene.existing("web");
    const permissions = async (as: string) =>
      (await scene.send("GET", `/workspaces/${id}`, undefined, { as })).body.data.attributes.permissions;
    expect(await permissions(TOKENS.reader)).toMatchObject({
      "can-update": false,
      "can-read-run": true,
      "can-lock": false,
      "can-force-delete": false,
    });
    expect(await permissions(TOKENS.locker)).toMatchObject({ "can-lock": true, "can-force-unlock": false });
    expect(await permissions(TOKENS.admin)).toMatchObject({ "can-update": true, "can-force-delete": true });
  });

  test.each([
    [
      "read",
      { "can-queue-run": false, "can-update-variable": false, "can-lock": false, "can-update": false },
    ],
    ["plan", { "can-queue-run": true, "can-update-variable": false, "can-lock": false, "can-update": false }],
    ["write", { "can-queue-run": true, "can-update-variable": true, "can-lock": true, "can-update": false }],
    ["admin", { "can-queue-run": true, "can-update-variable": true, "can-lock": true, "can-update": true }],
  ])("access level %s has the permissions %j", async (level, expected) => {
    const id = await scene.existing("web");
    scene.service.seed({ organizations: { acme: { teams: { readers: { workspaces: { web: level } } } } } });
    const { body } = await scene.send("GET", `/workspaces/${id}`, undefined, { as: TOKENS.reader });
    expect(body.data.attributes.permissions).toMatchObject({ ...expected, "can-read-run": true });
  });

  test("a member of two teams has the permissions of both teams", async () => {
    const id = await scene.existing("web");
    scene.service.seed({
      tokens: { both: { user: "bo", organizations: { acme: ["lockers", "planners"] } } },
      organizations: {
        acme: {
          teams: {
            lockers: { workspaces: { web: { runs: true, locking: true } } },
            planners: { workspaces: { web: "plan" } },
          },
        },
      },
    });
    const { body } = await scene.send("GET", `/workspaces/${id}`, undefined, { as: "both" });
    expect(body.data.attributes.permissions).toMatchObject({ "can-lock": true, "can-queue-run": true });
  });

  test("with allowForceDelete: false, only owners can force-delete a workspace", async () => {
    const id = await scene.existing("web");
    scene.service.seed({ organizations: { acme: { allowForceDelete: false } } });
    await answers(scene.send("DELETE", `/workspaces/${id}`, undefined, { as: TOKENS.admin }), 404);
    await answers(scene.send("DELETE", `/workspaces/${id}`), 204);
  });
});
