import type { Json } from "../../../provider/core/value/json";
import { JobScene, typedWeb, web } from "./job-scene";

const [front] = typedWeb.taskGroups;
const [server] = front?.tasks ?? [];

const withGroup = (more: { [member: string]: Json }): { [member: string]: Json } => ({
  ...typedWeb,
  taskGroups: [{ ...front, ...more }],
});
const withTask = (more: { [member: string]: Json }) => withGroup({ tasks: [{ ...server, ...more }] });
const offer = { name: "web", portLabel: "http" };

const blocks: readonly [string, { [member: string]: Json }, { [member: string]: Json }, Json[]][] = [
  [
    "a sidecar",
    withGroup({ services: [offer] }),
    withGroup({ services: [{ ...offer, connect: { sidecarService: {} } }] }),
    ["TaskGroups", "Services", "Connect"],
  ],
  ["a task's access to secrets", withTask({}), withTask({ secrets: {} }), ["TaskGroups", "Tasks", "Secrets"]],
  ["a volume", withGroup({}), withGroup({ volumes: { data: {} } }), ["TaskGroups", "Volumes", "data"]],
  [
    "a group's way to bear an outage",
    withGroup({}),
    withGroup({ disconnect: {} }),
    ["TaskGroups", "Disconnect"],
  ],
];

describe("a block that speaks by being there", () => {
  test.each(blocks)("is registered where the program adds it: %s", async (_, without, holding, path) => {
    const scene = new JobScene();
    await scene.resource.create({ spec: without });
    expect(scene.resource.preview({ spec: holding }).changes).toMatchObject([{ kind: "add" }]);
    await scene.resource.up({ spec: holding });
    expect(heldAt(await scene.held(), path)).not.toBeNull();
    expect(scene.resource.preview({ spec: holding }).changes).toEqual([]);
    await scene.resource.refresh();
    expect(scene.resource.preview({ spec: holding }).changes).toEqual([]);
  });

  test.each(blocks)("is taken away where the program drops it: %s", async (_, without, holding, path) => {
    const scene = new JobScene();
    await scene.resource.create({ spec: holding });
    expect(scene.resource.preview({ spec: without }).changes).toMatchObject([{ kind: "delete" }]);
    await scene.resource.up({ spec: without });
    expect(heldAt(await scene.held(), path) ?? null).toBeNull();
    expect(scene.resource.preview({ spec: without }).changes).toEqual([]);
  });

  test.each(blocks)(
    "is drift where others took it away, and put back: %s",
    async (_, without, holding, path) => {
      const scene = new JobScene();
      await scene.resource.create({ spec: holding });
      const other = scene.another();
      await other.get("default/web");
      await other.up({ spec: without });
      await scene.resource.refresh();
      expect(scene.resource.preview({ spec: holding }).changes).toMatchObject([{ cause: "drift" }]);
      await scene.resource.up({ spec: holding });
      expect(heldAt(await scene.held(), path)).not.toBeNull();
    },
  );

  test("is told in the job's JSON, too", async () => {
    const scene = new JobScene();
    const batch = { ...web, Type: "batch" };
    await scene.resource.create({ json: batch });
    const { changes } = scene.resource.preview({ json: { ...batch, ParameterizedJob: {} } });
    expect(changes).toMatchObject([{ path: ["json", "ParameterizedJob"], kind: "add" }]);
  });

  test("and that the service takes no notice of is no change for ever", async () => {
    const scene = new JobScene();
    const spec = withTask({ lifecycle: {} });
    await scene.resource.create({ spec });
    expect(scene.resource.preview({ spec }).changes).toEqual([]);
    await scene.resource.refresh();
    expect(scene.resource.preview({ spec }).changes).toEqual([]);
  });

  test("is no change where the service fills it in anyway", async () => {
    const scene = new JobScene();
    await scene.resource.create({ spec: typedWeb });
    expect(scene.resource.preview({ spec: withGroup({ restartPolicy: {} }) }).changes).toEqual([]);
  });

  test("is no conflict where others took it away just as the program does", async () => {
    const scene = new JobScene();
    await scene.resource.create({ spec: withGroup({ disconnect: {} }) });
    await scene.register(web);
    await scene.resource.up({ spec: withTask({ env: { LEVEL: "info" } }) });
    expect(scene.registers).toHaveLength(3);
  });
});

/** What a job holds at these members, in the first element of each list. */
function heldAt(job: Json, path: readonly Json[]): Json | undefined {
  return path.reduce<Json | undefined>((at, name) => {
    const inner = Array.isArray(at) ? at[0] : at;
    return typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? inner[String(name)]
      : undefined;
  }, job);
}
