import type { Values } from "../../../provider/core/language/object";
import type { Json } from "../../../provider/core/value/json";
import workspace from "../../../provider/services/workspaces/workspace";
import { Resource } from "../../steps/resource";
import { as, made, patched, scene } from "./workspace-scene";

const vcs = { identifier: "acme/app", oauthTokenId: "ot-code" };
const vcsOnWire = { identifier: "acme/app", "oauth-token-id": "ot-code" };

/** What a program writes in one place, one way and then another, and what travels for it. */
interface Row {
  readonly first: Values;
  readonly second: Values;
  readonly created: Values;
  readonly updated: Values;
  /** What travels when the program drops what it wrote first; nothing where the value stays. */
  readonly dropped: Values | "stays";
  /** What the program goes on writing. */
  readonly beside?: Values;
}

/** An attribute that travels as it is written. */
function plain(property: string, wire: string, first: Json, second: Json, dropped: Json | undefined): Row {
  return {
    first: { [property]: first },
    second: { [property]: second },
    created: { [wire]: first },
    updated: { [wire]: second },
    dropped: dropped === undefined ? "stays" : { [wire]: dropped },
  };
}

/** A member of `vcs-repo`, with which both its required keys travel. */
function ofRepository(property: string, wire: string, first: Json, second: Json, dropped: Json): Row {
  const written = (value: Json) => ({ vcsRepo: { ...vcs, [property]: value } });
  const travels = (value: Json) => ({ "vcs-repo": { ...vcsOnWire, [wire]: value } });
  return {
    first: written(first),
    second: written(second),
    created: travels(first),
    updated: travels(second),
    dropped: travels(dropped),
    beside: { vcsRepo: vcs },
  };
}

const [soon, later] = ["2031-01-01T00:00:00Z", "2032-01-01T00:00:00Z"];

/** The attribute table of the specification, row by row. */
const table: readonly [string, Row][] = [
  ["name", { ...plain("name", "name", "app", "web", undefined), beside: { name: "app" } }],
  [
    "agent-pool-id",
    {
      first: { executionMode: "agent", agentPoolId: "apool-general" },
      second: { executionMode: "agent", agentPoolId: "apool-large" },
      created: { "execution-mode": "agent", "agent-pool-id": "apool-general" },
      updated: { "agent-pool-id": "apool-large" },
      dropped: { "execution-mode": "remote", "agent-pool-id": null },
      beside: { executionMode: "remote" },
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
  ["operations", plain("operations", "operations", false, true, true)],
  ["queue-all-runs", plain("queueAllRuns", "queue-all-runs", true, false, false)],
  ["source-name", plain("sourceName", "source-name", "ci", "cd", undefined)],
  ["source-url", plain("sourceUrl", "source-url", "https://ci.example", "https://cd.example", undefined)],
  ["speculative-enabled", plain("speculativeEnabled", "speculative-enabled", false, true, true)],
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

describe.each(table)("%s", (_, { first, second, created, updated, dropped, beside }) => {
  test("is sent with a create, with nothing beside what the program wrote", async () => {
    const { world, resource } = scene();
    await resource.create({ name: "app", ...first });
    const { body } = world.requests[0] ?? {};
    expect(body).toEqual({ data: { type: "workspaces", attributes: { name: "app", ...created } } });
    expect(resource.preview({ name: "app", ...first }).changes).toEqual([]);
  });

  test("is sent with an update that changes it, and nothing else is", async () => {
    const { world, resource } = await made({ name: "app", ...first });
    await resource.up({ name: "app", ...second });
    expect(patched(world)).toEqual(updated);
    await resource.refresh();
    expect(resource.preview({ name: "app", ...second }).changes).toEqual([]);
  });

  test("goes back to its default or to nothing when it is dropped, or stays where there is neither", async () => {
    const { world, resource } = await made({ name: "app", ...first });
    const without = { name: "app", ...beside };
    await resource.up(without);
    // What stays is said when it is dropped, and not in every preview from then on.
    expect(resource.preview(without)).toMatchObject({ changes: [], notes: [] });
    expect(patched(world) ?? "stays").toEqual(dropped);
    await resource.refresh();
    expect(resource.preview(without).changes).toEqual([]);
  });
});

test("every property of a workspace that travels as an attribute has its row", () => {
  const rows = new Set(table.flatMap(([, { first }]) => Object.keys(first)));
  const known = Object.entries(workspace.fields).filter(([name]) => !ELSEWHERE.has(name));
  expect([...rows].sort()).toEqual(known.map(([name]) => name).sort());
});

/** What is no attribute: it steers us, has requests of its own, is a relationship or an output. */
const ELSEWHERE = new Set([
  ...["adopt", "connection", "onConflict", "refreshBeforeUpdate", "timeouts"],
  ...["organization", "projectId", "sshKeyId", "tagNames", "exclusiveTags", "tagBindings", "forceDelete"],
  ...["workspaceId", "createdAt", "resourceCount", "htmlUrl"],
]);

describe("what goes together", () => {
  test("an overwrite that is set to true goes with the mode, which the service then asks for", async () => {
    const { world, resource } = await made({ name: "app" });
    const program = { name: "app", executionMode: "remote", settingOverwrites: { executionMode: true } };
    await resource.up(program);
    expect(patched(world)).toEqual({
      "execution-mode": "remote",
      "setting-overwrites": { "execution-mode": true },
    });
    await resource.refresh();
    expect(resource.preview(program).changes).toEqual([]);
  });

  test("a mode of agent goes with its pool, which the service then asks for", async () => {
    const program = { name: "app", executionMode: "agent", agentPoolId: "apool-general" };
    const { world, resource } = await made({ name: "app", executionMode: "remote" });
    await resource.up(program);
    expect(patched(world)).toEqual({ "execution-mode": "agent", "agent-pool-id": "apool-general" });
  });

  test("operations in place of a mode is a mode of its own, and inherits nothing", async () => {
    const { world, resource } = await made({ name: "app", executionMode: "remote" });
    await resource.up({ name: "app", operations: false });
    expect(patched(world)).toEqual({ operations: false });
    expect(resource.record.observed).toMatchObject({ executionMode: "local", operations: false });
  });
});

test("a real server gets the engine's version under its own name, and is understood", async () => {
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
