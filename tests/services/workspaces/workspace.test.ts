import workspace from "../../../provider/services/workspaces/workspace";
import { Resource } from "../../steps/resource";
import { as, made, patched, scene } from "./workspace-scene";

const vcs = { identifier: "acme/app", oauthTokenId: "ot-code" };

describe("an update carries what changed, and no more", () => {
  test("one attribute", async () => {
    const { world, resource } = await made({ name: "app", description: "one", autoApply: true });
    await resource.up({ name: "app", description: "two", autoApply: true });
    expect(patched(world)).toEqual({ description: "two" });
  });

  test("a new name: renaming is in place", async () => {
    const { world, resource } = await made({ name: "app" });
    const { id } = resource;
    expect(resource.preview({ name: "web" }).changes).toMatchObject([{ path: ["name"], replaces: false }]);
    await resource.up({ name: "web" });
    expect(patched(world)).toEqual({ name: "web" });
    expect(resource.id).toBe(id);
  });

  test("a changed member of vcsRepo goes with both of its required keys", async () => {
    const { world, resource } = await made({ name: "app", vcsRepo: { ...vcs, branch: "main" } });
    await resource.up({ name: "app", vcsRepo: { ...vcs, branch: "next" } });
    expect(patched(world)).toEqual({
      "vcs-repo": { identifier: "acme/app", "oauth-token-id": "ot-code", branch: "next" },
    });
  });

  test("from an OAuth token to the GitHub App and back, the one in the other's place, in one request", async () => {
    const app = { identifier: "acme/app", githubAppInstallationId: "ghain-code" };
    const appOnWire = {
      identifier: "acme/app",
      "github-app-installation-id": "ghain-code",
      "oauth-token-id": "",
    };
    const { world, resource } = await made({ name: "app", vcsRepo: { ...vcs, branch: "main" } });
    for (const [repository, onWire] of [
      [app, appOnWire],
      [vcs, { identifier: "acme/app", "oauth-token-id": "ot-code", "github-app-installation-id": "" }],
    ] as const) {
      const program = { name: "app", vcsRepo: { ...repository, branch: "main" } };
      await resource.up(program);
      expect(patched(world)).toEqual({ "vcs-repo": onWire });
      expect(resource.outputs.vcsRepo).toMatchObject({ ...repository, branch: "main" });
      expect(await resource.refresh()).toBe(true);
      expect(resource.preview(program).changes).toEqual([]);
    }
    const read = new Resource(world, workspace);
    expect((await read.get(resource.id)).vcsRepo).toEqual({ ...vcs, branch: "main" });
  });

  test("the other way to a repository that an answer spells out as null is none", async () => {
    const program = { name: "app", vcsRepo: vcs };
    const { world, resource } = await made(program);
    const stub = world.carryOut.bind(world);
    world.carryOut = async (request) => {
      const answer = await stub(request);
      const text = answer.text.replace('"oauth-token-id"', '"github-app-installation-id":null,$&');
      return { ...answer, text, json: JSON.parse(text) };
    };
    expect(await resource.refresh()).toBe(true);
    expect(resource.preview(program).changes).toEqual([]);
    const read = new Resource(world, workspace);
    expect((await read.get(resource.id)).vcsRepo).toEqual(vcs);
    expect(read.preview(read.inputs).changes).toEqual([]);
    expect(
      read.preview({ ...read.inputs, vcsRepo: { ...vcs, branch: "main", ingressSubmodules: true } }).changes,
    ).toHaveLength(2);
  });

  test("a cleared branch goes as an empty text, and a dropped vcsRepo as an explicit null", async () => {
    const { world, resource } = await made({ name: "app", vcsRepo: { ...vcs, branch: "main" } });
    await resource.up({ name: "app", vcsRepo: vcs });
    expect(patched(world)).toMatchObject({ "vcs-repo": { branch: "" } });
    await resource.up({ name: "app" });
    expect(patched(world)).toEqual({ "vcs-repo": null });
  });

  test("what is dropped goes back to its default, or to nothing", async () => {
    const { world, resource } = await made({
      name: "app",
      allowDestroyPlan: false,
      description: "words",
      autoDestroyAt: "2031-01-01T00:00:00Z",
      triggerPrefixes: ["/modules"],
    });
    await resource.up({ name: "app" });
    expect(patched(world)).toEqual({
      "allow-destroy-plan": true,
      description: "",
      "auto-destroy-at": null,
      "trigger-prefixes": [],
    });
  });

  test("of two exclusive properties only the new one, where one follows the other", async () => {
    const { world, resource } = await made({ name: "app", autoDestroyAt: "2031-01-01T00:00:00Z" });
    await resource.up({ name: "app", autoDestroyActivityDuration: "14d" });
    const sent = patched(world) ?? {};
    expect(sent["auto-destroy-activity-duration"]).toBe("14d");
    expect(sent["auto-destroy-at"] ?? null).toBeNull();
    expect(resource.preview({ name: "app", autoDestroyActivityDuration: "14d" }).changes).toEqual([]);
  });

  test("a dropped execution mode sets its overwrite to false, so that the organization's applies", async () => {
    const { world, resource } = await made({ name: "app", executionMode: "local" });
    await resource.up({ name: "app" });
    expect(patched(world)).toEqual({ "setting-overwrites": { "execution-mode": false } });
    await resource.refresh();
    expect(resource.preview({ name: "app" }).changes).toEqual([]);
  });

  test.each(["globalRemoteState", "engineVersion", "projectId"])(
    "a dropped %s stays, and the preview says so",
    async (name) => {
      const value =
        { globalRemoteState: true, engineVersion: "1.9.8", projectId: "prj-platform" }[name] ?? null;
      const { world, resource } = await made({ name: "app", [name]: value });
      const { changes, notes } = resource.preview({ name: "app", description: "x" });
      // An update of the state alone, so that it is said once.
      expect(changes.map(({ path }) => path)).toEqual([["description"], [name]]);
      expect(notes).toEqual([expect.stringContaining(`${name} is no longer in the program`)]);
      await resource.up({ name: "app", description: "x" });
      expect(patched(world)).toEqual({ description: "x" });
      expect(resource.preview({ name: "app", description: "x" })).toMatchObject({ changes: [], notes: [] });
    },
  );

  test.each([{ globalRemoteState: true }, { engineVersion: "1.9.8" }, { projectId: "prj-default" }])(
    "%j dropped alone sends nothing, and is said once",
    async (written) => {
      const { world, resource } = await made({ name: "app", ...written });
      expect(resource.preview({ name: "app" }).notes).toHaveLength(1);
      const before = world.requests.length;
      expect(await resource.up({ name: "app" })).toBe(true);
      expect(world.requests.slice(before)).toEqual([]);
      expect(resource.preview({ name: "app" })).toMatchObject({ changes: [], notes: [] });
      await resource.refresh();
      expect(resource.preview({ name: "app" })).toMatchObject({ changes: [], notes: [] });
    },
  );
});

