import type { Values } from "../../../provider/core/language/object";
import type { Json } from "../../../provider/core/value/json";
import { isKnown } from "../../../provider/core/value/unknown";
import workspace from "../../../provider/services/workspaces/workspace";
import { withPage } from "../../../provider/services/workspaces/workspacePage";
import { WorkspacesService } from "../../../testing/stub/services/workspaces/service";
import { Resource } from "../../steps/resource";
import { World } from "../../steps/world";
import { bodiesOf, changedPaths, countOf, inWorld, notesOfCreate } from "../expectations";
import { refusal, setFate } from "../interference";
import { ask, edit, made, OWNER_WITHOUT_ACCESS, SEED, scene, vcs } from "./workspace-scene";

const pool = { executionMode: "agent", agentPoolId: "apool-general" };
const assessed = (engineVersion: string) => ({ assessmentsEnabled: true, engineVersion });
const repository = (more: Values) => ({ vcsRepo: { ...vcs, ...more } });

describe("check of a workspace", () => {
  test.each<[path: string, program: Values]>([
    ["executionMode", { executionMode: "local", operations: false }],
    ["agentPoolId", { executionMode: "agent" }],
    ["agentPoolId", { ...pool, executionMode: "remote" }],
    ["agentPoolId", { operations: true, agentPoolId: "apool-general" }],
    ["agentPoolId", { ...pool, executionMode: "local" }],
    ["executionMode", { settingOverwrites: { executionMode: true } }],
    ["assessmentsEnabled", { assessmentsEnabled: true, executionMode: "local" }],
    ["assessmentsEnabled", { assessmentsEnabled: true, operations: false }],
    ["assessmentsEnabled", assessed("0.15.3")],
    ["assessmentsEnabled", assessed("v0.14.11")],
    ["assessmentsEnabled", assessed("~> 0.14.0")],
    ["assessmentsEnabled", assessed(">= 0.13, < 0.15.4")],
    ["assessmentsEnabled", assessed("<= 0.15")],
    ["triggerPrefixes", { triggerPrefixes: ["/a"], triggerPatterns: ["/b/*"] }],
    ["triggerPrefixes", { triggerPrefixes: ["/a"], ...repository({ tagsRegex: "^v" }) }],
    ["triggerPatterns", { triggerPatterns: ["/a/*"], ...repository({ tagsRegex: "^v" }) }],
    ["autoDestroyAt", { autoDestroyAt: "2031-01-01T00:00:00Z", autoDestroyActivityDuration: "14d" }],
    ["autoDestroyActivityDuration", { autoDestroyActivityDuration: "0d" }],
    ["inheritsProjectAutoDestroy", { inheritsProjectAutoDestroy: true, autoDestroyActivityDuration: "14d" }],
    ["projectRemoteState", { projectRemoteState: true, globalRemoteState: true }],
    ["autoDestroyActivityDuration", { autoDestroyActivityDuration: "12345h" }],
    ["name", { name: "my app" }],
    ["vcsRepo.identifier", repository({ identifier: "app" })],
    ["vcsRepo.identifier", repository({ identifier: "/app" })],
    ["vcsRepo.identifier", repository({ identifier: "acme/" })],
    ["vcsRepo.oauthTokenId", { vcsRepo: { identifier: "acme/app" } }],
    ["vcsRepo.oauthTokenId", repository({ githubAppInstallationId: "ghain-code" })],
  ])("rejects %s in %j", (path, program) => {
    const { world, resource } = scene();
    expect(resource.check({ name: "app", ...program }).map((problem) => problem.path)).toContain(path);
    expect(world.requests).toEqual([]);
  });

  test.each<[what: string, program: Values]>([
    ["assessments of an agent's workspace", { assessmentsEnabled: true, ...pool }],
    ["the oldest engine version with assessments", assessed("0.15.4")],
    ["a constraint that engine versions with assessments meet", assessed("~> 0.15.0")],
    ["a constraint without an upper bound", assessed(">= 0.12, != 0.15.3")],
    ["a constraint that allows later minor versions", assessed("~> 0.12")],
    ["the latest engine version", assessed("latest")],
    [
      "a setting overwrite together with its execution mode",
      { executionMode: "local", settingOverwrites: { executionMode: true } },
    ],
    [
      "an empty list together with the property that excludes it",
      { triggerPrefixes: [], triggerPatterns: ["/b/*"] },
    ],
    ["a repository inside a project", repository({ identifier: "acme/shop/_git/app" })],
    ["repository names with spaces", repository({ identifier: "acme/my shop/_git/my app" })],
    ["a duration of four digits", { autoDestroyActivityDuration: "9999h" }],
    ["a flat tag in upper and lower case", { tagNames: ["One", "one"] }],
    ["flat tags with every allowed character", { tagNames: ["a", "9", "team:web_1-b", "a".repeat(255)] }],
    ["null, which equals an omitted property", { executionMode: "remote", operations: null }],
  ])("accepts %s", (_, program) => {
    expect(scene().resource.check({ name: "app", ...program })).toEqual([]);
  });

  test("the error for a missing organization lists the places where it can be set", () => {
    const stub = new WorkspacesService({ switches: { dialect: "neutral" }, seed: SEED });
    const resource = new Resource(new World(stub, workspace, { token: "owner" }), workspace);
    expect(resource.check({ name: "app" })[0]).toEqual({
      path: "organization",
      reason:
        "is missing: set the property, or set QUARTERDECK_WORKSPACES_ORGANIZATION, or run: pulumi config set --path --plaintext 'quarterdeck:workspaces.organization' …",
    });
  });
});

