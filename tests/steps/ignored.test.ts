import { withIgnored } from "../../provider/core/language/ignored";
import type { Values } from "../../provider/core/language/object";
import { parsePath } from "../../provider/core/value/path";
import { withMetadata } from "../../provider/core/value/programInputs";
import configEntry from "../../provider/services/mesh/configEntry";
import { MeshService } from "../../testing/stub/services/mesh/service";
import { as, made } from "../services/workspaces/workspace-scene";
import { Resource } from "./resource";
import { World } from "./world";

describe("a field in ignoreChanges that someone else changed", () => {
  const program = (more: Values): Values =>
    withMetadata({ name: "app", description: "ours", ...more }, { ignoredPaths: ["description"] });

  test("does not block an update of a different field if the service merges, and keeps the other user's value", async () => {
    const { world, resource } = await made(program({ autoApply: false }));
    const data = { type: "workspaces", attributes: { description: "theirs" } };
    await world.send("PATCH", `/api/v2/workspaces/${resource.id}`, { data }, as("owner"));
    const wanted = program({ autoApply: true });
    await resource.up(wanted);
    expect(resource.record.observed).toMatchObject({ description: "theirs", autoApply: true });
    expect(resource.preview(wanted).changes).toEqual([]);
    await resource.refresh();
    expect(resource.preview(wanted).changes).toEqual([]);
    // When the field is no longer ignored, the program's value applies again.
    expect(resource.preview(withMetadata(wanted, { ignoredPaths: [] })).changes).toMatchObject([
      { path: ["description"] },
    ]);
  });

  test("is a conflict if the program does not ignore it", async () => {
    const { world, resource } = await made({ name: "app", description: "ours", autoApply: false });
    const data = { type: "workspaces", attributes: { description: "theirs" } };
    await world.send("PATCH", `/api/v2/workspaces/${resource.id}`, { data }, as("owner"));
    await expect(resource.up({ name: "app", description: "ours", autoApply: true })).rejects.toThrow(
      /conflict/,
    );
  });

  test("is not listed in a conflict about a different field that is not ignored", async () => {
    const { world, resource } = await made(program({ autoApply: false, workingDirectory: "a" }));
    const data = { type: "workspaces", attributes: { description: "theirs", "working-directory": "b" } };
    await world.send("PATCH", `/api/v2/workspaces/${resource.id}`, { data }, as("owner"));
    const failure = resource.up(program({ autoApply: true, workingDirectory: "a" }));
    await expect(failure).rejects.toThrow(/workingDirectory +"a" +"a" +"b"/);
    await expect(failure).rejects.not.toThrow(/description/);
  });

  test.each([false, true])(
    "is sent with the other user's value if the service replaces the entire entry (refreshed before: %s)",
    async (isRefreshed) => {
      const headers = { "x-mesh-token": "manager", "content-type": "application/json" };
      const stub = new MeshService({
        switches: { dialect: "neutral" },
        seed: { tokens: { manager: { management: true } } },
      });
      const world = new World(stub, configEntry, { token: "manager" });
      const entry = new Resource(world, configEntry);
      const web = (spec: Values): Values =>
        withMetadata(
          { kind: "service-defaults", name: "web", spec },
          { ignoredPaths: ["spec.MaxInboundConnections"] },
        );
      await entry.create(web({ Protocol: "http", MaxInboundConnections: 5 }));
      const theirs = { Kind: "service-defaults", Name: "web", Protocol: "http", MaxInboundConnections: 9 };
      await world.send("PUT", "/v1/config", theirs, headers);
      if (isRefreshed) await entry.refresh();
      const wanted = web({ Protocol: "grpc", MaxInboundConnections: 5 });
      await entry.up(wanted);
      expect(entry.record.observed.spec).toMatchObject({ Protocol: "grpc", MaxInboundConnections: 9 });
      expect(entry.preview(wanted).changes).toEqual([]);
    },
  );
});

test("ignoring a field that did not drift shows no changes", async () => {
  const { resource } = await made({ name: "app", description: "ours" });
  const ignoring = withMetadata({ name: "app", description: "ours" }, { ignoredPaths: ["description"] });
  expect(resource.preview(ignoring).changes).toEqual([]);
});

test.each<[string, (string | number)[]]>([
  ["description", ["description"]],
  ["spec.taskGroups[0].count", ["spec", "taskGroups", 0, "count"]],
  ['tagBindings["a.b"].c', ["tagBindings", "a.b", "c"]],
  ["env[*]", ["env", "*"]],
  ["*", ["*"]],
])("the path %s is parsed into its segments", (path, segments) => {
  expect(parsePath(path)).toEqual(segments);
});

test("ignored paths support wildcards, list indexes and members that someone else has removed", () => {
  const own = {
    groups: [
      { count: 1, name: "a" },
      { count: 2, name: "b" },
    ],
    tags: { x: "1", y: "2" },
  };
  const theirs = {
    groups: [
      { count: 7, name: "A" },
      { count: 8, name: "B" },
    ],
    tags: { x: "9" },
  };
  const ignoring = (...paths: string[]) =>
    withIgnored(withMetadata(own, { ignoredPaths: paths }), () => theirs);
  expect(ignoring("groups[*].count").groups).toEqual([
    { count: 7, name: "a" },
    { count: 8, name: "b" },
  ]);
  expect(ignoring("groups[1].count").groups).toEqual([
    { count: 1, name: "a" },
    { count: 8, name: "b" },
  ]);
  expect(ignoring("tags.y", "tags.x").tags).toEqual({ x: "9" });
  expect(ignoring("other")).toMatchObject(own);
});
