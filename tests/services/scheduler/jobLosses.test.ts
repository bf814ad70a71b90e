import type { Values } from "../../../provider/core/language/object";
import type { Json } from "../../../provider/core/value/json";
import { JobScene, typedWeb } from "./job-scene";

const withTask = (more: { [member: string]: Json }): { [member: string]: Json } => ({
  ...typedWeb,
  taskGroups: [
    {
      name: "front",
      tasks: [
        { name: "main", driver: "docker" },
        { name: "server", driver: "docker", ...more },
      ],
    },
  ],
});
const template = { embeddedTmpl: "x", destPath: "y", changeMode: "signal" };

/** What the service answers in other words than it was given. */
const reworded: readonly [string, { [member: string]: Json }][] = [
  ["a template's signal in lower case", { templates: [{ ...template, changeSignal: "sigusr1" }] }],
  ["an access's signal in lower case", { secrets: { changeMode: "signal", changeSignal: "sigusr1" } }],
  ["a lifecycle of nothing", { lifecycle: { hook: "", sidecar: false } }],
];

describe("a register whose answer was lost is known as ours", () => {
  test.each(reworded)("in a create: %s", async (_, task) => {
    const scene = new JobScene();
    loseNextAnswer(scene);
    await scene.resource.create({ spec: withTask(task) });
    expect(scene.registers).toHaveLength(1);
    expect(scene.resource.preview({ spec: withTask(task) }).changes).toEqual([]);
  });

  test.each(reworded)("in an update: %s", async (_, task) => {
    const scene = new JobScene();
    await scene.resource.create({ spec: withTask({}) });
    loseNextAnswer(scene);
    const spec = { ...withTask(task), priority: 70 };
    await scene.resource.up({ spec });
    expect(scene.registers).toHaveLength(2);
    expect(scene.resource.preview({ spec }).changes).toEqual([]);
  });
});

describe("a register whose answer was lost, and that leaves out what goes back to the scheduler's own value, is known as ours", () => {
  const Tasks = [{ Name: "main", Driver: "docker" }];
  const plain = { TaskGroups: [{ Name: "front", Tasks }] };
  const scaled = { TaskGroups: [{ Name: "front", Tasks, Scaling: { Min: 1, Max: 10, Enabled: true } }] };
  const small = {
    TaskGroups: [
      { Name: "front", Tasks: [{ Name: "main", Driver: "docker", Resources: { CPU: 100, MemoryMB: 128 } }] },
    ],
  };

  test.each<[string, Values, Values]>([
    ["its type", { ...plain, Type: "service" }, scaled],
    ["its priority, beside a value of its own", { ...plain, Priority: 50, Datacenters: ["dc1"] }, scaled],
    ["a block of which one part stays as it was", small, plain],
  ])("%s", async (_, before, after) => {
    const scene = new JobScene();
    await scene.resource.create({ json: { ID: "web", ...before } });
    let registers = 0;
    scene.world.fate = ({ nature }) => (nature !== "read" && registers++ === 0 ? "response lost" : "passes");
    const program = { json: { ID: "web", ...after } };
    await scene.resource.up(program);
    expect(scene.registers).toHaveLength(2);
    expect(scene.resource.preview(program).changes).toEqual([]);
  });
});

test("a signal is the same in upper and lower case", async () => {
  const scene = new JobScene();
  const signal = (changeSignal: string) => withTask({ templates: [{ ...template, changeSignal }] });
  await scene.resource.create({ spec: signal("sigusr1") });
  expect(scene.resource.preview({ spec: signal("SIGUSR1") }).changes).toEqual([]);
  expect(scene.resource.preview({ spec: signal("sigusr2") }).changes).not.toEqual([]);
});

function loseNextAnswer(scene: JobScene): void {
  let sent = 0;
  scene.world.fate = () => (sent++ === 0 ? "response lost" : "passes");
}