describe("preview of a workspace", () => {
  test.each<[program: Values, note: string]>([
    [{ executionMode: "local", settingOverwrites: { executionMode: false } }, "executionMode has no effect"],
    [{ ...pool, settingOverwrites: { agentPool: false } }, "agentPoolId has no effect"],
    [{ autoDestroyAt: "tomorrow" }, "autoDestroyAt is not an ISO 8601 timestamp with a time and a time zone"],
    [{ autoDestroyAt: "2031-01-01" }, "autoDestroyAt is not an ISO 8601 timestamp"],
    [{ autoDestroyAt: "20310101T120000Z" }, "autoDestroyAt is not an ISO 8601 timestamp"],
    [{ autoDestroyAt: "2031-01-01T12:00:00" }, "autoDestroyAt is not an ISO 8601 timestamp"],
    [{ tagNames: ["ok", "two words", "a.b"] }, 'tagNames: "two words", "a.b" may be rejected'],
    [{ tagNames: ["-a"] }, 'tagNames: "-a"'],
    [{ tagNames: ["größe"] }, 'tagNames: "größe"'],
    [{ tagNames: ["a".repeat(256)] }, "may be rejected"],
  ])("accepts %j with a note", (program, note) => {
    const inputs = { name: "app", ...program };
    expect(scene().resource.check(inputs)).toEqual([]);
    expect(notesOfCreate(workspace, inputs)).toEqual([expect.stringContaining(note)]);
  });

  test("has no note for values that every server accepts", () => {
    const inputs = {
      name: "app",
      executionMode: "local",
      settingOverwrites: { executionMode: true },
      autoDestroyAt: "2031-01-01T12:00:00+01:00",
      tagNames: ["One", "9", "team:web_1-b", "a".repeat(255)],
    };
    expect(notesOfCreate(workspace, inputs)).toEqual([]);
  });

  test("shows no changes for an executionMode that settingOverwrites declares as inherited", async () => {
    const program = { name: "app", executionMode: "local", settingOverwrites: { executionMode: false } };
    const { resource } = await made(program);
    await resource.refresh();
    expect(resource.preview(program).changes).toEqual([]);
  });
});

describe("sshKeyId of a workspace", () => {
  test("is assigned after the create and unassigned if the program removes it", async () => {
    const { world, resource } = scene();
    await resource.create({ name: "app", sshKeyId: "sshkey-deploy" });
    expect(world.requests.map(({ method, path }) => `${method} ${path.split("/").at(-1)}`)).toEqual([
      "POST workspaces",
      "PATCH ssh-key",
      `GET ${resource.id}`,
    ]);
    await resource.up({ name: "app" });
    expect(bodiesOf(world, "PATCH").at(-1)).toEqual({
      data: { type: "workspaces", attributes: { id: null } },
    });
  });

  test("a key that cannot be assigned leaves a partial create, which the next up completes", async () => {
    const { resource } = scene();
    const program = { name: "app", sshKeyId: "sshkey-none", tagNames: ["one"] };
    await expect(resource.create(program)).rejects.toThrow(/ssh/i);
    expect(resource.id).toMatch(/^ws-/);
    const corrected = { ...program, sshKeyId: "sshkey-deploy" };
    expect(changedPaths(resource, corrected).sort()).toEqual(["sshKeyId", "tagNames"]);
    await resource.up(corrected);
    await resource.refresh();
    expect(resource.record.observed).toMatchObject({ sshKeyId: "sshkey-deploy", tagNames: ["one"] });
  });
});

