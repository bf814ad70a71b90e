import type { Values } from "../../../provider/core/language/object";
import { PartialError } from "../../../provider/core/state/errors";
import type { Json } from "../../../provider/core/value/json";
import workspace from "../../../provider/services/workspaces/workspace";
import { Resource } from "../../steps/resource";
import type { Fate } from "../../steps/world";
import { changedPaths, countOf, expectNoChanges, expectUpdate } from "../expectations";
import { actBefore, letPass, setFate } from "../interference";
import { as, edit, lastPatch, made, patches, scene, vcs } from "./workspace-scene";

const vcsOnWire = { identifier: "acme/app", "oauth-token-id": "ot-code" };

/** The first and second values that a program writes, and the attributes that the requests contain. */
interface Row {
  readonly first: Values;
  readonly second: Values;
  readonly created: Values;
  readonly updated: Values;
  /** The attributes that are sent if the program removes the first values; "stays" if none are sent. */
  readonly dropped: Values | "stays";
  /** The values that the program still writes after the removal. */
  readonly remaining?: Values;
}

/** An attribute that is sent as it is written. */
function plain(property: string, wire: string, first: Json, second: Json, dropped: Json | undefined): Row {
  return {
    first: { [property]: first },
    second: { [property]: second },
    created: { [wire]: first },
    updated: { [wire]: second },
    dropped: dropped === undefined ? "stays" : { [wire]: dropped },
  };
}

/** A member of `vcs-repo`, which is sent with both required keys. */
function ofRepository(property: string, wire: string, first: Json, second: Json, dropped: Json): Row {
  const written = (value: Json) => ({ vcsRepo: { ...vcs, [property]: value } });
  const sent = (value: Json) => ({ "vcs-repo": { ...vcsOnWire, [wire]: value } });
  return {
    first: written(first),
    second: written(second),
    created: sent(first),
    updated: sent(second),
    dropped: sent(dropped),
    remaining: { vcsRepo: vcs },
  };
}

const [soon, later] = ["2031-01-01T00:00:00Z", "2032-01-01T00:00:00Z"];

