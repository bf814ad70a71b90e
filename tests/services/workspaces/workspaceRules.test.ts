import type { Values } from "../../../provider/core/language/object";
import workspace from "../../../provider/services/workspaces/workspace";
import { WorkspacesService } from "../../../testing/stub/services/workspaces/service";
import { Resource } from "../../steps/resource";
import { World } from "../../steps/world";
import { SEED, scene } from "./workspace-scene";

const vcs = { identifier: "acme/app", oauthTokenId: "ot-code" };

describe("the preview of a workspace refuses", () => {
  test.each<[string, Values]>([
    ["executionMode", { executionMode: "local", operations: false }],
    ["agentPoolId", { executionMode: "agent" }],
    ["agentPoolId", { executionMode: "remote", agentPoolId: "apool-general" }],
    ["agentPoolId", { operations: true, agentPoolId: "apool-general" }],
    ["executionMode", { settingOverwrites: { executionMode: true } }],
    ["assessmentsEnabled", { assessmentsEnabled: true, executionMode: "local" }],
    ["assessmentsEnabled", { assessmentsEnabled: true, operations: false }],
    [
      "assessmentsEnabled",
      { assessmentsEnabled: true, executionMode: "agent", agentPoolId: "apool-general" },
    ],
    ["assessmentsEnabled", { assessmentsEnabled: true, engineVersion: "0.15.3" }],
    ["assessmentsEnabled", { assessmentsEnabled: true, engineVersion: "v0.14.11" }],
    ["assessmentsEnabled", { assessmentsEnabled: true, engineVersion: "~> 0.14.0" }],
    ["assessmentsEnabled", { assessmentsEnabled: true, engineVersion: ">= 0.13, < 0.15.4" }],
    ["assessmentsEnabled", { assessmentsEnabled: true, engineVersion: "<= 0.15" }],
    ["agentPoolId", { executionMode: "local", agentPoolId: "apool-general" }],
    ["triggerPrefixes", { triggerPrefixes: ["/a"], triggerPatterns: ["/b/*"] }],
    ["triggerPrefixes", { triggerPrefixes: ["/a"], vcsRepo: { ...vcs, tagsRegex: "^v" } }],
    ["triggerPatterns", { triggerPatterns: ["/a/*"], vcsRepo: { ...vcs, tagsRegex: "^v" } }],
    ["autoDestroyAt", { autoDestroyAt: "2031-01-01T00:00:00Z", autoDestroyActivityDuration: "14d" }],
    ["autoDestroyActivityDuration", { autoDestroyActivityDuration: "0d" }],
    ["autoDestroyActivityDuration", { autoDestroyActivityDuration: "12345h" }],
    ["name", { name: "my app" }],
    ["vcsRepo.identifier", { vcsRepo: { ...vcs, identifier: "app" } }],
    ["vcsRepo.identifier", { vcsRepo: { ...vcs, identifier: "/app" } }],
    ["vcsRepo.identifier", { vcsRepo: { ...vcs, identifier: "acme/" } }],
    ["vcsRepo.oauthTokenId", { vcsRepo: { identifier: "acme/app" } }],
    ["vcsRepo.oauthTokenId", { vcsRepo: { ...vcs, githubAppInstallationId: "ghain-code" } }],
  ])("%s in %j", (path, program) => {
    const { world, resource } = scene();
    expect(resource.check({ name: "app", ...program }).map((problem) => problem.path)).toContain(path);
    expect(world.requests).toEqual([]);
  });

  test.each<[string, Values]>([
    ["the oldest engine that has assessments", { assessmentsEnabled: true, engineVersion: "0.15.4" }],
    ["a constraint that such an engine meets", { assessmentsEnabled: true, engineVersion: "~> 0.15.0" }],
    ["one without an upper bound", { assessmentsEnabled: true, engineVersion: ">= 0.12, != 0.15.3" }],
    ["one that reaches the next major", { assessmentsEnabled: true, engineVersion: "~> 0.12" }],
    ["the latest", { assessmentsEnabled: true, engineVersion: "latest" }],
    ["an overwrite with its mode", { executionMode: "local", settingOverwrites: { executionMode: true } }],
    ["an empty list beside the other of a pair", { triggerPrefixes: [], triggerPatterns: ["/b/*"] }],
    [
      "the repository of the VCS kind with projects",
      { vcsRepo: { ...vcs, identifier: "acme/shop/_git/app" } },
    ],
    [
      "names with blanks, which that kind has",
      { vcsRepo: { ...vcs, identifier: "acme/my shop/_git/my app" } },
    ],
    ["four digits", { autoDestroyActivityDuration: "9999h" }],
    ["flat tags in any case, however often", { tagNames: ["One", "one"] }],
    ["flat tags of every allowed character", { tagNames: ["a", "9", "team:web_1-b", "a".repeat(255)] }],
  ])("nothing in %s", (_, program) => {
    expect(scene().resource.check({ name: "app", ...program })).toEqual([]);
  });

  test("a workspace without an organization anywhere, and names the places where it could stand", () => {
    const world = new World(
      new WorkspacesService({ switches: { dialect: "neutral" }, seed: SEED }),
      workspace,
      { token: "owner" },
    );
    const [problem] = new Resource(world, workspace).check({ name: "app" });
    expect(problem).toEqual({
      path: "organization",
      reason:
        "is missing: give it here, in quarterdeck:workspaces.organization, or in QUARTERDECK_WORKSPACES_ORGANIZATION",
    });
  });
});