describe("existing workspace", () => {
  test.each([
    [422, "objects"],
    [409, "objects"],
    [422, "strings"],
  ])(
    "makes a create fail (HTTP %d, errors as %s), and is adopted only with adopt: true",
    async (status, errorForm) => {
      const { world, resource } = scene({ switches: { nameTakenStatus: status, errorForm } });
      await new Resource(world, workspace).create({ name: "app", description: "theirs" });
      await expect(resource.create({ name: "app", description: "ours" })).rejects.toThrow(/already exists/);
      await resource.create({ name: "app", description: "ours", adopt: true });
      await resource.refresh();
      expect(resource.record.observed.description).toBe("ours");
    },
  );

  test("is not reported if a create fails with HTTP 422 for invalid values", async () => {
    const { world, resource } = scene();
    setFate(world, /^POST/, refusal(422, '{"errors":[{"title":"invalid","detail":"Name is reserved"}]}'));
    const creating = resource.create({ name: "app", adopt: true });
    await expect(creating).rejects.toThrow(/returned 422: invalid: Name is reserved/);
    expect(world.requests).toHaveLength(1);
  });

  test("is imported by its ID, or by organization and name", async () => {
    const { world, resource } = await made({ name: "app", description: "words" });
    for (const id of [resource.id, "acme/app"]) {
      const read = new Resource(world, workspace);
      await read.get(id);
      expect(read.id).toBe(resource.id);
      expect(read.inputs).toMatchObject({ name: "app", description: "words", organization: "acme" });
    }
  });

  test.each<[more: Values, imported: string | undefined]>([
    [{}, undefined],
    [{ executionMode: "local" }, "local"],
  ])("created with %j is imported with the execution mode %s", async (more, imported) => {
    const { world, resource } = await made({ name: "app", ...more });
    expect(resource.record.observed.executionMode).toBeDefined();
    const read = new Resource(world, workspace);
    await read.get(resource.id);
    expect(read.inputs.executionMode).toBe(imported);
  });

  test("is removed from the state by a refresh if the organization's list does not contain it", async () => {
    const { world, resource } = await made({ name: "app" });
    await ask(world, "DELETE", resource.id);
    expect(await resource.refresh()).toBe(false);
  });

  test("a refresh fails if the token can no longer read it", async () => {
    const { stub, resource } = await made({ name: "app" });
    stub.seed(OWNER_WITHOUT_ACCESS);
    await expect(resource.refresh()).rejects.toThrow(/404|403|401/);
  });
});

describe("htmlUrl", () => {
  const pageOf = (name: string) => `http://stub.invalid/app/acme/workspaces/${name}`;

  test("follows a rename by the program or another user, and is unknown in a preview that renames", async () => {
    const { world, resource } = await made({ name: "app" });
    expect(resource.outputs.htmlUrl).toBe(pageOf("app"));
    expect(isKnown(resource.plan({ name: "web" }, resource.outputs).htmlUrl ?? "")).toBe(false);
    await resource.up({ name: "web" });
    expect(resource.outputs.htmlUrl).toBe(pageOf("web"));
    await edit(world, resource.id, { name: "theirs" });
    await resource.refresh();
    expect(resource.outputs.htmlUrl).toBe(pageOf("theirs"));
  });

  test("is added to the state of an earlier version only when the workspace changes", async () => {
    const { world, resource } = await made({ name: "app", description: "ours" });
    const { htmlUrl: _, ...earlier } = resource.outputs;
    resource.outputs = earlier;
    expect(resource.preview({ name: "app", description: "ours" }).changes).toEqual([]);
    await resource.refresh();
    expect(resource.outputs).toEqual(earlier);
    await edit(world, resource.id, { description: "theirs" });
    await resource.refresh();
    expect(resource.outputs).toMatchObject({ description: "theirs", htmlUrl: pageOf("app") });
  });

  test.each<[what: string, link: Json, address: string, expected: unknown]>([
    ["a path", "/app/x", "https://cloud.example/base", "https://cloud.example/app/x"],
    ["an absolute URL", "https://ui.example/x", "https://cloud.example", "https://ui.example/x"],
    [
      "a path, without the password",
      "/app/x",
      "https://me:hush@cloud.example",
      "https://cloud.example/app/x",
    ],
    ["null", null, "https://cloud.example", undefined],
    ["an empty string", "", "https://cloud.example", undefined],
  ])("resolves the link against the server's address: %s", (_, link, address, expected) => {
    const body = { links: { "self-html": link } };
    expect(withPage(body, { settings: { address } })["html-url"]).toBe(expected);
  });
});