/** The attribute table of the specification, row by row. */
const table: readonly [string, Row][] = [
  ["name", { ...plain("name", "name", "app", "web", undefined), remaining: { name: "app" } }],
  [
    "agent-pool-id",
    {
      first: { executionMode: "agent", agentPoolId: "apool-general" },
      second: { executionMode: "agent", agentPoolId: "apool-large" },
      created: { "execution-mode": "agent", "agent-pool-id": "apool-general" },
      updated: { "agent-pool-id": "apool-large" },
      dropped: { "execution-mode": "remote", "agent-pool-id": null },
      remaining: { executionMode: "remote" },
    },
  ],
  ["allow-destroy-plan", plain("allowDestroyPlan", "allow-destroy-plan", false, true, true)],
  ["assessments-enabled", plain("assessmentsEnabled", "assessments-enabled", true, false, false)],
  ["auto-apply", plain("autoApply", "auto-apply", true, false, false)],
  ["auto-apply-run-trigger", plain("autoApplyRunTrigger", "auto-apply-run-trigger", true, false, false)],
  ["auto-destroy-at", plain("autoDestroyAt", "auto-destroy-at", soon, later, null)],
  [
    "auto-destroy-activity-duration",
    plain("autoDestroyActivityDuration", "auto-destroy-activity-duration", "14d", "9999h", null),
  ],
  ["description", plain("description", "description", "one", "two", "")],
  [
    "execution-mode",
    {
      ...plain("executionMode", "execution-mode", "local", "remote", undefined),
      dropped: { "setting-overwrites": { "execution-mode": false } },
    },
  ],
  ["file-triggers-enabled", plain("fileTriggersEnabled", "file-triggers-enabled", false, true, true)],
  ["global-remote-state", plain("globalRemoteState", "global-remote-state", true, false, undefined)],
  ["hyok-enabled", plain("hyokEnabled", "hyok-enabled", false, true, undefined)],
  [
    "inherits-project-auto-destroy",
    plain("inheritsProjectAutoDestroy", "inherits-project-auto-destroy", true, false, false),
  ],
  ["operations", plain("operations", "operations", false, true, true)],
  ["project-remote-state", plain("projectRemoteState", "project-remote-state", true, false, false)],
  ["queue-all-runs", plain("queueAllRuns", "queue-all-runs", true, false, false)],
  ["source-name", plain("sourceName", "source-name", "ci", "cd", undefined)],
  ["source-url", plain("sourceUrl", "source-url", "https://ci.example", "https://cd.example", undefined)],
  ["speculative-enabled", plain("speculativeEnabled", "speculative-enabled", false, true, true)],
  [
    "structured-run-output-enabled",
    plain("structuredRunOutputEnabled", "structured-run-output-enabled", false, true, true),
  ],
  ["engine-version", plain("engineVersion", "engine-version", "1.7.0", "~> 1.8.0", undefined)],
  ["trigger-patterns", plain("triggerPatterns", "trigger-patterns", ["/a/**"], ["/b/*.tf", "/c"], [])],
  ["trigger-prefixes", plain("triggerPrefixes", "trigger-prefixes", ["/a"], ["/b", "/c"], [])],
  [
    "vcs-repo, vcs-repo.oauth-token-id",
    {
      first: { vcsRepo: vcs },
      second: { vcsRepo: { ...vcs, identifier: "acme/other" } },
      created: { "vcs-repo": vcsOnWire },
      updated: { "vcs-repo": { ...vcsOnWire, identifier: "acme/other" } },
      dropped: { "vcs-repo": null },
    },
  ],
  [
    "vcs-repo.github-app-installation-id",
    {
      first: { vcsRepo: { identifier: "acme/app", githubAppInstallationId: "ghain-code" } },
      second: { vcsRepo: vcs },
      created: { "vcs-repo": { identifier: "acme/app", "github-app-installation-id": "ghain-code" } },
      updated: { "vcs-repo": { ...vcsOnWire, "github-app-installation-id": "" } },
      dropped: { "vcs-repo": null },
    },
  ],
  ["vcs-repo.identifier", ofRepository("identifier", "identifier", "acme/a", "acme/b/_git/c", "acme/app")],
  ["vcs-repo.branch", ofRepository("branch", "branch", "main", "next", "")],
  [
    "vcs-repo.ingress-submodules",
    ofRepository("ingressSubmodules", "ingress-submodules", true, false, false),
  ],
  ["vcs-repo.tags-regex", ofRepository("tagsRegex", "tags-regex", "^v", "^release-", null)],
  ["working-directory", plain("workingDirectory", "working-directory", "one", "two", "")],
  [
    "setting-overwrites",
    {
      first: { settingOverwrites: { agentPool: true } },
      second: { settingOverwrites: { agentPool: false } },
      created: { "setting-overwrites": { "agent-pool": true } },
      updated: { "setting-overwrites": { "agent-pool": false } },
      dropped: "stays",
    },
  ],
];

describe.each(table)("attribute %s", (_, { first, second, created, updated, dropped, remaining }) => {
  test("a create sends only the attributes that the program writes", async () => {
    const { world, resource } = scene();
    await resource.create({ name: "app", ...first });
    const { body } = world.requests[0] ?? {};
    expect(body).toEqual({ data: { type: "workspaces", attributes: { name: "app", ...created } } });
    expect(resource.preview({ name: "app", ...first }).changes).toEqual([]);
  });

  test("an update sends only the changed attributes", async () => {
    const { world, resource } = await made({ name: "app", ...first });
    await expectUpdate(resource, { name: "app", ...second });
    expect(lastPatch(world)).toEqual(updated);
  });

  test("removing it from the program resets it, or keeps its value if it has no default", async () => {
    const { world, resource } = await made({ name: "app", ...first });
    const without = { name: "app", ...remaining };
    await resource.up(without);
    // Only the preview that removes it has a note that the value stays.
    expect(resource.preview(without)).toMatchObject({ changes: [], notes: [] });
    expect(lastPatch(world) ?? "stays").toEqual(dropped);
    await expectNoChanges(resource, without);
  });
});

/** Attributes of workspaces that an older server has no member for. */
const lacking = table.filter(([wire, { created, remaining }]) => wire in created && remaining === undefined);

