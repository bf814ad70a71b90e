import type { Values } from "../../provider/core/language/object";
import { withValuesAt } from "../../provider/core/operations/ignoredPaths";
import type { Json } from "../../provider/core/value/json";
import { parsePath } from "../../provider/core/value/path";
import { withMetadata } from "../../provider/core/value/programInputs";
import configEntry from "../../provider/services/mesh/configEntry";
import { MeshService } from "../../testing/stub/services/mesh/service";
import { JobScene } from "../services/scheduler/job-scene";
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
    withValuesAt(configEntry, withMetadata(own, { ignoredPaths: paths }), theirs);
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

describe("ignoreChanges of a job", () => {
  const spec = (env: string, ...groups: { [member: string]: Json }[]) => ({
    spec: {
      id: "web",
      taskGroups: [
        ...groups,
        { name: "front", count: 2, tasks: [{ name: "server", driver: "docker", env: { A: env } }] },
      ],
    },
  });
  const json = (env: string) => ({
    json: JSON.stringify({
      ID: "web",
      TaskGroups: [
        { Name: "front", Count: 2, Tasks: [{ Name: "server", Driver: "docker", Env: { A: env } }] },
      ],
    }),
  });
  const hcl = (env: string) => ({
    hcl: `job "web" {
  group "front" {
    count = 2
    task "server" {
      driver = "docker"
      env { A = "${env}" }
    }
  }
}
`,
  });
  const ignoring = (program: Values, path: string) => withMetadata(program, { ignoredPaths: [path] });

  /** A job whose count another user has changed to 7. */
  async function scaled(program: Values) {
    const scene = new JobScene();
    const { inputs } = await scene.resource.prepare(program);
    // These programs contain no unknown values.
    await scene.resource.create(inputs as Values);
    const held = await scene.held();
    const [group] = held.TaskGroups as { [member: string]: Json }[];
    await scene.register({ ...held, TaskGroups: [{ ...group, Count: 7 }] });
    return scene;
  }

  test.each<[string, (env: string) => Values, string]>([
    ["JSON text", json, "json.TaskGroups[0].Count"],
    ["JSON text, by a wildcard", json, "json.TaskGroups[*].Count"],
    ["HCL", hcl, "hcl.TaskGroups[0].Count"],
  ])(
    "leaves the count of %s as another user set it, with and without a refresh",
    async (_, program, path) => {
      const scene = await scaled(program("one"));
      const up = async (own: Values) => {
        const { inputs } = await scene.resource.prepare(ignoring(own, path));
        return scene.resource.up(inputs as Values);
      };
      await up(program("two"));
      expect(await scene.held()).toMatchObject({
        TaskGroups: [{ Count: 7, Tasks: [{ Env: { A: "two" } }] }],
      });
      await scene.resource.refresh();
      const { inputs } = await scene.resource.prepare(ignoring(program("two"), path));
      expect(scene.resource.preview(inputs).changes).toEqual([]);
      expect(await up(program("two"))).toBe(false);
      const { inputs: open } = await scene.resource.prepare(program("two"));
      expect(scene.resource.preview(open).changes).toMatchObject([{ kind: "update" }]);
      await scene.resource.up(open as Values);
      expect(await scene.held()).toMatchObject({ TaskGroups: [{ Count: 2 }] });
    },
  );

  test.each([
    ["json.TaskGroup[0].Count", json],
    ["hcl.TaskGroups[3].Count", hcl],
  ])("fails in the preview and in the update if %s names nothing", async (path, program) => {
    const scene = await scaled(program("one"));
    const { inputs } = await scene.resource.prepare(ignoring(program("two"), path));
    const message = `ignoreChanges names ${path}`;
    expect(() => scene.resource.preview(inputs)).toThrow(message);
    await expect(scene.resource.update(inputs as Values)).rejects.toThrow(message);
    expect(await scene.held()).toMatchObject({ TaskGroups: [{ Count: 7 }] });
  });

  test("fails if a group was added in front of the one with the ignored count, and names both", async () => {
    const scene = await scaled(spec("one"));
    const added = ignoring(spec("one", { name: "canary", count: 1, tasks: [] }), "spec.taskGroups[0].count");
    const message = /element 0 of spec\.taskGroups was "front" and is "canary" now/;
    expect(() => scene.resource.preview(added)).toThrow(message);
    await expect(scene.resource.update(added)).rejects.toThrow(message);
    const behind = ignoring(
      {
        spec: {
          ...spec("one").spec,
          taskGroups: [...spec("one").spec.taskGroups, { name: "last", tasks: [] }],
        },
      },
      "spec.taskGroups[0].count",
    );
    expect(() => scene.resource.preview(behind)).not.toThrow();
  });

  test("accepts an ignored element as a whole, and a path in an element that only one side has", async () => {
    const scene = await scaled(spec("one"));
    const added = spec("one", { name: "canary", count: 1, tasks: [] });
    for (const path of ["spec.taskGroups[0]", "spec.taskGroups[1].count"])
      expect(() => scene.resource.preview(ignoring(added, path))).not.toThrow();
  });
});
