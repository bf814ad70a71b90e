import { answers } from "./in-process";
import { details, pointers, Scene, scene, TOKENS, workspaceBody } from "./workspaces-scene";

const PATH = "/organizations/acme/workspaces";

/** Splits a text of one or more lines into words. */
const words = (text: string) => text.trim().split(/\s+/);

describe("Create workspace", () => {
  test("returns 201 and every attribute of the table at its default", async () => {
    const { status, headers, body } = await scene.create("web");
    expect(status).toBe(201);
    expect(headers["content-type"]).toBe("application/vnd.api+json");
    expect(body.data).toMatchObject({ type: "workspaces", id: expect.stringMatching(/^ws-/) });
    expect(body.data.attributes).toMatchObject({
      name: "web",
      "allow-destroy-plan": true,
      "assessments-enabled": false,
      "auto-apply": false,
      "auto-apply-run-trigger": false,
      "auto-destroy-at": null,
      "auto-destroy-activity-duration": null,
      description: null,
      "execution-mode": "remote",
      "file-triggers-enabled": true,
      "global-remote-state": false,
      operations: true,
      "queue-all-runs": false,
      "source-name": null,
      "source-url": null,
      "speculative-enabled": true,
      "engine-version": "1.9.8",
      "trigger-patterns": [],
      "trigger-prefixes": [],
      "vcs-repo": null,
      "working-directory": "",
      "setting-overwrites": { "execution-mode": false, "agent-pool": false },
    });
  });

  test("returns every response-only attribute, permission, relationship and link", async () => {
    const { data } = (await scene.create("web")).body;
    expect(Object.keys(data.attributes)).toEqual(
      expect.arrayContaining(
        words(`
        actions apply-duration-average plan-duration-average auto-destroy-status
        inherits-project-auto-destroy created-at updated-at latest-change-at
        last-assessment-result-at environment locked locked-reason oauth-client-name
        policy-check-failures resource-count run-failures source structured-run-output-enabled
        tag-names vcs-repo-identifier workspace-kpis-runs-count
      `),
      ),
    );
    expect(data.attributes.actions).toEqual({ "is-destroyable": false });
    expect(data.attributes["created-at"]).toBe("2030-01-01T00:00:00.000Z");
    expect(Object.keys(data.attributes.permissions).sort()).toEqual(
      words(`
        can-update can-destroy can-queue-run can-read-run can-read-variable can-update-variable
        can-read-state-versions can-read-state-outputs can-create-state-versions can-queue-apply
        can-lock can-unlock can-force-unlock can-read-settings can-manage-tags
        can-manage-run-tasks can-force-delete can-manage-assessments
        can-manage-ephemeral-workspaces can-read-assessment-results can-queue-destroy
      `).sort(),
    );
    expect(Object.keys(data.relationships).sort()).toEqual(
      words(`
        agent-pool current-configuration-version current-run latest-run current-state-version
        current-assessment-result organization outputs project readme remote-state-consumers
        ssh-key locked-by vars
      `).sort(),
    );
    expect(data.relationships.project).toEqual({ data: { id: "prj-default", type: "projects" } });
    expect(data.relationships["remote-state-consumers"]).toEqual({
      links: { related: `/api/v2/workspaces/${data.id}/relationships/remote-state-consumers` },
    });
    expect(Object.keys(data.links)).toEqual(["self", "self-html"]);
  });

  test.each([
    ["allow-destroy-plan", false],
    ["assessments-enabled", true],
    ["auto-apply", true],
    ["auto-apply-run-trigger", true],
    ["auto-destroy-at", "2031-01-01T00:00:00.000Z"],
    ["auto-destroy-activity-duration", "14d"],
    ["auto-destroy-activity-duration", "9999h"],
    ["description", "the web"],
    ["execution-mode", "local"],
    ["file-triggers-enabled", false],
    ["global-remote-state", true],
    ["operations", false],
    ["queue-all-runs", true],
    ["source-name", "quarterdeck"],
    ["source-url", "https://example.com"],
    ["speculative-enabled", false],
    ["engine-version", "1.5.7"],
    ["engine-version", "~> 1.5.0"],
    ["engine-version", ">= 1.2, < 2.0"],
    ["trigger-patterns", ["/modules/**/*"]],
    ["trigger-prefixes", ["modules"]],
    ["working-directory", "infra/web"],
    ["hyok-enabled", true],
    ["inherits-project-auto-destroy", true],
    ["project-remote-state", true],
    ["structured-run-output-enabled", false],
  ])("stores %s = %j", async (name, value) => {
    const { status, body } = await scene.create("web", { [name]: value });
    expect(status).toBe(201);
    expect(body.data.attributes[name]).toEqual(value);
  });

  test.each([
    ["allow-destroy-plan", "yes"],
    ["assessments-enabled", 1],
    ["auto-apply", "true"],
    ["auto-apply-run-trigger", {}],
    ["auto-destroy-at", "tomorrow"],
    ["auto-destroy-activity-duration", "0d"],
    ["auto-destroy-activity-duration", "10000h"],
    ["auto-destroy-activity-duration", "3w"],
    ["description", 3],
    ["execution-mode", "somewhere"],
    ["file-triggers-enabled", []],
    ["global-remote-state", "no"],
    ["operations", "no"],
    ["queue-all-runs", 0],
    ["source-name", true],
    ["source-url", 1],
    ["speculative-enabled", "x"],
    ["engine-version", "newest"],
    ["trigger-patterns", "a"],
    ["trigger-prefixes", [1]],
    ["working-directory", false],
    ["vcs-repo", "acme/web"],
    ["setting-overwrites", true],
  ])("returns 422 for %s = %j and points at the attribute", async (name, value) => {
    const refused = await scene.create("web", { [name]: value });
    expect(refused.status).toBe(422);
    expect(pointers(refused)).toContain(`/data/attributes/${name}`);
  });

  test.each(["we b", "we.b", "wéb", "", 7, null])("rejects the name %j", async (name) => {
    const refused = await scene.send("POST", PATH, workspaceBody({ name }));
    expect(refused.status).toBe(422);
    expect(pointers(refused)).toEqual(["/data/attributes/name"]);
  });

  test("returns 422 if the name is missing", async () => {
    const refused = await scene.send("POST", PATH, workspaceBody({}));
    expect(refused.status).toBe(422);
    expect(details(refused)).toEqual(["Name can't be blank"]);
  });

  test("returns one error for each of three invalid attributes", async () => {
    const refused = await scene.create("a b", { "auto-apply": 1, "execution-mode": "x" });
    expect(pointers(refused)).toHaveLength(3);
  });

  test("returns 422 for a name in use, or the status that nameTakenStatus sets", async () => {
    await scene.existing("web");
    const refused = await scene.create("web");
    expect([refused.status, details(refused)]).toEqual([422, ["Name has already been taken"]]);
    scene.service.configure({ nameTakenStatus: 409 });
    const conflict = await scene.create("web");
    expect([conflict.status, details(conflict)]).toEqual([409, ["resource already exists"]]);
    expect(conflict.body.errors[0].status).toBe("409");
  });

  test("accepts a name that a workspace of another organization has", async () => {
    await scene.existing("web");
    const other = await scene.send(
      "POST",
      "/organizations/other/workspaces",
      workspaceBody({ name: "web" }),
      { as: TOKENS.stranger },
    );
    expect(other.status).toBe(201);
  });

  test("creates the workspace in the given project and returns 404 for an unknown project", async () => {
    const project = (id: string) => ({ project: { data: { id, type: "projects" } } });
    const created = await scene.create("web", {}, project("prj-platform"));
    expect(created.body.data.relationships.project.data.id).toBe("prj-platform");
    await answers(scene.create("app", {}, project("prj-none")), 404);
  });

  test("assigns key-value and flat tags that are sent as relationships", async () => {
    const { body } = await scene.create(
      "web",
      {},
      {
        tags: { data: [{ type: "tags", attributes: { name: "Prod" } }] },
        "tag-bindings": { data: [{ type: "tag-bindings", attributes: { key: "env", value: "prod" } }] },
      },
    );
    expect(body.data.attributes["tag-names"]).toEqual(["prod"]);
    const bindings = await scene.send("GET", `/workspaces/${body.data.id}/tag-bindings`);
    expect(bindings.body.data[0].attributes).toMatchObject({ key: "env", value: "prod" });
  });

  test("creates neither the workspace nor its tags if a relationship is invalid", async () => {
    const refused = await scene.create(
      "web",
      {},
      {
        tags: { data: [{ type: "tags", attributes: { name: "left" } }] },
        "tag-bindings": { data: [{ type: "tag-bindings", attributes: { key: 1 } }] },
      },
    );
    expect(refused.status).toBe(422);
    await answers(scene.send("GET", `${PATH}/web`), 404);
    expect(JSON.stringify(scene.service.dump())).not.toContain("left");
  });

  test("uses the default in globalRemoteStateDefault if global-remote-state is omitted", async () => {
    const { body } = await new Scene({ globalRemoteStateDefault: true }).create("web");
    expect(body.data.attributes["global-remote-state"]).toBe(true);
  });
});