describe.each(lacking)("a server without %s", (wire, { first }) => {
  /** A server that ignores the attribute, and never returns it. */
  function older({ world, resource } = scene()) {
    world.transformRequest = (request) => {
      const { data } = (request.body ?? {}) as { data?: { attributes?: Values } };
      if (data?.attributes === undefined) return request;
      const { [wire]: _, ...attributes } = data.attributes;
      return { ...request, body: { data: { ...data, attributes } } as Json };
    };
    world.transformResponse = (_, answer) => {
      const json = structuredClone(answer.json) as { data?: { attributes?: { [name: string]: Json } } };
      delete json?.data?.attributes?.[wire];
      return { ...answer, json: json as Json, text: JSON.stringify(json) };
    };
    return { world, resource };
  }

  test("makes a create and each update partial, until the program removes the value", async () => {
    const { resource } = older();
    const program = { name: "app", ...first };
    await expect(resource.create(program)).rejects.toThrow(/ignored these values/);
    expect(resource.id).toMatch(/^ws-/);
    for (let ups = 0; ups < 2; ups++) {
      expect(changedPaths(resource, program)).toEqual(Object.keys(first));
      await expect(resource.update(program)).rejects.toThrow(PartialError);
    }
    await resource.up({ name: "app" });
    await expectNoChanges(resource, { name: "app" });
  });

  test("lets the program remove a value that the server had before", async () => {
    const { resource } = older(await made({ name: "app", ...first }));
    await resource.refresh();
    await resource.up({ name: "app" });
    await expectNoChanges(resource, { name: "app" });
  });
});

test("every workspace property that is sent as an attribute has a row in the table", () => {
  const elsewhere = new Set([
    ...["adopt", "connection", "onConflict", "refreshBeforeUpdate", "timeouts"],
    ...["organization", "projectId", "sshKeyId", "tagNames", "exclusiveTags", "tagBindings", "forceDelete"],
    ...["workspaceId", "createdAt", "resourceCount", "htmlUrl"],
  ]);
  const rows = new Set(table.flatMap(([, { first }]) => Object.keys(first)));
  const known = Object.keys(workspace.fields).filter((name) => !elsewhere.has(name));
  expect([...rows].sort()).toEqual(known.sort());
});