describe("delete of a workspace", () => {
  /** Creates a workspace and seeds attributes that only the server sets. */
  async function seeded(seed: object, program: Values = {}) {
    const all = await made({ name: "app", ...program });
    const set = (more: object) =>
      all.stub.seed({ workspaces: [{ organization: "acme", name: "app", ...more }] });
    set(seed);
    return { ...all, set };
  }

  test("sends only reads while the workspace manages resources", async () => {
    const { world, resource } = await seeded({ resourceCount: 3 });
    await expect(resource.delete()).rejects.toThrow(/still manages 3 resources.*forceDelete/);
    expect(world.requests.every(({ method }) => method === "GET")).toBe(true);
  });

  test("fails for a locked workspace with the lock's holder and reason", async () => {
    const { resource } = await seeded({ lockedBy: { user: "mia" }, lockedReason: "audit" });
    await expect(resource.delete()).rejects.toThrow(
      /workspace "app" is locked by user-mia \(audit\)\. Next: unlock the workspace first; or set forceDelete: true/,
    );
  });

  test.each<[string, object]>([
    ["is locked", { lockedBy: { user: "mia" } }],
    ["manages resources", { resourceCount: 3 }],
  ])("is sent only once if the workspace %s after the read", async (_, meanwhile) => {
    const { world, resource, set } = await seeded({});
    world.fate = ({ path }) => {
      if (path.endsWith("safe-delete")) set(meanwhile);
      return "passes";
    };
    await expect(resource.delete()).rejects.toThrow(/returned 409.*(locked|still managed)/s);
    expect(countOf(world, "POST")).toBe(1);
  });

  test.each<[string, Values, object, RegExp]>([
    [
      "may only read the workspace",
      {},
      { app: "read" },
      /lacks the permission to delete the workspace; nothing was sent.*Admin permission/,
    ],
    [
      "may not force-delete the workspace",
      { forceDelete: true },
      { app: "admin" },
      /nothing was sent.*can-force-delete is false/,
    ],
  ])("fails without a write if the token %s", async (_, more, workspaces, message) => {
    const { stub, world, resource } = await made({ name: "app", ...more });
    stub.seed({
      tokens: { narrow: { user: "nina", organizations: { acme: ["narrow"] } } },
      organizations: { acme: { allowForceDelete: false, teams: { narrow: { workspaces } } } },
    });
    const narrow = inWorld(resource, world.with({ token: "narrow" }));
    await expect(narrow.delete()).rejects.toThrow(message);
    expect(narrow.world.requests.every(({ method }) => method === "GET")).toBe(true);
  });

  test.each(["objects", "strings"])(
    "is retried while the workspace is being processed (errors as %s)",
    async (errorForm) => {
      const { stub, world, resource, set } = await seeded({});
      stub.configure({ errorForm });
      set({ processingUntil: world.now + 1000 });
      let asked = 0;
      world.fate = ({ path }) => {
        if (path.endsWith("safe-delete") && ++asked === 2) world.now += 2000;
        return "passes";
      };
      await resource.delete();
      expect(asked).toBeGreaterThan(1);
    },
  );

  test("with forceDelete: true ignores resources and locks", async () => {
    const { world, resource } = await seeded(
      { resourceCount: 3, lockedBy: { user: "mia" } },
      { forceDelete: true },
    );
    await resource.delete();
    expect(world.requests.at(-1)).toMatchObject({ method: "DELETE" });
  });

  test("fails on a server without safe delete, and the error suggests forceDelete: true", async () => {
    const { stub, resource } = await made({ name: "app" });
    stub.configure({ safeDeleteExists: false });
    await expect(resource.delete()).rejects.toThrow(/does not support safe delete.*forceDelete: true/);
  });
});