describe("Request body", () => {
  test.each([
    ["an array", [], "JSON:API document"],
    ["an object without data", {}, "data must be an object"],
    [
      "a document of type teams",
      { data: { type: "teams", attributes: { name: "web" } } },
      "type must be workspaces",
    ],
    ["a document without a type", { data: { attributes: { name: "web" } } }, "type must be workspaces"],
    [
      "a document whose attributes are an array",
      { data: { type: "workspaces", attributes: [] } },
      "attributes must be",
    ],
    [
      "a document whose relationships are a number",
      { data: { type: "workspaces", relationships: 1 } },
      "relationships must be",
    ],
    ["invalid JSON", "{", "not JSON"],
  ])("returns 422 for %s", async (_what, body, detail) => {
    const refused = await scene.send("POST", PATH, body);
    expect(refused.status).toBe(422);
    expect(refused.body.errors[0]).toMatchObject({ status: "422", detail: expect.stringContaining(detail) });
  });

  test("returns 415 for the content type application/json", async () => {
    const refused = await scene.send("POST", PATH, workspaceBody({ name: "web" }), {
      headers: { "content-type": "application/json" },
    });
    expect(refused.status).toBe(415);
  });
});

describe("Real dialect", () => {
  test("uses terraform-version instead of engine-version in requests and responses", async () => {
    const scene = new Scene({ dialect: "real" });
    const { body } = await scene.create("web", { "terraform-version": "1.5.7", "engine-version": "1.0.0" });
    expect(body.data.attributes["terraform-version"]).toBe("1.5.7");
    expect(body.data.attributes).not.toHaveProperty("engine-version");
  });
});

test("with errorForm: strings, an error response contains a list of strings", async () => {
  const refused = await new Scene({ errorForm: "strings" }).create("a b");
  expect(refused.body).toEqual({ errors: ["Name can only include letters, numbers, -, and _"] });
});