describe("update of a workspace", () => {
  const agent = { executionMode: "agent", agentPoolId: "apool-general" };
  const overwritten = { executionMode: "remote", settingOverwrites: { executionMode: true } };

  test.each<[what: string, before: Values, after: Values, sent: Values]>([
    [
      "sends only the changed attribute",
      { description: "one", autoApply: true },
      { description: "two", autoApply: true },
      { description: "two" },
    ],
    [
      "resets all properties that the program removes",
      { allowDestroyPlan: false, description: "words", autoDestroyAt: soon, triggerPrefixes: ["/modules"] },
      {},
      { "allow-destroy-plan": true, description: "", "auto-destroy-at": null, "trigger-prefixes": [] },
    ],
    [
      "sends the execution mode together with its setting overwrite",
      {},
      overwritten,
      { "execution-mode": "remote", "setting-overwrites": { "execution-mode": true } },
    ],
    [
      "sends an execution mode that the workspace only inherits so far",
      {},
      { executionMode: "remote" },
      { "execution-mode": "remote" },
    ],
    [
      "sends the agent pool together with the execution mode agent",
      { executionMode: "remote" },
      agent,
      { "execution-mode": "agent", "agent-pool-id": "apool-general" },
    ],
    [
      "replaces executionMode with operations: false",
      { executionMode: "remote" },
      { operations: false },
      { operations: false },
    ],
    [
      "replaces executionMode with operations: true",
      { executionMode: "remote" },
      { operations: true },
      { operations: true },
    ],
    [
      "replaces an agent pool with operations: true",
      agent,
      { operations: true },
      { operations: true, "agent-pool-id": null, "setting-overwrites": { "agent-pool": false } },
    ],
    [
      "resets a removed agent pool to the organization's setting",
      agent,
      {},
      { "agent-pool-id": null, "setting-overwrites": { "execution-mode": false, "agent-pool": false } },
    ],
  ])("%s", async (_, before, after, sent) => {
    const { world, resource } = await made({ name: "app", ...before });
    await expectUpdate(resource, { name: "app", ...after });
    expect(lastPatch(world)).toEqual(sent);
    if (after.operations === false)
      expect(resource.record.observed).toMatchObject({ executionMode: "local", operations: false });
  });

  test("renames the workspace in place", async () => {
    const { world, resource } = await made({ name: "app" });
    const { id } = resource;
    expect(resource.preview({ name: "web" }).changes).toMatchObject([{ path: ["name"], replaces: false }]);
    await resource.up({ name: "web" });
    expect(lastPatch(world)).toEqual({ name: "web" });
    expect(resource.id).toBe(id);
  });

  test("replaces an OAuth token with the GitHub App and back, in one request each", async () => {
    const app = { identifier: "acme/app", githubAppInstallationId: "ghain-code" };
    const appOnWire = {
      identifier: "acme/app",
      "github-app-installation-id": "ghain-code",
      "oauth-token-id": "",
    };
    const { world, resource } = await made({ name: "app", vcsRepo: { ...vcs, branch: "main" } });
    for (const [repository, onWire] of [
      [app, appOnWire],
      [vcs, { ...vcsOnWire, "github-app-installation-id": "" }],
    ] as const) {
      const program = { name: "app", vcsRepo: { ...repository, branch: "main" } };
      await expectUpdate(resource, program);
      expect(lastPatch(world)).toEqual({ "vcs-repo": onWire });
      expect(resource.outputs.vcsRepo).toMatchObject({ ...repository, branch: "main" });
    }
    expect((await new Resource(world, workspace).get(resource.id)).vcsRepo).toEqual({
      ...vcs,
      branch: "main",
    });
  });

  test("sends the installation of the GitHub App with a changed branch", async () => {
    const app = { identifier: "acme/app", githubAppInstallationId: "ghain-code" };
    const { world, resource } = await made({ name: "app", vcsRepo: { ...app, branch: "main" } });
    await expectUpdate(resource, { name: "app", vcsRepo: { ...app, branch: "next" } });
    expect(lastPatch(world)).toEqual({
      "vcs-repo": { identifier: "acme/app", "github-app-installation-id": "ghain-code", branch: "next" },
    });
  });

  test("treats a githubAppInstallationId that the server returns as null as not set", async () => {
    const program = { name: "app", vcsRepo: vcs };
    const { world, resource } = await made(program);
    world.transformResponse = (_, answer) => {
      const text = answer.text.replace('"oauth-token-id"', '"github-app-installation-id":null,$&');
      return { ...answer, text, json: JSON.parse(text) };
    };
    await expectNoChanges(resource, program);
    const read = new Resource(world, workspace);
    expect((await read.get(resource.id)).vcsRepo).toEqual(vcs);
    expect(read.preview(read.inputs).changes).toEqual([]);
    const more = { ...read.inputs, vcsRepo: { ...vcs, branch: "main", ingressSubmodules: true } };
    expect(read.preview(more).changes).toHaveLength(2);
  });

  test.each<[name: string, written: Values]>([
    ["globalRemoteState", { globalRemoteState: true }],
    ["engineVersion", { engineVersion: "1.9.8" }],
    ["projectId", { projectId: "prj-platform" }],
  ])(
    "keeps %s on the server if the program removes it, with a note in one preview only",
    async (name, written) => {
      const after = { name: "app", description: "x" };
      const { world, resource } = await made({ name: "app", ...written });
      const { changes, notes } = resource.preview(after);
      expect(changes.map(({ path }) => path)).toEqual([["description"], [name]]);
      expect(notes).toEqual([expect.stringContaining(`the program no longer contains ${name}`)]);
      await resource.up(after);
      expect(lastPatch(world)).toEqual({ description: "x" });
      expect(resource.preview(after)).toMatchObject({ changes: [], notes: [] });
    },
  );

  test.each<Values>([{ globalRemoteState: true }, { engineVersion: "1.9.8" }, { projectId: "prj-default" }])(
    "sends no request if the program only removes %j",
    async (written) => {
      const { world, resource } = await made({ name: "app", ...written });
      expect(resource.preview({ name: "app" }).notes).toHaveLength(1);
      expect(await resource.up({ name: "app" })).toBe(true);
      expect(world.requests).toEqual([]);
      expect(resource.preview({ name: "app" })).toMatchObject({ changes: [], notes: [] });
      await resource.refresh();
      expect(resource.preview({ name: "app" })).toMatchObject({ changes: [], notes: [] });
    },
  );

  test("fails after one request if the new name is taken", async () => {
    const { world, resource } = await made({ name: "app" });
    await new Resource(world.another(), workspace).create({ name: "web" });
    await expect(resource.up({ name: "web" })).rejects.toThrow(/already been taken/);
    expect(countOf(world, "PATCH")).toBe(1);
  });
});

test("a real server receives and returns engineVersion as terraform-version", async () => {
  const { world } = scene({ switches: { dialect: "real" } });
  const resource = new Resource(world.with({ dialect: "real" }), workspace);
  await resource.create({ name: "app", engineVersion: "1.7.0" });
  const { json } = await world.send("GET", `/api/v2/workspaces/${resource.id}`, undefined, as("owner"));
  expect(json).toMatchObject({ data: { attributes: { "terraform-version": "1.7.0" } } });
  await resource.up({ name: "app", engineVersion: "1.8.0" });
  await resource.refresh();
  expect(resource.record.observed.engineVersion).toBe("1.8.0");
  expect(resource.preview({ name: "app", engineVersion: "1.8.0" }).changes).toEqual([]);
});

