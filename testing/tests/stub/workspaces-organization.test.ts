import { answers } from "./in-process";
import { details, Scene, scene, TOKENS, workspaceBody } from "./workspaces-scene";

const KINDS = [
  ["projects", {}, "prj-default"],
  ["agent-pools", {}, "apool-general"],
  ["ssh-keys", { value: "a key" }, "sshkey-deploy"],
  ["teams", { visibility: "organization" }, "team-owners"],
] as const;

describe.each(KINDS)("The organization's %s", (type, needed, seeded) => {
  const all = `/organizations/acme/${type}`;
  const body = (attributes: object) => ({ data: { type, attributes } });
  const create = (attributes: object) => scene.send("POST", all, body({ ...needed, ...attributes }));
  const existing = async (name: string): Promise<string> => (await create({ name })).body.data.id;

  test("POST returns 201, and GET shows and lists the object next to the seeded ones", async () => {
    const { status, body: made } = await create({ name: "shared" });
    expect(status).toBe(201);
    expect(made.data).toMatchObject({ type, attributes: { name: "shared" } });
    expect((await scene.send("GET", `/${type}/${made.data.id}`)).body).toEqual(made);
    const { data } = (await scene.send("GET", all)).body;
    const ids = data.map(({ id }: { id: string }) => id);
    expect(ids).toEqual(expect.arrayContaining([seeded, made.data.id]));
    await answers(scene.send("GET", `/${type}/${seeded}`), 200);
  });

  test("a name is unique in its organization, and not empty", async () => {
    await create({ name: "shared" });
    expect(details(await create({ name: "shared" }))).toEqual(["Name has already been taken"]);
    expect(details(await create({ name: "" }))).toContain("Name can't be blank");
    const other = await existing("another");
    expect(details(await scene.send("PATCH", `/${type}/${other}`, body({ name: "shared" })))).toEqual([
      "Name has already been taken",
    ]);
  });

  test("PATCH renames it, and DELETE returns 204 and then 404", async () => {
    const path = `/${type}/${await existing("shared")}`;
    expect((await scene.send("PATCH", path, body({ name: "renamed" }))).body.data.attributes.name).toBe(
      "renamed",
    );
    await answers(scene.send("DELETE", path), 204);
    await answers(scene.send("DELETE", path), 404);
    await answers(scene.send("GET", path), 404);
  });

  test("needs a permission to change it, and membership to read it", async () => {
    await scene.existing("web");
    const path = `/${type}/${await existing("shared")}`;
    await answers(scene.send("PATCH", path, body({ name: "renamed" }), { as: TOKENS.admin }), 404);
    await answers(scene.send("POST", all, body({ ...needed, name: "other" }), { as: TOKENS.admin }), 404);
    await answers(scene.send("GET", path, undefined, { as: TOKENS.admin }), 200);
    await answers(scene.send("GET", path, undefined, { as: TOKENS.stranger }), 404);
  });
});

describe("Projects", () => {
  const body = (attributes: object) => ({ data: { type: "projects", attributes } });
  const create = (attributes: object) => scene.send("POST", "/organizations/acme/projects", body(attributes));

  test.each([
    [{ name: "ab" }, "Name must have 3 to 40 letters, numbers, inner spaces, hyphens and underscores"],
    [{ name: "abc", description: "d".repeat(257) }, "description is too long (maximum is 256 characters)"],
    [
      { name: "abc", "auto-destroy-activity-duration": "14 days" },
      "auto-destroy-activity-duration must be a duration such as 14d",
    ],
  ])("POST rejects %j", async (attributes, detail) => {
    expect(details(await create(attributes))).toEqual([detail]);
  });

  const agents = { "default-execution-mode": "agent", "default-agent-pool-id": "apool-general" };

  test.each([
    [{ "default-execution-mode": "agent" }, "must be specified when using 'agent' execution mode"],
    [
      { ...agents, "default-execution-mode": "local" },
      "must not be specified unless using 'agent' execution mode",
    ],
    [
      { ...agents, "setting-overwrites": { "default-execution-mode": true, "default-agent-pool": false } },
      "agent-pool and execution-mode are both given, so their values must be the same",
    ],
  ])("POST rejects the settings %j", async (attributes, detail) => {
    expect(details(await create({ name: "shared", ...attributes }))).toContain(detail);
  });

  test("its workspaces inherit its execution mode and agent pool, which it inherits again with an overwrite of false", async () => {
    const { data } = (await create({ name: "shared", ...agents })).body;
    expect(data.attributes).toMatchObject({
      "default-execution-mode": "agent",
      "setting-overwrites": { "default-execution-mode": true, "default-agent-pool": true },
    });
    const pool = { data: { id: "apool-general", type: "agent-pools" } };
    expect(data.relationships["default-agent-pool"]).toEqual(pool);
    const project = { project: { data: { type: "projects", id: data.id } } };
    const made = (await scene.create("web", {}, project)).body.data;
    expect(made.attributes["execution-mode"]).toBe("agent");
    expect(made.relationships["agent-pool"]).toEqual(pool);
    const inherits = { "setting-overwrites": { "default-execution-mode": false } };
    const after = await scene.send("PATCH", `/projects/${data.id}`, body(inherits));
    expect(after.body.data.attributes).toMatchObject({ "default-execution-mode": "remote" });
    expect(after.body.data.relationships["default-agent-pool"]).toEqual({ data: null });
  });

  test("PATCH of its tag bindings adds tags, and a relationship replaces all", async () => {
    const { id } = (await create({ name: "shared" })).body.data;
    const tags = (...keys: string[]) => ({
      data: keys.map((key) => ({ type: "tag-bindings", attributes: { key, value: "x" } })),
    });
    const path = `/projects/${id}/tag-bindings`;
    const keys = async () =>
      (await scene.send("GET", path)).body.data.map(
        ({ attributes }: { attributes: { key: string } }) => attributes.key,
      );
    await answers(scene.send("PATCH", path, tags("env")), 200);
    await answers(scene.send("PATCH", path, tags("owner")), 200);
    expect(await keys()).toEqual(["env", "owner"]);
    const relationships = { "tag-bindings": tags("owner") };
    await answers(scene.send("PATCH", `/projects/${id}`, { data: { type: "projects", relationships } }), 200);
    expect(await keys()).toEqual(["owner"]);
  });

  test("a project with a workspace cannot be deleted", async () => {
    const { id } = (await create({ name: "shared" })).body.data;
    const project = { project: { data: { type: "projects", id } } };
    await answers(scene.create("web", {}, project), 201);
    await answers(scene.send("DELETE", `/projects/${id}`), 422);
  });
});