describe("what has requests of its own", () => {
  test("the ssh key is assigned after the create, and unassigned when it is dropped", async () => {
    const { world, resource } = scene();
    await resource.create({ name: "app", sshKeyId: "sshkey-deploy" });
    expect(world.requests.map(({ method, path }) => `${method} ${path.split("/").at(-1)}`)).toEqual([
      "POST workspaces",
      "PATCH ssh-key",
      `GET ${resource.id}`,
    ]);
    await resource.up({ name: "app" });
    expect(world.requests.at(-2)?.body).toEqual({ data: { type: "workspaces", attributes: { id: null } } });
  });

  test("a link that fails leaves a workspace that is half made, and the next up finishes it", async () => {
    const { resource } = scene();
    const program = { name: "app", sshKeyId: "sshkey-none", tagNames: ["one"] };
    await expect(resource.create(program)).rejects.toThrow(/ssh/i);
    expect(resource.id).toMatch(/^ws-/);
    const mended = { ...program, sshKeyId: "sshkey-deploy" };
    expect(
      resource
        .preview(mended)
        .changes.map(({ path }) => path[0])
        .sort(),
    ).toEqual(["sshKeyId", "tagNames"]);
    await resource.up(mended);
    await resource.refresh();
    expect(resource.record.observed).toMatchObject({ sshKeyId: "sshkey-deploy", tagNames: ["one"] });
  });
});

describe("a workspace that exists", () => {
  test.each([
    [422, "objects"],
    [409, "objects"],
    [422, "strings"],
  ])(
    "is told by the service's %d in errors that are %s, and taken over only with adopt",
    async (nameTakenStatus, errorForm) => {
      const { world, resource } = scene({ switches: { nameTakenStatus, errorForm } });
      await new Resource(world, workspace).create({ name: "app", description: "theirs" });
      await expect(resource.create({ name: "app", description: "ours" })).rejects.toThrow(/already exists/);
      await resource.create({ name: "app", description: "ours", adopt: true });
      await resource.refresh();
      expect(resource.record.observed.description).toBe("ours");
    },
  );

  test("is not what a create says that is refused for its values", async () => {
    const { world, resource } = scene();
    const text = '{"errors":[{"title":"invalid","detail":"Name is reserved"}]}';
    world.fate = ({ method }) =>
      method === "POST" ? { answer: { status: 422, text }, isCarriedOut: false } : "passes";
    await expect(resource.create({ name: "app", adopt: true })).rejects.toThrow(
      /answered 422: invalid: Name is reserved/,
    );
    expect(world.requests).toHaveLength(1);
  });

  test("is read by its id, or by organization and name", async () => {
    const { world, resource } = await made({ name: "app", description: "words" });
    for (const id of [resource.id, "acme/app"]) {
      const read = new Resource(world, workspace);
      await read.get(id);
      expect(read.id).toBe(resource.id);
      expect(read.inputs).toMatchObject({ name: "app", description: "words", organization: "acme" });
    }
  });
});

test("what is imported writes no setting that the workspace inherits, and writes its own", async () => {
  for (const [more, executionMode] of [
    [{}, undefined],
    [{ executionMode: "local" }, "local"],
  ] as const) {
    const { world, resource } = await made({ name: "app", ...more });
    expect(resource.record.observed.executionMode).toBeDefined();
    const read = new Resource(world, workspace);
    await read.get(resource.id);
    expect(read.inputs.executionMode).toBe(executionMode);
  }
});

describe("gone", () => {
  test("is a workspace that the organization's list, which the token may read, does not hold", async () => {
    const { world, resource } = await made({ name: "app" });
    await world.send("DELETE", `/api/v2/workspaces/${resource.id}`, undefined, as("owner"));
    expect(await resource.refresh()).toBe(false);
  });

  test("is not a workspace that the token merely may not see any more", async () => {
    const { stub, resource } = await made({ name: "app" });
    stub.seed({
      tokens: { owner: { user: "olga", organizations: { other: ["owners"] } } },
      organizations: { other: {} },
    });
    await expect(resource.refresh()).rejects.toThrow(/404|403|401/);
  });
});