/** Mutually exclusive properties, with the values that a program writes for each. */
const sides: Readonly<Record<string, Values>> = {
  triggerPrefixes: { triggerPrefixes: ["/a"], vcsRepo: vcs },
  triggerPatterns: { triggerPatterns: ["/a/*"], vcsRepo: vcs },
  tagsRegex: { vcsRepo: { ...vcs, tagsRegex: "^v" } },
  autoDestroyAt: { autoDestroyAt: soon },
  autoDestroyActivityDuration: { autoDestroyActivityDuration: "14d" },
};
const program = (side: string, more: Values = {}): Values => ({ name: "app", ...sides[side], ...more });

describe("mutually exclusive properties", () => {
  const triggers = ["triggerPrefixes", "triggerPatterns", "tagsRegex"];
  const transitions = [triggers, ["autoDestroyAt", "autoDestroyActivityDuration"]].flatMap((pair) =>
    pair.flatMap((from) => pair.filter((to) => to !== from).map((to) => [from, to] as const)),
  );

  test.each(transitions)("one up replaces %s with %s", async (from, to) => {
    const { world, resource } = await made(program(from));
    await expectUpdate(resource, program(to));
    expect(resource.record).not.toHaveProperty("pending");
    expect(world.logged).toEqual([]);
  });

  test("the first request clears the old property and sends other changes; the second sets the new one", async () => {
    const { world, resource } = await made(program("triggerPatterns"));
    await resource.up(program("tagsRegex", { description: "two" }));
    expect(patches(world)).toEqual([
      { "trigger-patterns": [], description: "two" },
      { "vcs-repo": { ...vcsOnWire, "tags-regex": "^v" } },
    ]);
    // One read before both.
    expect(world.requests.map(({ method }) => method)).toEqual(["GET", "PATCH", "PATCH"]);
  });

  test("a property that the program sets to empty is cleared in the first request", async () => {
    const { world, resource } = await made(program("triggerPatterns"));
    const emptied = program("tagsRegex", { triggerPatterns: [] });
    await resource.up(emptied);
    expect(patches(world)).toHaveLength(2);
    expect(resource.preview(emptied).changes).toEqual([]);
  });

  test("one request is enough if the server accepts both changes, or if nothing is cleared", async () => {
    const { world, resource } = await made(program("autoDestroyAt"));
    await resource.up(program("autoDestroyActivityDuration"));
    expect(patches(world)).toEqual([{ "auto-destroy-activity-duration": "14d", "auto-destroy-at": null }]);
    await resource.up(program("autoDestroyActivityDuration", { vcsRepo: { ...vcs, tagsRegex: "^v" } }));
    expect(patches(world)).toHaveLength(2);
  });

  test.each(["triggerPatterns", "triggerPrefixes"])(
    "a create accepts an empty %s together with tagsRegex",
    async (empty) => {
      const { resource } = scene();
      const both = program("tagsRegex", { [empty]: [] });
      await resource.create(both);
      expect(resource.preview(both).changes).toEqual([]);
    },
  );

  test("an autoDestroyAt computed from the activity duration shows no changes and is not imported", async () => {
    const wanted = program("autoDestroyActivityDuration");
    const { resource } = await made(wanted);
    expect(resource.outputs.autoDestroyAt).toMatch(/^20/);
    await expectNoChanges(resource, wanted);
    expect(await resource.get(resource.id)).not.toHaveProperty("autoDestroyAt");
  });

  test("inherited auto-destroy settings of the project show no changes and are not imported", async () => {
    const { world, resource } = await made(program("autoDestroyActivityDuration"));
    const data = { type: "projects", attributes: { "auto-destroy-activity-duration": "30d" } };
    await world.send("PATCH", "/api/v2/projects/prj-default", { data }, as("owner"));
    const wanted = { name: "app", inheritsProjectAutoDestroy: true };
    await expectUpdate(resource, wanted);
    expect(patches(world)).toEqual([
      { "inherits-project-auto-destroy": true, "auto-destroy-activity-duration": null },
    ]);
    expect(resource.outputs).toMatchObject({ autoDestroyActivityDuration: "30d" });
    expect(await resource.get(resource.id)).toEqual(expect.objectContaining(wanted));
    expect(await resource.get(resource.id)).not.toHaveProperty("autoDestroyActivityDuration");
  });

  test("a program with its own auto-destroy settings ends the inheritance that another user turned on", async () => {
    const wanted = program("autoDestroyActivityDuration");
    const { world, resource } = await made(wanted);
    await edit(world, resource.id, { "inherits-project-auto-destroy": true });
    await resource.refresh();
    await expectUpdate(resource, wanted);
    expect(lastPatch(world)).toEqual({
      "inherits-project-auto-destroy": false,
      "auto-destroy-activity-duration": "14d",
    });
  });

  test.each([
    ["autoDestroyAt", "auto-destroy-at"],
    ["autoDestroyActivityDuration", "auto-destroy-activity-duration"],
  ])("an empty string for %s is sent as null", async (property, wire) => {
    const { world, resource } = await made(program(property));
    await resource.up({ name: "app", [property]: "" });
    expect(patches(world)).toEqual([{ [wire]: null }]);
    expect(resource.preview({ name: "app", [property]: "" }).changes).toEqual([]);
  });

  test("a tagsRegex and repository that another user set show drift, and the next up clears tagsRegex", async () => {
    const wanted = { name: "app", triggerPrefixes: ["/a"] };
    const { world, resource } = await made(wanted);
    await edit(world, resource.id, { "trigger-prefixes": [] });
    await edit(world, resource.id, { "vcs-repo": { ...vcsOnWire, "tags-regex": "^v" } });
    await resource.refresh();
    expect(changedPaths(resource, wanted)).toEqual(["triggerPrefixes", "vcsRepo.tagsRegex"]);
    await expectUpdate(resource, wanted);
    expect(resource.record.observed.vcsRepo).toMatchObject({ ...vcs });
  });

  const isSecond = (body: unknown) => JSON.stringify(body ?? "").includes("tags-regex");

  test.each(["rejected", "lost twice", "answered by a gateway"])(
    "an update whose second request is %s is partial, and the next up completes it",
    async (how) => {
      const { world, resource } = await made(program("triggerPatterns"));
      const wanted = program("tagsRegex", { description: "two" });
      world.fate = ({ body }) => {
        if (!isSecond(body)) return "passes";
        if (how === "lost twice") return "request lost";
        Object.assign(body as object, { data: "not a resource" });
        return "passes";
      };
      world.onResponse = (_, answer) => {
        if (how === "answered by a gateway" && answer.status === 422)
          Object.assign(answer, { status: 502, text: "bad gateway", json: undefined });
      };
      await expect(resource.up(wanted)).rejects.toBeInstanceOf(PartialError);
      expect(resource.record.observed).toMatchObject({ description: "two" });
      expect(resource.record.observed.triggerPatterns ?? []).toEqual([]);
      expect(resource.record.pending).toBeDefined();
      letPass(world);
      expect(changedPaths(resource, wanted)).toEqual(["vcsRepo.tagsRegex"]);
      await resource.up(wanted);
      expect(resource.preview(wanted).changes).toEqual([]);
      expect(resource.record).not.toHaveProperty("pending");
    },
  );

  test("another user's edit makes the second request fail (HTTP 422); the cleared property stays empty", async () => {
    const { world, resource } = await made(program("triggerPatterns"));
    let sent = 0;
    world.fate = async ({ method }): Promise<Fate> => {
      if (method === "PATCH" && ++sent === 2)
        await edit(world, resource.id, { "trigger-prefixes": ["/theirs"] });
      return "passes";
    };
    await expect(resource.up(program("tagsRegex"))).rejects.toThrow(/returned 422.*trigger-prefixes/s);
    expect(resource.record.lastApplied).not.toHaveProperty("triggerPatterns");
    expect(resource.record.observed.triggerPatterns ?? []).toEqual([]);
  });

  test("a removal whose request is lost is sent again and takes effect", async () => {
    const { world, resource } = await made({ name: "app", description: "old", triggerPatterns: ["/a/*"] });
    actBefore(world, /^PATCH/, () => undefined, "request lost");
    await resource.up({ name: "app" });
    await resource.refresh();
    expect(resource.record.observed.description ?? "").toBe("");
    expect(resource.record.observed.triggerPatterns ?? []).toEqual([]);
  });

  test("removals whose response is lost show no changes after one PATCH", async () => {
    const { world, resource } = await made({ name: "app", executionMode: "local", tagBindings: {} });
    setFate(world, /^PATCH/, "response lost");
    await resource.up({ name: "app" });
    expect(resource.preview({ name: "app" }).changes).toEqual([]);
    expect(countOf(world, "PATCH")).toBe(1);
  });
});