describe("Agent pools", () => {
  test.each([
    ["allowed-workspaces", "workspaces"],
    ["excluded-workspaces", "workspaces"],
    ["allowed-projects", "projects"],
  ])("PATCH replaces %s, keeps it if omitted, and rejects unknown IDs", async (name, type) => {
    const known = type === "projects" ? "prj-platform" : await scene.existing("web");
    const path = "/agent-pools/apool-general";
    const relationships = (...ids: string[]) => ({
      data: {
        type: "agent-pools",
        relationships: { [name]: { data: ids.map((id) => ({ type, id })) } },
      },
    });
    const allowed = async () => (await scene.send("GET", path)).body.data.relationships[name].data;
    await answers(scene.send("PATCH", path, relationships(known)), 200);
    await answers(
      scene.send("PATCH", path, {
        data: { type: "agent-pools", attributes: { "organization-scoped": false } },
      }),
      200,
    );
    expect(await allowed()).toEqual([{ id: known, type }]);
    await answers(scene.send("PATCH", path, relationships("none")), 404);
    await answers(scene.send("PATCH", path, relationships()), 200);
    expect(await allowed()).toEqual([]);
  });
});

describe("Variable sets", () => {
  test("a body sets the workspaces and projects, keeps omitted ones, and rejects unknown ones", async () => {
    const web = await scene.existing("web");
    const one = (type: string, ...ids: string[]) => ({ data: ids.map((id) => ({ id, type })) });
    const body = (relationships: object, attributes: object = {}) => ({
      data: { type: "varsets", attributes, relationships },
    });
    const related = { workspaces: one("workspaces", web), projects: one("projects", "prj-platform") };
    const made = await scene.send("POST", "/organizations/acme/varsets", body(related, { name: "shared" }));
    expect(made.status).toBe(201);
    expect(made.body.data.relationships).toMatchObject(related);
    expect(made.body.data.attributes).toMatchObject({ global: false, priority: false, description: "" });
    const path = `/varsets/${made.body.data.id}`;
    const shown = async () => (await scene.send("GET", path)).body.data.relationships;
    await answers(
      scene.send("PATCH", path, body({ workspaces: one("workspaces") }, { priority: true })),
      200,
    );
    expect(await shown()).toMatchObject({ ...related, workspaces: { data: [] } });
    await answers(scene.send("PATCH", path, body({ projects: one("projects", "prj-none") })), 404);
  });

  test("changes need Manage all workspaces", async () => {
    const body = { data: { type: "varsets", attributes: { name: "shared" } } };
    const all = "/organizations/acme/varsets";
    await answers(scene.send("POST", all, body, { as: TOKENS.reader }), 404);
    await answers(scene.send("POST", all, body, { as: TOKENS.manager }), 201);
  });
});

describe("SSH keys", () => {
  const key = (attributes: object) => ({ data: { type: "ssh-keys", attributes } });

  test("no response contains the key, and a create needs it", async () => {
    const all = "/organizations/acme/ssh-keys";
    const made = await scene.send("POST", all, key({ name: "modules-2", value: "hush" }));
    expect(made.text).not.toContain("hush");
    expect(details(await scene.send("POST", all, key({ name: "third" })))).toEqual(["Value can't be blank"]);
  });

  test("a deleted key is removed from its workspaces, and the list has pages only on request", async () => {
    const fresh = new Scene();
    const web = await fresh.existing("web");
    const assign = workspaceBody({ id: "sshkey-deploy" });
    await answers(fresh.send("PATCH", `/workspaces/${web}/relationships/ssh-key`, assign), 200);
    await answers(fresh.send("DELETE", "/ssh-keys/sshkey-deploy"), 204);
    const { relationships } = (await fresh.send("GET", `/workspaces/${web}`)).body.data;
    expect(relationships["ssh-key"].data).toBeNull();
    const all = "/organizations/acme/ssh-keys";
    expect((await fresh.send("GET", all)).body.meta).toBeUndefined();
    expect((await fresh.send("GET", `${all}?page[size]=1`)).body.meta.pagination["total-pages"]).toBe(1);
  });
});
